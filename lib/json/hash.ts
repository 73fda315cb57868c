/**
 * Hashes of names, by which fields are told apart: two 32-bit hashes of the text, side by side. No defence against an
 * adversary: who makes two names collide gets less clean-up, or worse statistics.
 */

import { decodeText } from './text.js';

export const HASH_SEED_LOW = 0x811c9dc5 | 0;
export const HASH_SEED_HIGH = 0x2545f491 | 0;
export const HASH_STEP = 0x01000193;

/** Makes one number of 53 bits of the two hashes of a text. */
export function joinHash(low: number, high: number): number {
	return (low >>> 0) * 0x20_00_00 + (high >>> 11);
}

/** A hash of 32 bits for a name within what `outer` is the hash of. */
export function nestHash(outer: number, inner: number): number {
	return Math.imul(outer ^ 0x27d4eb2f, 0x85ebca6b) ^ Math.imul(inner, 0x9e3779b1);
}

/** The two hashes of a text, in place. */
export class TextHash {
	low = 0;
	high = 0;

	/** Hashes `bytes[from…to)`. */
	take(bytes: Uint8Array, from: number, to: number): this {
		let low = HASH_SEED_LOW;
		let high = HASH_SEED_HIGH;
		for (let index = from; index < to; index++) {
			low = Math.imul(low ^ bytes[index], HASH_STEP);
			high = ((high << 5) + high) ^ bytes[index];
		}

		this.low = low;
		this.high = high;
		return this;
	}

	/** Hashes the text of the key `bytes[start…end)`, quotation marks included. */
	takeKey(bytes: Uint8Array, start: number, end: number): this {
		for (let index = start; index < end; index++) {
			if (bytes[index] === 0x5c) {
				const text = decodeText(bytes, start, end);
				return this.take(text, 0, text.length);
			}
		}

		return this.take(bytes, start + 1, end - 1);
	}
}

const once = new TextHash();

/** The 53-bit hash of a text. */
export function hashText(text: Uint8Array): number {
	once.take(text, 0, text.length);
	return joinHash(once.low, once.high);
}
