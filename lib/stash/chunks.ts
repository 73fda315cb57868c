/** Cuts a payload that comes in pieces of any size into chunks of the size that is stored. */

import { StashError } from './errors.js';
import { CHUNK_SIZE } from './limits.js';
import type { Payload } from './types.js';

/**
 * Yields the payload in chunks of `CHUNK_SIZE`, the last one shorter. A chunk is valid until the next one is
 * asked for.
 *
 * @throws {StashError} `mismatch` when there are more or fewer bytes than the payload declared.
 */
export function* storedChunks(payload: Payload): Generator<Uint8Array> {
	let buffer: Uint8Array | undefined;
	let filled = 0;
	let total = 0;

	for (const piece of payload.chunks()) {
		total += piece.length;
		if (total > payload.size) {
			throw mismatch(payload);
		}

		let from = 0;
		while (from < piece.length) {
			if (filled === 0 && piece.length - from >= CHUNK_SIZE) {
				yield piece.subarray(from, from + CHUNK_SIZE);
				from += CHUNK_SIZE;
				continue;
			}

			buffer ??= new Uint8Array(Math.min(CHUNK_SIZE, payload.size));
			const part = piece.subarray(from, from + CHUNK_SIZE - filled);
			buffer.set(part, filled);
			filled += part.length;
			from += part.length;
			if (filled === CHUNK_SIZE) {
				yield buffer;
				filled = 0;
			}
		}
	}

	if (total !== payload.size) {
		throw mismatch(payload);
	}

	if (buffer !== undefined && filled > 0) {
		yield buffer.subarray(0, filled);
	}
}

function mismatch({ key, size }: Payload): StashError {
	return new StashError('mismatch', `the payload ${key} is not of the ${size} bytes it was announced with`);
}
