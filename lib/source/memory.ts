/** Bytes that are in memory already, as a source. */

import type { Source } from './types.js';

/** A source over `bytes`, which must not change while it is used. Nothing is copied. */
export function memorySource(bytes: Uint8Array): Source {
	const size = bytes.byteLength;
	return {
		size,
		read(target, offset, length, position) {
			const end = Math.min(size, position + length);
			if (end <= position) {
				return 0;
			}

			target.set(bytes.subarray(position, end), offset);
			return end - position;
		},
	};
}
