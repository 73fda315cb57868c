/**
 * Keys of objects, numbered as they are met, and which one follows which: objects that come one after another mostly
 * have the same keys in the same order, and comparing a key with the one expected is cheaper than hashing it.
 *
 * What is remembered is a cache that all readers share: it is for speed only, whatever they read meanwhile. Arrays that
 * no object holds are reached without a load or a check.
 */

import { PLAIN, QUOTE } from './bytes.js';
import { HASH_SEED_HIGH, HASH_SEED_LOW, HASH_STEP } from './hash.js';

/** Numbers of keys; 0 stands for all that have none. */
const MAX_KEYS = 1024;

/** Bytes of a key that gets a number, quotation marks included. */
const MAX_LENGTH = 64;

/** From hash to number: a quarter is taken at most. */
const SLOTS = MAX_KEYS * 4;

/** Slots looked at before a key stays without a number: keys may be made to collide. */
const MAX_PROBES = 8;

/** Objects open, one within the other, that are gone on with where they were left. */
const MAX_DEPTH = 64;

/** By number: the lexeme, `MAX_LENGTH` bytes apart, its length, and its two hashes. */
const lexemes = new Uint8Array(MAX_KEYS * MAX_LENGTH);
const lengths = new Uint8Array(MAX_KEYS);
const lows = new Int32Array(MAX_KEYS);
const highs = new Int32Array(MAX_KEYS);
const slots = new Uint16Array(SLOTS);
let count = 1;

/** The number of the key that followed last time: a key or, from `MAX_KEYS` on, the opening of an object behind it. */
const next = new Uint16Array(MAX_KEYS * 2);

export class KeyTable {
	/** Of the last key: the two 32-bit hashes of the bytes between its quotation marks; see `joinHash`. */
	low = 0;
	high = 0;

	/** What the next key follows, as an index of `next`. */
	#previous = 0;
	readonly #outer = new Uint16Array(MAX_DEPTH);

	/** An object opens in `depth` others. */
	open(depth: number): void {
		if (depth < MAX_DEPTH) {
			this.#outer[depth] = this.#previous;
		}

		this.#previous = MAX_KEYS + (this.#previous % MAX_KEYS);
	}

	/** The object that opened in `depth` others is over. */
	close(depth: number): void {
		this.#previous = depth < MAX_DEPTH ? this.#outer[depth] : 0;
	}

	/**
	 * Takes a key without escapes, all ASCII, that ends before `to`.
	 *
	 * @param from offset of its first quotation mark.
	 * @returns the offset after its last one; `from` where no such key stands there.
	 */
	take(bytes: Uint8Array, from: number, to: number): number {
		const expected = next[this.#previous];
		const length = lengths[expected];
		if (length === 0 || from + length > to || !isAt(bytes, from, expected, length)) {
			return this.#takeUnexpected(bytes, from, to);
		}

		this.#previous = expected;
		this.low = lows[expected];
		this.high = highs[expected];
		return from + length;
	}

	/** Takes a key of which no more is known than its hashes. */
	takeUnnumbered(low: number, high: number): void {
		this.#previous = 0;
		this.low = low;
		this.high = high;
	}

	#takeUnexpected(bytes: Uint8Array, from: number, to: number): number {
		let low = HASH_SEED_LOW;
		let high = HASH_SEED_HIGH;
		let end = from + 1;
		while (end < to && PLAIN[bytes[end]] === 1) {
			low = Math.imul(low ^ bytes[end], HASH_STEP);
			high = ((high << 5) + high) ^ bytes[end];
			end++;
		}

		if (end === to || bytes[end] !== QUOTE) {
			return from;
		}

		end++;
		const number = end - from <= MAX_LENGTH ? numberOf(bytes, from, end, low, high) : 0;
		next[this.#previous] = number;
		this.#previous = number;
		this.low = low;
		this.high = high;
		return end;
	}
}

function isAt(bytes: Uint8Array, from: number, number: number, length: number): boolean {
	const first = number * MAX_LENGTH;
	let index = 1;
	while (index < length && bytes[from + index] === lexemes[first + index]) {
		index++;
	}

	return index === length;
}

function numberOf(bytes: Uint8Array, from: number, end: number, low: number, high: number): number {
	for (let probe = 0; probe < MAX_PROBES; probe++) {
		const slot = (low + probe) & (SLOTS - 1);
		const number = slots[slot];
		if (number === 0) {
			return add(bytes, from, end, low, high, slot);
		}

		if (lows[number] === low && highs[number] === high) {
			return number;
		}
	}

	return 0;
}

function add(bytes: Uint8Array, from: number, end: number, low: number, high: number, slot: number): number {
	if (count === MAX_KEYS) {
		// Afresh: what was met long ago is not worth the room.
		slots.fill(0);
		next.fill(0);
		count = 1;
		return 0;
	}

	const number = count++;
	slots[slot] = number;
	lexemes.set(bytes.subarray(from, end), number * MAX_LENGTH);
	lengths[number] = end - from;
	lows[number] = low;
	highs[number] = high;
	return number;
}
