/** A regular file read in place, which has to stay as it was when it was opened. */

import fs from 'node:fs';
import { readDescriptor } from './descriptor.js';
import { SourceError } from './errors.js';
import { readingFailed } from './open.js';
import type { Source } from './types.js';

/** The part of a regular file that was there when it was opened. */
export class FileSource implements Source {
	readonly descriptor: number;
	readonly #name: string;
	readonly #statusAtOpen: fs.BigIntStats;
	#size: number;

	/**
	 * @param descriptor open for reading; the caller closes it.
	 * @param name how messages call the file, quoted where it needs it.
	 * @throws {SourceError} when the descriptor has no status to give.
	 */
	constructor(descriptor: number, name: string) {
		this.descriptor = descriptor;
		this.#name = name;
		this.#statusAtOpen = this.#status();
		this.#size = Number(this.#statusAtOpen.size);
	}

	get size(): number {
		return this.#size;
	}

	read(target: Uint8Array, offset: number, length: number, position: number): number {
		const wanted = Math.min(length, this.#size - position);
		let copied = 0;
		while (copied < wanted) {
			const count = this.#readSome(target, offset + copied, wanted - copied, position + copied);
			if (count === 0) {
				this.verify();
				// Unchanged, yet shorter than it declares: files of the kernel's own are like that.
				this.#size = Math.min(this.#size, position + copied);
				break;
			}

			copied += count;
		}

		return copied;
	}

	/**
	 * Call when everything has been read: what was read before and after a change does not belong together.
	 *
	 * @throws {SourceError} of kind `changed` when size or modification time are no longer those at opening.
	 */
	verify(): void {
		const now = this.#status();
		if (now.size !== this.#statusAtOpen.size || now.mtimeNs !== this.#statusAtOpen.mtimeNs) {
			throw new SourceError(
				'changed',
				`${this.#name} changed while it was being read: try again once nothing writes to it, or give a copy`,
			);
		}
	}

	#readSome(target: Uint8Array, offset: number, length: number, position: number): number {
		try {
			return readDescriptor(this.descriptor, target, offset, length, position);
		} catch (error) {
			throw readingFailed(this.#name, error as NodeJS.ErrnoException);
		}
	}

	#status(): fs.BigIntStats {
		try {
			return fs.fstatSync(this.descriptor, { bigint: true });
		} catch (error) {
			throw readingFailed(this.#name, error as NodeJS.ErrnoException);
		}
	}
}
