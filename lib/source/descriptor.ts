/**
 * Synchronous reading and writing of descriptors. Deliberately not `process.stdin` and `process.stdout`, whose queues
 * grow with the input.
 */

import fs from 'node:fs';
import { systemReason } from '../config/reason.js';
import { ClosedPipeError, SinkError } from './errors.js';
import type { Sink } from './types.js';

const SHORTEST_WAIT = 1;
const LONGEST_WAIT = 20;

const waitCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Calls `operation` until it neither was interrupted nor would block. A non-blocking pipe that has nothing to give (the
 * other end made it so: it is shared) is waited for asleep, 1 ms first, 20 ms at most; Node has no synchronous poll.
 */
function whenReady(operation: () => number): number {
	for (let wait = SHORTEST_WAIT; ; ) {
		try {
			return operation();
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === 'EAGAIN') {
				Atomics.wait(waitCell, 0, 0, wait);
				wait = Math.min(wait * 2, LONGEST_WAIT);
			} else if (code !== 'EINTR') {
				throw error;
			}
		}
	}
}

/**
 * One read, as soon as there is something to read.
 *
 * @param position byte offset in the file; `null` for the next bytes of a stream.
 * @returns the number of bytes read, at least 1; 0 at the end.
 * @throws {NodeJS.ErrnoException} as `read` does, save `EAGAIN` and `EINTR`.
 */
export function readDescriptor(
	descriptor: number,
	target: Uint8Array,
	offset: number,
	length: number,
	position: number | null,
): number {
	return whenReady(() => fs.readSync(descriptor, target, offset, length, position));
}

/**
 * Writes all of `bytes`, in as many pieces as it takes.
 *
 * @param position byte offset in the file; `null` for the next place of a stream.
 * @throws {NodeJS.ErrnoException} as `write` does, save `EAGAIN` and `EINTR`; a part may have been written then.
 */
export function writeDescriptor(descriptor: number, bytes: Uint8Array, position: number | null): void {
	for (let written = 0; written < bytes.byteLength; ) {
		const place = position === null ? null : position + written;
		written += whenReady(() => fs.writeSync(descriptor, bytes, written, bytes.byteLength - written, place));
	}
}

/**
 * A sink that writes to a descriptor at once. It keeps nothing back and knows no end; small pieces are better gathered
 * before, as each is a system call.
 *
 * `write` throws {@link ClosedPipeError} when the reader has gone, {@link SinkError} when the output cannot be written.
 */
export function fdSink(descriptor: number): Sink {
	return {
		write(bytes) {
			try {
				writeDescriptor(descriptor, bytes, null);
			} catch (error) {
				const { code } = error as NodeJS.ErrnoException;
				if (code === 'EPIPE' || code === 'ECONNRESET') {
					throw new ClosedPipeError({ cause: error });
				}

				throw new SinkError(`cannot write the output: ${systemReason(error)}`, { cause: error });
			}
		},
	};
}
