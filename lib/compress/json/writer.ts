/** Where the reduction puts its result: counted always, written on where there is a sink. */

import { Compactor } from '../../json/compact.js';
import { TextCount } from '../../measure/estimate.js';
import type { Sink, Source } from '../../source/types.js';

const BLOCK = 64 * 1024;

/** Bytes that are copied one by one: to make a view of an array takes as long as some hundred of them. */
const SHORT = 64;

/** Ends a measurement: more than the bound has been written. */
export interface Bound {
	readonly characters?: number;
	readonly tokens?: number;
}

export class Writer {
	#count = new TextCount();
	readonly #block = new Uint8Array(BLOCK);
	readonly #sink: Sink | undefined;
	#characters: number;
	#tokens: number;
	#used = 0;

	/**
	 * @param sink where the bytes go; undefined to count them only.
	 * @param bound when to report `isExceeded`.
	 */
	constructor(sink: Sink | undefined, bound: Bound = {}) {
		this.#sink = sink;
		this.#characters = bound.characters ?? Infinity;
		this.#tokens = bound.tokens ?? Infinity;
	}

	/** Unicode scalar values written. */
	get characters(): number {
		this.flush();
		return this.#count.characters;
	}

	/** Estimated tokens written. */
	get tokens(): number {
		this.flush();
		return this.#count.tokens;
	}

	/** Whether more than the bound has been written. */
	get isExceeded(): boolean {
		const most = this.#count.characters + this.#used;
		if (most <= this.#characters && most <= this.#tokens) {
			return false;
		}

		this.flush();
		return this.#count.characters > this.#characters || this.#count.tokens > this.#tokens;
	}

	/** Forgets what was written, to measure something else. */
	restart(bound: Bound): void {
		this.#count = new TextCount();
		this.#characters = bound.characters ?? Infinity;
		this.#tokens = bound.tokens ?? Infinity;
		this.#used = 0;
	}

	byte(byte: number): void {
		if (this.#used === BLOCK) {
			this.flush();
		}

		this.#block[this.#used++] = byte;
	}

	text(text: string): void {
		const bytes = Buffer.from(text);
		this.bytes(bytes, 0, bytes.length);
	}

	/** Writes `bytes[from…to)` as they stand. */
	bytes(bytes: Uint8Array, from: number, to: number): void {
		let index = from;
		if (to - from <= Math.min(SHORT, BLOCK - this.#used)) {
			const block = this.#block;
			let used = this.#used;
			while (index < to) {
				block[used++] = bytes[index++];
			}

			this.#used = used;
			return;
		}

		while (index < to) {
			if (this.#used === BLOCK) {
				this.flush();
			}

			const length = Math.min(to - index, BLOCK - this.#used);
			this.#block.set(bytes.subarray(index, index + length), this.#used);
			this.#used += length;
			index += length;
		}
	}

	/** Writes the whole value `bytes[from…to)` without white space between its lexemes. */
	compact(bytes: Uint8Array, from: number, to: number): void {
		const compactor = new Compactor();
		let index = from;
		while (index < to) {
			if (this.#used === BLOCK) {
				this.flush();
			}

			const length = Math.min(to - index, BLOCK - this.#used);
			this.#used = compactor.write(bytes, index, index + length, this.#block, this.#used);
			index += length;
		}
	}

	/** Writes the lexemes between two absolute offsets of a source, without white space between them. */
	compactFrom(source: Source, start: number, end: number): void {
		const compactor = new Compactor();
		this.#from(source, start, end, (bytes, length) => {
			if (BLOCK - this.#used < length) {
				this.flush();
			}

			this.#used = compactor.write(bytes, 0, length, this.#block, this.#used);
		});
	}

	/** Writes the bytes between two absolute offsets of a source as they stand. */
	bytesFrom(source: Source, start: number, end: number): void {
		this.#from(source, start, end, (bytes, length) => {
			this.bytes(bytes, 0, length);
		});
	}

	flush(): void {
		if (this.#used > 0) {
			this.#count.add(this.#block, 0, this.#used);
			this.#sink?.write(this.#block.subarray(0, this.#used));
			this.#used = 0;
		}
	}

	#from(source: Source, start: number, end: number, take: (bytes: Uint8Array, length: number) => void): void {
		const bytes = new Uint8Array(Math.min(BLOCK / 2, end - start));
		for (let position = start; position < end && !this.isExceeded; ) {
			const length = source.read(bytes, 0, Math.min(bytes.length, end - position), position);
			if (length === 0) {
				return;
			}

			take(bytes, length);
			position += length;
		}
	}
}
