/** The input of a command: standard input or a file, once in order, then anywhere. */

import fs from 'node:fs';
import { fileInput } from './file-input.js';
import { openDescriptor } from './open.js';
import { streamInput } from './stream-input.js';
import type { Sink, Source } from './types.js';

export interface InputOptions {
	/** The file to read. Standard input where it is left out, or named (`-`, `/dev/stdin`). */
	readonly file?: string | undefined;
	/** Bytes; 0 for no limit. */
	readonly maxInput: number;
	/** Where a stream may be kept, best first. A missing one is created with mode 0700. */
	readonly spoolDirectories: readonly string[];
	/** The descriptor of standard input; 0 unless told. */
	readonly stdin?: number | undefined;
}

export interface Input {
	/** Everything that `next` has returned, at any position; of a file, all of it from the start. */
	readonly source: Source;

	/** Bytes in `source`. */
	readonly size: number;

	/**
	 * The next chunk, at most 128 KiB, valid until the next call; `undefined` at the end.
	 *
	 * @throws {InputTooLargeError} when the input goes beyond the limit, and
	 * @throws {SpoolFullError} when there is no room to keep it: call `passThrough` in either case.
	 * @throws {SourceError} when it cannot be read, or a file changed.
	 */
	next(): Uint8Array | undefined;

	/**
	 * Writes the whole input to the sink: what was read so far, then what is still to come. At any time, but once.
	 *
	 * @throws {SourceError} when it cannot be read, or a file became shorter; and what the sink throws.
	 */
	passThrough(sink: Sink): void;

	/**
	 * Call when the last byte has been read, before the first is written.
	 *
	 * @throws {SourceError} of kind `changed` when a file read in place is not the one that was opened.
	 */
	verify(): void;

	/** Gives back what the input holds. Standard input stays open. */
	close(): void;
}

/**
 * Opens the input. Reads are synchronous and deliberately not `process.stdin`, which costs memory.
 *
 * A regular file is read in place, also as standard input if nothing of it has been read yet. All else (pipes, FIFOs,
 * sockets, devices) is a stream and kept in a spool as it is read.
 *
 * @throws {SourceError} when there is nothing to read: a file that is missing, forbidden, a directory or larger than
 * the limit; standard input that is a terminal or closed.
 */
export function openInput(options: InputOptions): Input {
	const opened = openDescriptor(options.file, options.stdin ?? 0);
	try {
		return opened.inPlace
			? fileInput(opened, options.maxInput)
			: streamInput(opened, options.maxInput, options.spoolDirectories);
	} catch (error) {
		if (opened.owned) {
			fs.closeSync(opened.descriptor);
		}

		throw error;
	}
}
