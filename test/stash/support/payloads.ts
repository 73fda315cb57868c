/** Payloads as a compressor would hand them over, and the way back to their bytes. */

import { createKeyHasher } from '../../../lib/stash/keys.js';
import type { Absence, Payload, StashEntry, StashStore } from '../../../lib/stash/types.js';

const hasher = await createKeyHasher();

/** A payload of text or bytes that are at hand. */
export function payloadOf(content: string | Uint8Array, more: Partial<Payload> = {}): Payload {
	const bytes = typeof content === 'string' ? Buffer.from(content) : content;
	return {
		key: hasher.keyOf([bytes]),
		size: bytes.length,
		kind: 'items',
		origin: 'test',
		chunks: () => [bytes],
		...more,
	};
}

/**
 * A payload of any size in no memory to speak of: 64 KiB that say `label`, again and again.
 *
 * @param size bytes.
 */
export function largePayload(label: string, size: number): Payload {
	const piece = Buffer.alloc(65_536, `${label} `);
	function* chunks(): Generator<Uint8Array> {
		for (let done = 0; done < size; done += piece.length) {
			yield piece.subarray(0, size - done);
		}
	}

	return { key: hasher.keyOf(chunks()), size, kind: 'items', origin: 'test', chunks };
}

/** The key of what an entry gives back. */
export function keyOfEntry(entry: StashEntry | Absence): string {
	return typeof entry === 'string' ? entry : hasher.keyOf(entry.chunks());
}

/** What the store has under a key, as text, or why it has nothing. */
export function textOf(store: StashStore, key: string): string {
	const entry = store.retrieve(key);
	return typeof entry === 'string'
		? `(${entry})`
		: Buffer.concat(Array.from(entry.chunks(), (chunk) => chunk.slice())).toString();
}
