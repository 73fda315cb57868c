/** A stash that lives and ends with the process. */

import { storedChunks } from './chunks.js';
import { StashError } from './errors.js';
import { checkGenerations, checkPayloads, MEMORY_LIMITS } from './limits.js';
import type { Absence, Payload, StashEntry, StashLimits, StashStore, StashWrite } from './types.js';

export interface MemoryStashOptions {
	/** Those not given are `MEMORY_LIMITS`. */
	readonly limits?: Partial<StashLimits> | undefined;

	/** The clock, milliseconds since the epoch. */
	readonly now?: (() => number) | undefined;

	/** The generation after which this stash begins to count: 0 unless it continues another. */
	readonly lastGeneration?: bigint | undefined;
}

interface Kept {
	readonly chunks: readonly Uint8Array[];
	readonly size: number;
	readonly generation: bigint;
	/** The last millisecond of its life. */
	readonly expires: number;
}

/** A stash in memory: 5 minutes, 1,000 entries, 64 MiB unless told otherwise. */
export class MemoryStash implements StashStore {
	readonly limits: StashLimits;
	readonly #now: () => number;
	#lastGeneration: bigint;
	#closed = false;

	// A refreshed entry is taken out and put in again, so the order of the map is the order of the queue.
	#entries = new Map<string, Kept>();

	constructor(options: MemoryStashOptions = {}) {
		this.limits = { ...MEMORY_LIMITS, ...options.limits };
		this.#now = options.now ?? Date.now;
		this.#lastGeneration = options.lastGeneration ?? 0n;
	}

	stash(payloads: readonly Payload[]): StashWrite[] {
		this.#assertOpen();
		checkPayloads(payloads, this.limits);
		checkGenerations(this.#lastGeneration, payloads.length);

		// A payload may fail while it is read: all are read before anything changes.
		const now = this.#now();
		const copies = new Map<string, readonly Uint8Array[]>();
		for (const payload of payloads) {
			if (!copies.has(payload.key)) {
				const kept = this.#entries.get(payload.key);
				copies.set(payload.key, kept?.size === payload.size ? kept.chunks : copyOf(payload));
			}
		}

		this.#deleteExpiredBefore(now - this.limits.timeToLive);
		const before = this.#lastGeneration;
		const writes = payloads.map(({ key, size }): StashWrite => {
			const previous = this.#live(key, now);
			const generation = ++this.#lastGeneration;
			this.#entries.delete(key);
			this.#entries.set(key, {
				chunks: copies.get(key) ?? [],
				size,
				generation,
				expires: now + this.limits.timeToLive,
			});
			return previous === undefined
				? { key, generation, created: true }
				: { key, generation, created: false, previousGeneration: previous.generation };
		});
		this.#makeRoom(now, before);
		return writes;
	}

	retrieve(key: string): StashEntry | Absence {
		this.#assertOpen();
		const kept = this.#entries.get(key);
		if (kept === undefined) {
			return 'unknown';
		}

		return kept.expires < this.#now() ? 'expired' : { key, size: kept.size, chunks: () => kept.chunks };
	}

	deleteAtGeneration(key: string, generation: bigint): boolean {
		this.#assertOpen();
		return this.#entries.get(key)?.generation === generation && this.#entries.delete(key);
	}

	evictExpired(): number {
		this.#assertOpen();
		return this.#deleteExpiredBefore(this.#now());
	}

	count(): number {
		this.#assertOpen();
		const now = this.#now();
		let live = 0;
		for (const { expires } of this.#entries.values()) {
			live += expires < now ? 0 : 1;
		}

		return live;
	}

	close(): void {
		this.#closed = true;
		this.#entries.clear();
	}

	#assertOpen(): void {
		if (this.#closed) {
			throw new StashError('closed', 'the stash in memory was closed');
		}
	}

	#live(key: string, now: number): Kept | undefined {
		const kept = this.#entries.get(key);
		return kept === undefined || kept.expires < now ? undefined : kept;
	}

	#deleteExpiredBefore(time: number): number {
		let deleted = 0;
		for (const [key, { expires }] of this.#entries) {
			if (expires < time) {
				this.#entries.delete(key);
				deleted++;
			}
		}

		return deleted;
	}

	/** Evicts the expired, then the oldest, but nothing of a generation after `own`. */
	#makeRoom(now: number, own: bigint): void {
		let bytes = 0;
		for (const { size } of this.#entries.values()) {
			bytes += size;
		}

		for (const mayEvict of [(kept: Kept) => kept.expires < now, () => true]) {
			for (const [key, kept] of this.#entries) {
				if (this.#entries.size <= this.limits.maxEntries && bytes <= this.limits.maxBytes) {
					return;
				}

				if (kept.generation <= own && mayEvict(kept)) {
					this.#entries.delete(key);
					bytes -= kept.size;
				}
			}
		}
	}
}

function copyOf(payload: Payload): Uint8Array[] {
	return Array.from(storedChunks(payload), (chunk) => chunk.slice());
}
