/** Input that stays where it is: a regular file, read in place. */

import fs from 'node:fs';
import { formatSize } from '../config/size.js';
import { copySource } from './copy.js';
import { InputTooLargeError, SourceError } from './errors.js';
import { FileSource } from './file.js';
import type { Input } from './input.js';
import type { OpenedInput } from './open.js';
import type { Sink } from './types.js';

/** Bytes. */
const CHUNK_SIZE = 128 * 1024;

/**
 * @param maxInput bytes; 0 for no limit. A named file beyond it is an error at once; standard input beyond it is one at
 * the first `next()`, to be passed through as any standard input.
 * @throws {SourceError} of kind `too-large`.
 */
export function fileInput({ descriptor, name, owned, isFile }: OpenedInput, maxInput: number): Input {
	const source = new FileSource(descriptor, name);
	const tooLarge = maxInput > 0 && source.size > maxInput;
	if (tooLarge && isFile) {
		throw new SourceError(
			'too-large',
			`${name} has ${formatSize(source.size)}, more than ${formatSize(maxInput)}; raise --max-input (0 for no limit)`,
		);
	}

	let buffer: Buffer | undefined;
	let position = 0;

	return {
		source,
		get size() {
			return source.size;
		},
		next() {
			if (tooLarge) {
				throw new InputTooLargeError(maxInput);
			}

			buffer ??= Buffer.allocUnsafeSlow(Math.min(CHUNK_SIZE, source.size));
			const count = source.read(buffer, 0, buffer.byteLength, position);
			position += count;
			return count === 0 ? undefined : buffer.subarray(0, count);
		},
		passThrough(sink: Sink) {
			copySource(source, sink);
		},
		verify() {
			source.verify();
		},
		close() {
			if (owned) {
				fs.closeSync(descriptor);
			}
		},
	};
}
