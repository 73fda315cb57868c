/** A source that is still being filled: in memory while it is small, then in a file without a name. */

import fs from 'node:fs';
import { systemReason } from '../config/reason.js';
import { readDescriptor, writeDescriptor } from './descriptor.js';
import { SourceError, SpoolFullError } from './errors.js';
import { openTemporaryFile } from './temporary-file.js';
import type { Sink, Source } from './types.js';

const SMALLEST_MEMORY = 16 * 1024;
const LARGEST_MEMORY = 1024 * 1024;

/** Takes bytes in order and gives back any of those it has taken. Append in large pieces: each may be a system call. */
export class Spool implements Source, Sink {
	readonly #directories: readonly string[];
	#memory: Buffer | undefined = Buffer.alloc(0);
	#descriptor: number | undefined;
	#size = 0;

	/** @param directories where the file goes once it is needed; see `openTemporaryFile`. */
	constructor(directories: readonly string[]) {
		this.#directories = directories;
	}

	/** Bytes taken so far. */
	get size(): number {
		return this.#size;
	}

	/**
	 * Takes all of `bytes`, or none.
	 *
	 * @throws {SpoolFullError} when there is no room for them; what was appended before is still readable.
	 */
	append(bytes: Uint8Array): void {
		const end = this.#size + bytes.byteLength;
		if (this.#memory !== undefined && end <= LARGEST_MEMORY) {
			this.#memory = grown(this.#memory, this.#size, end);
			this.#memory.set(bytes, this.#size);
		} else {
			// A write that fails half-way leaves bytes beyond `size`, which the next one overwrites.
			this.#write(this.#descriptor ?? this.#moveToDisk(), bytes, this.#size);
		}

		this.#size = end;
	}

	/** The same as {@link append}, as a sink has it. */
	write(bytes: Uint8Array): void {
		this.append(bytes);
	}

	read(target: Uint8Array, offset: number, length: number, position: number): number {
		const wanted = Math.min(length, this.#size - position);
		if (wanted <= 0) {
			return 0;
		}

		return this.#memory === undefined
			? this.#readFile(target, offset, wanted, position)
			: this.#memory.copy(target, offset, position, position + wanted);
	}

	/** Gives memory and file back. Nothing can be read afterwards. */
	close(): void {
		if (this.#descriptor !== undefined) {
			fs.closeSync(this.#descriptor);
		}

		this.#descriptor = undefined;
		this.#memory = Buffer.alloc(0);
		this.#size = 0;
	}

	#moveToDisk(): number {
		const descriptor = openTemporaryFile(this.#directories);
		const memory = this.#memory as Buffer;
		try {
			this.#write(descriptor, memory.subarray(0, this.#size), 0);
		} catch (error) {
			fs.closeSync(descriptor);
			throw error;
		}

		this.#memory = undefined;
		this.#descriptor = descriptor;
		return descriptor;
	}

	#write(descriptor: number, bytes: Uint8Array, position: number): void {
		try {
			writeDescriptor(descriptor, bytes, position);
		} catch (error) {
			throw new SpoolFullError(`the temporary file takes no more: ${systemReason(error)}`, {
				cause: error,
			});
		}
	}

	#readFile(target: Uint8Array, offset: number, wanted: number, position: number): number {
		let copied = 0;
		while (copied < wanted) {
			let count: number;
			try {
				count = readDescriptor(
					this.#descriptor as number,
					target,
					offset + copied,
					wanted - copied,
					position + copied,
				);
			} catch (error) {
				throw unreadable(systemReason(error), error);
			}

			if (count === 0) {
				throw unreadable('it is shorter than what was written to it', undefined);
			}

			copied += count;
		}

		return copied;
	}
}

/** `memory` with room for `end` bytes, the first `used` of which are kept. */
function grown(memory: Buffer, used: number, end: number): Buffer {
	if (end <= memory.byteLength) {
		return memory;
	}

	const capacity = Math.min(LARGEST_MEMORY, Math.max(SMALLEST_MEMORY, memory.byteLength * 4, end));
	const larger = Buffer.allocUnsafeSlow(capacity);
	memory.copy(larger, 0, 0, used);
	return larger;
}

function unreadable(reason: string, cause: unknown): SourceError {
	return new SourceError('unreadable', `cannot read the temporary file again: ${reason}`, { cause });
}
