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

	/** The ownership token of this write: 1 to 2^63-1, rises with every write of the store, never reused. */
	readonly generation: bigint;

	/** True where no live entry of that key existed. */
	readonly created: boolean;

	/** The generation of the live entry that this write refreshed. */
	readonly previousGeneration?: bigint | undefined;
}

/** An entry that is still alive. */
export interface StashEntry {
	readonly key: string;
	/** Length of the payload, bytes. */
	readonly size: number;
	/**
	 * The payload in order. A chunk is valid until the next one is asked for.
	 *
	 * @throws {StashError} `vanished` when the entry is deleted before the last chunk was read.
	 */
	chunks(): Iterable<Uint8Array>;
}

/** Why a key has no payload to give. */
export type Absence = 'expired' | 'unknown';

export interface StashLimits {
	/**
	 * Lifetime of an entry, milliseconds. An entry stays for one more lifetime after it expired, so that a late
	 * `retrieve` hears `expired`; it goes earlier where room is needed.
	 */
	readonly timeToLive: number;
	/** Entries kept before the expired ones, then the oldest, go. */
	readonly maxEntries: number;
	/** Bytes of payloads kept before the expired ones, then the oldest, go. */
	readonly maxBytes: number;
}

export interface StashStore {
	readonly limits: StashLimits;

	/**
	 * Writes all payloads in one transaction, or none. A payload that is alive already is refreshed: new
	 * generation, new lifetime, youngest again. Entries of this call are never evicted by it.
	 *
	 * @returns one write for each payload, in their order.
	 * @throws {StashError} when the store cannot be written, the payloads exceed its limits by themselves,
	 * or the range of generations is exhausted; nothing has changed then. What `chunks()` of a payload throws is
	 * passed on as it is, and nothing has changed either.
	 */
	stash(payloads: readonly Payload[]): StashWrite[];

	/**
	 * @param key 24 lower-case hex digits.
	 * @throws {StashError} when the store cannot be read.
	 */
	retrieve(key: string): StashEntry | Absence;

	/**
	 * Deletes the entry if its generation is still the one given.
	 *
	 * @returns whether it did.
	 * @throws {StashError} when the store cannot be written.
	 */
	deleteAtGeneration(key: string, generation: bigint): boolean;

	/**
	 * Deletes expired entries.
	 *
	 * @returns how many.
	 * @throws {StashError} when the store cannot be written.
	 */
	evictExpired(): number;

	/**
	 * Live entries.
	 *
	 * @throws {StashError} when the store cannot be read.
	 */
	count(): number;

	/** Lets go of the store. Never throws; a second call does nothing. */
	close(): void;
}
