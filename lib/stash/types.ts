/** What every stash store offers, and the words the stash speaks. Knows nothing of what a payload holds. */

/** Bytes to be kept, addressed by their content. */
export interface Payload {
	/** `payloadKey` of the bytes: 24 lower-case hex digits. */
	readonly key: string;

	/** Length of the payload, bytes. */
	readonly size: number;

	/** What was left out, in one word: `records`, `items`, `string`, `subtree`, … */
	readonly kind: string;

	/** The command or tool whose output it was. */
	readonly origin: string;

	/** The session it belongs to, where the caller named one. */
	readonly session?: string | undefined;

	/** The bytes in order. A chunk is valid until the next one is asked for. May be called more than once. */
	chunks(): Iterable<Uint8Array>;
}

/** What a store did with one payload. */
export interface StashWrite {
	readonly key: string;

	/** The ownership token of this write: rises with every write of the store, never reused. */
	readonly generation: number;

	/** True where no live entry of that key existed. */
	readonly created: boolean;

	/** The generation of the live entry that this write refreshed. */
	readonly previousGeneration?: number | undefined;
}

/** An entry that is still alive. */
export interface StashEntry {
	readonly key: string;
	/** Length of the payload, bytes. */
	readonly size: number;
	/** The payload in order. A chunk is valid until the next one is asked for. */
	chunks(): Iterable<Uint8Array>;
}

/** Why a key has no payload to give. */
export type Absence = 'expired' | 'unknown';

export interface StashLimits {
	/** Lifetime of an entry, milliseconds. */
	readonly timeToLive: number;
	/** Live entries kept before the oldest go. */
	readonly maxEntries: number;
	/** Bytes of live payloads kept before the oldest go. */
	readonly maxBytes: number;
}

export interface StashStore {
	readonly limits: StashLimits;

	/**
	 * Writes all payloads in one transaction, or none. Entries of this call are never evicted by it.
	 *
	 * @throws {StashError} when the store cannot be written, the payloads exceed its limits by themselves,
	 * or the range of generations is exhausted; nothing has changed then.
	 */
	stash(payloads: readonly Payload[]): StashWrite[];

	/** @throws {StashError} when the store cannot be read. */
	retrieve(key: string): StashEntry | Absence;

	/** Deletes the entry if its generation is still the one given. @returns whether it did. */
	deleteAtGeneration(key: string, generation: number): boolean;

	/** Deletes expired entries. @returns how many. */
	evictExpired(): number;

	/** Live entries. */
	count(): number;

	close(): void;
}
