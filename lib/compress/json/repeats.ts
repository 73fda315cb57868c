/** Whether a hash, or a key, is there twice. */

import { joinHash, TextHash } from '../../json/hash.js';
import { Tokenizer } from '../../json/tokenizer.js';
import type { Source } from '../../source/types.js';

/** Bytes of a key whose escapes are resolved; a longer one is hashed as it stands. */
export const LONGEST_DECODED_KEY = 64 * 1024;

/** Hashes that are compared each with each; more are sorted first. */
const FEW = 16;

/** Whether two of the pairs of hashes from number `from` up to `to`, exclusive, are equal. */
export function hasRepeats(low: Int32Array, high: Int32Array, from: number, to: number): boolean {
	if (to - from <= FEW) {
		for (let index = from + 1; index < to; index++) {
			for (let earlier = from; earlier < index; earlier++) {
				if (low[index] === low[earlier] && high[index] === high[earlier]) {
					return true;
				}
			}
		}

		return false;
	}

	const sorted = new Float64Array(to - from);
	for (let index = from; index < to; index++) {
		sorted[index - from] = joinHash(low[index], high[index]);
	}

	sorted.sort();
	for (let index = 1; index < sorted.length; index++) {
		if (sorted[index] === sorted[index - 1]) {
			return true;
		}
	}

	return false;
}

/** Reads an object between two absolute offsets again: whether a key of one of these hashes is there twice. */
export function repeatsKey(
	source: Source,
	start: number,
	end: number,
	suspects: ReadonlySet<number>,
): boolean {
	const seen = new Set<number>();
	let isRepeated = false;
	const ignore = (): void => {};
	const tokenizer = new Tokenizer(
		{
			openObject: ignore,
			closeObject: ignore,
			openArray: ignore,
			closeArray: ignore,
			string: ignore,
			number: ignore,
			literal: ignore,
			key(keyStart, keyEnd) {
				if (tokenizer.depth !== 1) {
					return;
				}

				let { keyLow: low, keyHigh: high } = tokenizer;
				if (tokenizer.escaped && keyEnd - keyStart - 2 <= LONGEST_DECODED_KEY) {
					const lexeme = new Uint8Array(keyEnd - keyStart);
					source.read(lexeme, 0, lexeme.length, start + keyStart);
					({ low, high } = new TextHash().takeKey(lexeme, 0, lexeme.length));
				}

				const hash = joinHash(low, high);
				isRepeated ||= seen.has(hash);
				if (suspects.has(hash)) {
					seen.add(hash);
				}
			},
		},
		false,
	);
	const block = new Uint8Array(64 * 1024);
	for (let position = start; position < end && !isRepeated; ) {
		const length = source.read(block, 0, Math.min(block.length, end - position), position);
		tokenizer.write(block.subarray(0, length));
		position += length;
	}

	return isRepeated;
}
