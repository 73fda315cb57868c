/** A whole source, or a part of one, into a sink. */

import type { Sink, Source } from './types.js';

/** Bytes. */
const COPY_SIZE = 256 * 1024;

/**
 * Copies `source[from…to)` to the sink in pieces of at most 256 KiB.
 *
 * @throws what the source's `read` and the sink's `write` throw.
 */
export function copySource(source: Source, sink: Sink, from = 0, to = source.size): void {
	const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(COPY_SIZE, to - from)));
	for (let position = from; position < to; ) {
		const count = source.read(buffer, 0, Math.min(buffer.byteLength, to - position), position);
		if (count === 0) {
			return;
		}

		sink.write(buffer.subarray(0, count));
		position += count;
	}
}
