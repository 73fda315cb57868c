/** Input that comes once: every chunk goes to a spool as it goes to the reader. */

import fs from 'node:fs';
import { copySource } from './copy.js';
import { readDescriptor } from './descriptor.js';
import { InputTooLargeError } from './errors.js';
import type { Input } from './input.js';
import { type OpenedInput, readingFailed } from './open.js';
import { Spool } from './spool.js';
import type { Sink } from './types.js';

/** Bytes. More than a pipe holds (64 KiB, as a rule): one read takes all there is. */
const CHUNK_SIZE = 128 * 1024;

/**
 * @param maxInput bytes; 0 for no limit.
 * @param directories where the spool may go.
 */
export function streamInput(
	{ descriptor, name, owned }: OpenedInput,
	maxInput: number,
	directories: readonly string[],
): Input {
	const spool = new Spool(directories);
	const buffer = Buffer.allocUnsafeSlow(CHUNK_SIZE);
	let ended = false;
	let refused: { readonly chunk: Uint8Array; readonly error: unknown } | undefined;

	function readChunk(): Uint8Array | undefined {
		if (ended) {
			return undefined;
		}

		let count: number;
		try {
			count = readDescriptor(descriptor, buffer, 0, CHUNK_SIZE, null);
		} catch (error) {
			throw readingFailed(name, error as NodeJS.ErrnoException);
		}

		ended = count === 0;
		return ended ? undefined : buffer.subarray(0, count);
	}

	function keep(chunk: Uint8Array): void {
		if (maxInput > 0 && spool.size + chunk.byteLength > maxInput) {
			throw new InputTooLargeError(maxInput);
		}

		spool.append(chunk);
	}

	return {
		source: spool,
		get size() {
			return spool.size;
		},
		next() {
			if (refused !== undefined) {
				throw refused.error;
			}

			const chunk = readChunk();
			if (chunk !== undefined) {
				try {
					keep(chunk);
				} catch (error) {
					// It is in no spool, only in our buffer, and has to come out in its turn.
					refused = { chunk, error };
					throw error;
				}
			}

			return chunk;
		},
		passThrough(sink: Sink) {
			copySource(spool, sink);
			if (refused !== undefined) {
				sink.write(refused.chunk);
			}

			for (let chunk = readChunk(); chunk !== undefined; chunk = readChunk()) {
				sink.write(chunk);
			}
		},
		verify() {
			// A spool is ours alone: nobody can change it.
		},
		close() {
			spool.close();
			if (owned) {
				fs.closeSync(descriptor);
			}
		},
	};
}
