/** How much the stores keep, how far generations reach, and the checks before a write that both stores share. */

import { StashError } from './errors.js';
import type { Payload, StashLimits } from './types.js';

/** Limits of a stash that lives in a file: 1 hour, 10,000 entries, 1 GiB. */
export const SQLITE_LIMITS: StashLimits = { timeToLive: 3_600_000, maxEntries: 10_000, maxBytes: 2 ** 30 };

/** Limits of a stash that lives in the process: 5 minutes, 1,000 entries, 64 MiB. */
export const MEMORY_LIMITS: StashLimits = { timeToLive: 300_000, maxEntries: 1000, maxBytes: 2 ** 26 };

/** The last generation there is: the largest integer that SQLite holds. */
export const MAX_GENERATION = 2n ** 63n - 1n;

/** Length of a stored chunk, bytes; the last one of a payload may be shorter. */
export const CHUNK_SIZE = 256 * 1024;

/**
 * Checks what can be known of a call before anything is written.
 *
 * @throws {StashError} `too-large` when the payloads alone exceed the limits, `mismatch` when two of them claim
 * one key for different sizes.
 */
export function checkPayloads(payloads: readonly Payload[], limits: StashLimits): void {
	const sizes = new Map<string, number>();
	let bytes = 0;
	for (const { key, size } of payloads) {
		const known = sizes.get(key);
		if (known === undefined) {
			sizes.set(key, size);
			bytes += size;
		} else if (known !== size) {
			throw new StashError('mismatch', `two payloads of one call share the key ${key}, but not the size`);
		}
	}

	if (sizes.size > limits.maxEntries) {
		throw new StashError(
			'too-large',
			`${sizes.size} payloads at once, but the stash keeps ${limits.maxEntries}; store fewer, larger ones`,
		);
	}

	if (bytes > limits.maxBytes) {
		throw new StashError(
			'too-large',
			`${bytes} bytes of payload at once, but the stash keeps ${limits.maxBytes}; raise its limit or store less`,
		);
	}
}

/**
 * Checks that the range of generations still holds those that a call needs.
 *
 * @param last the highest generation ever given.
 * @throws {StashError} `exhausted`.
 */
export function checkGenerations(last: bigint, needed: number): void {
	if (last > MAX_GENERATION - BigInt(needed)) {
		throw new StashError('exhausted', 'the stash has no generation left to give; start a new one');
	}
}
