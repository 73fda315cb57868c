/** Where a shape is written: a descriptor, filled in large pieces, that knows how far it has come. */

import { createHash } from 'node:crypto';
import fs from 'node:fs';

const PIECE = 1024 * 1024;

export class Output {
	/** Bytes so far. */
	position = 0;

	#descriptor;
	#pending = [];
	#pendingBytes = 0;
	#hash = createHash('sha256');

	/** @param {number} descriptor of a file or a pipe that blocks; stays open. */
	constructor(descriptor) {
		this.#descriptor = descriptor;
	}

	/** @param {string} text */
	write(text) {
		const bytes = Buffer.byteLength(text);
		this.position += bytes;
		this.#pending.push(text);
		this.#pendingBytes += bytes;
		if (this.#pendingBytes >= PIECE) {
			this.flush();
		}
	}

	/** Adds to what `digest` hashes, which need not be what is written. */
	hash(text) {
		this.#hash.update(text);
	}

	digest() {
		return this.#hash.digest('hex');
	}

	flush() {
		const bytes = Buffer.from(this.#pending.join(''));
		for (let offset = 0; offset < bytes.length; ) {
			offset += fs.writeSync(this.#descriptor, bytes, offset);
		}

		this.#pending = [];
		this.#pendingBytes = 0;
	}
}

/** Items that `compress-response` keeps of each end of an array that is not one of records. */
const HEAD = 32;
const TAIL = 8;

/**
 * Writes an array that fills `size` bytes or holds `limit` items, whichever comes first.
 *
 * @param {(index: number) => string} itemAt
 * @returns how many items there are, and the byte range of those between the ends that are kept.
 */
export function writeArray(output, size, itemAt, limit = Infinity) {
	const ends = [];
	let from = 0;
	let count = 0;
	output.write('[');
	for (; count < limit; count++) {
		const item = itemAt(count);
		if (output.position + Buffer.byteLength(item) + 2 > size) {
			break;
		}

		if (count > 0) {
			output.write(',');
		}

		if (count === HEAD) {
			from = output.position;
		}

		output.write(item);
		ends[count % (TAIL + 1)] = output.position;
	}

	output.write(']');
	return { count, middle: { from, to: ends[(count - 1 - TAIL) % (TAIL + 1)] } };
}
