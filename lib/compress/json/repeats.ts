/** Whether a hash, or a key, is there twice. */

import { joinHash, TextHash } from '../../json/hash.js';
import * as run from '../../json/member-run.js';
import { Tokenizer } from '../../json/tokenizer.js';
import type { Source } from '../../source/types.js';

/** Bytes of a key whose escapes are resolved; a longer one is hashed as it stands. */
export const LONGEST_DECODED_KEY = 64 * 1024;

/** Hashes that are looked up in a table; more are sorted. */
const FEW = 64;

/** A table of hashes, used again by each call: a slot is taken where it bears the number of the call. */
const SLOTS = 1024;
const held = new Float64Array(SLOTS);
const taken = new Int32Array(SLOTS);
let calls = 0;

/** Whether two of the hashes from number `from` up to `to`, exclusive, are equal. */
export function hasRepeats(hashes: Float64Array, from: number, to: number): boolean {
	if (to - from > FEW) {
		const sorted = hashes.slice(from, to).sort();
		return sorted.some((hash, index) => index > 0 && hash === sorted[index - 1]);
	}

	calls = (calls + 1) | 0;
	for (let index = from; index < to; index++) {
		const hash = hashes[index];
		let slot = hash & (SLOTS - 1);
		while (taken[slot] === calls) {
			if (held[slot] === hash) {
				return true;
			}

			slot = (slot + 1) & (SLOTS - 1);
		}

		taken[slot] = calls;
		held[slot] = hash;
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
	const met = new Set<number>();
	let isRepeated = false;
	const ignore = (): void => {};
	const take = (hash: number): void => {
		isRepeated ||= met.has(hash);
		if (suspects.has(hash)) {
			met.add(hash);
		}
	};
	const tokenizer: Tokenizer = new Tokenizer(
		{
			openObject: ignore,
			closeObject: ignore,
			openArray: ignore,
			closeArray: ignore,
			scalar: ignore,
			members(length) {
				if (tokenizer.depth === 1) {
					for (let index = 0; index < length; index++) {
						take(joinHash(run.low[index], run.high[index]));
					}
				}
			},
			key(keyStart, keyEnd) {
				if (tokenizer.depth !== 1) {
					return;
				}

				let { low, high } = tokenizer.keys;
				if (tokenizer.escaped && keyEnd - keyStart - 2 <= LONGEST_DECODED_KEY) {
					const lexeme = new Uint8Array(keyEnd - keyStart);
					source.read(lexeme, 0, lexeme.length, start + keyStart);
					({ low, high } = new TextHash().takeKey(lexeme, 0, lexeme.length));
				}

				take(joinHash(low, high));
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
