/** Keys of the objects that are open, to find repeated ones: exactly, and in memory that does not grow with them. */

import { joinHash } from '../../json/hash.js';
import * as run from '../../json/member-run.js';
import { hasRepeats } from './repeats.js';

/** Hashes kept as they are, for all open objects together: 1 MiB. */
const MAX_STACK = 1 << 17;

/** Bits of the filter that takes the keys of larger objects: 4 MiB. */
const FILTER_BITS = 1 << 25;

/** Bits set for a key. */
const PROBES = 4;

/** Keys of one object that the filter may take for repeated; more cannot be told apart from new ones. */
const MAX_SUSPECTS = 1 << 16;

export class OpenKeys {
	#hashes = new Float64Array(256);
	#top = 0;
	readonly #base: Int32Array;

	/** Keys that may be repeated, of the objects whose keys are in the filter. */
	readonly #suspects: (Set<number> | undefined)[] = [];
	readonly #serial: Int32Array;
	#filter: Int32Array | undefined;
	#filtered = 0;
	#serials = 0;

	/** @param levels objects that may be open, one within the other. */
	constructor(levels: number) {
		this.#base = new Int32Array(levels);
		this.#serial = new Int32Array(levels);
	}

	open(level: number): void {
		this.#base[level] = this.#top;
	}

	/** Takes a key by the hash of its text. */
	add(level: number, hash: number): void {
		const top = this.#top;
		if (this.#filtered === 0 && top < this.#hashes.length) {
			this.#hashes[top] = hash;
			this.#top = top + 1;
		} else {
			this.#addSlowly(level, hash);
		}
	}

	/** Takes the keys of a run of members. */
	addRun(level: number, length: number): void {
		const top = this.#top;
		if (this.#filtered > 0 || top + length > this.#hashes.length) {
			for (let index = 0; index < length; index++) {
				this.add(level, joinHash(run.low[index], run.high[index]));
			}

			return;
		}

		const hashes = this.#hashes;
		for (let index = 0; index < length; index++) {
			hashes[top + index] = joinHash(run.low[index], run.high[index]);
		}

		this.#top = top + length;
	}

	#addSlowly(level: number, hash: number): void {
		if (this.#suspects[level] === undefined && this.#top === MAX_STACK) {
			this.#startFilter(level);
		}

		if (this.#suspects[level] !== undefined) {
			this.#filterKey(level, hash);
			return;
		}

		if (this.#top === this.#hashes.length) {
			const larger = new Float64Array(this.#hashes.length * 2);
			larger.set(this.#hashes);
			this.#hashes = larger;
		}

		this.#hashes[this.#top++] = hash;
	}

	/**
	 * Whether the object has a key twice; undefined where it has too many keys to tell.
	 *
	 * @param isRepeated reads the object's keys again and tells whether one of these hashes is there twice.
	 */
	hasRepeats(level: number, isRepeated: (suspects: ReadonlySet<number>) => boolean): boolean | undefined {
		const suspects = this.#suspects[level];
		if (suspects === undefined) {
			return hasRepeats(this.#hashes, this.#base[level], this.#top);
		}

		if (suspects.size > MAX_SUSPECTS) {
			return undefined;
		}

		return suspects.size > 0 && isRepeated(suspects);
	}

	close(level: number): void {
		this.#top = this.#base[level];
		if (this.#suspects[level] !== undefined) {
			this.#suspects[level] = undefined;
			if (--this.#filtered === 0) {
				this.#filter?.fill(0);
			}
		}
	}

	/** Moves the keys of an object into the filter. */
	#startFilter(level: number): void {
		this.#filter ??= new Int32Array(FILTER_BITS / 32);
		this.#filtered++;
		this.#suspects[level] = new Set();
		this.#serial[level] = ++this.#serials;
		for (let index = this.#base[level]; index < this.#top; index++) {
			this.#filterKey(level, this.#hashes[index]);
		}

		this.#top = this.#base[level];
	}

	#filterKey(level: number, hash: number): void {
		const filter = this.#filter as Int32Array;
		// Keys of different objects must not be taken for each other.
		const low = Math.imul(hash | 0, 0x85ebca6b) ^ Math.imul(this.#serial[level], 0x9e3779b1);
		const high = Math.imul((hash / 0x1_00_00_00_00) ^ low, 0xc2b2ae35) | 1;
		let isKnown = true;
		for (let probe = 0; probe < PROBES; probe++) {
			const bit = (low + Math.imul(probe, high)) >>> 7;
			const mask = 1 << (bit & 31);
			isKnown &&= (filter[bit >>> 5] & mask) !== 0;
			filter[bit >>> 5] |= mask;
		}

		const suspects = this.#suspects[level] as Set<number>;
		if (isKnown && suspects.size <= MAX_SUSPECTS) {
			suspects.add(hash);
		}
	}
}
