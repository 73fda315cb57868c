/**
 * Hashes of keys, by which fields are told apart: two 32-bit hashes of the text, side by side, of which 53 bits make
 * one number. No defence against an adversary: who makes two keys collide gets less clean-up, or worse statistics.
 */

import { decodeText } from './text.js';

/** Seeds and steps of the two 32-bit hashes that make up a key's hash. */
export const HASH_SEED_LOW = 0x811c9dc5 | 0;
export const HASH_SEED_HIGH = 0x2545f491 | 0;
export const HASH_STEP = 0x01000193;

/** Makes one number of 53 bits of the two 32-bit hashes of a text. */
export function joinHash(low: number, high: number): number {
	return (low >>> 0) * 0x20_00_00 + (high >>> 11);
}

/** The upper 32 bits of a hash of 53 bits, as a signed integer. */
export function upperHash(hash: number): number {
	return Math.floor(hash / 0x20_00_00) | 0;
}

/** The lower 21 bits of a hash of 53 bits. */
export function lowerHash(hash: number): number {
	return hash % 0x20_00_00;
}

/** The number whose upper 32 bits are `low` and whose lower 21 bits are `high`. */
export function wholeHash(low: number, high: number): number {
	return (low >>> 0) * 0x20_00_00 + high;
}

/** A hash of 32 bits for a name within what `outer` is the hash of. */
export function nestHash(outer: number, inner: number): number {
	return Math.imul(outer ^ 0x27d4eb2f, 0x85ebca6b) ^ Math.imul(inner, 0x9e3779b1);
}

/** The 53-bit hash of `bytes[from…to)`. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
	let low = HASH_SEED_LOW;
	let high = HASH_SEED_HIGH;
	for (let index = from; index < to; index++) {
		low = Math.imul(low ^ bytes[index], HASH_STEP);
		high = ((high << 5) + high) ^ bytes[index];
	}

	return joinHash(low, high);
}

/** The 53-bit hash of a text: what the tokenizer calls a key's hash, where the key has no escapes. */
export function hashText(text: Uint8Array): number {
	return hashBytes(text, 0, text.length);
}

/** The 53-bit hash of the text of the key `bytes[start…end)`, quotation marks included. */
export function hashKey(bytes: Uint8Array, start: number, end: number): number {
	for (let index = start; index < end; index++) {
		if (bytes[index] === 0x5c) {
			return hashText(decodeText(bytes, start, end));
		}
	}

	return hashBytes(bytes, start + 1, end - 1);
}
