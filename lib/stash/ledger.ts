/** Remembers what a session wrote to the stash, so that what nobody gets to see can be taken back. */

import type { Payload, StashStore, StashWrite } from './types.js';

/**
 * The writes of one session, until it is decided which of them stand.
 *
 * Keys are shared by all processes that use the stash, so not every entry that a session wrote is its to delete.
 * It owns a key that it created, for as long as every later write of it continues its own last one: a gap in the
 * chain of generations means that another session refreshed the entry in between and may have shown it to
 * somebody. Such a key is let go, never adopted again by a refresh.
 */
export interface StashLedger {
	/**
	 * Stashes payloads and records the writes.
	 *
	 * @throws {StashError} as `StashStore.stash` does; nothing is recorded then.
	 */
	stash(payloads: readonly Payload[]): StashWrite[];

	/** Records a write made elsewhere in this session, in the order in which the writes were made. */
	record(write: StashWrite): void;

	/** The keys that a rollback would delete now. */
	pending(): string[];

	/**
	 * Ends the session: what the accepted output refers to stands, what this session owns beyond that is deleted,
	 * unless somebody refreshed it meanwhile.
	 *
	 * @param referenced keys in the accepted output; those that this session did not write are ignored.
	 * @returns the keys that this session wrote and that stand.
	 * @throws {StashError} when something could not be deleted; it stays pending, everything else is done.
	 */
	commit(referenced: Iterable<string>): string[];

	/**
	 * Ends the session with nothing accepted: deletes what it owns, unless somebody refreshed it meanwhile.
	 *
	 * @throws {StashError} when something could not be deleted; it stays pending, everything else is done.
	 */
	rollback(): void;

	/** Ends the session with everything accepted: forgets what was written and deletes nothing. */
	clear(): void;
}

/** Opens a ledger on a store. A ledger that ended its session is ready for the next one. */
export function createStashLedger(store: StashStore): StashLedger {
	const owned = new Map<string, bigint>();
	const written = new Set<string>();

	function record({ key, generation, created, previousGeneration }: StashWrite): void {
		written.add(key);
		if (created || (owned.has(key) && owned.get(key) === previousGeneration)) {
			owned.set(key, generation);
		} else {
			owned.delete(key);
		}
	}

	function commit(referenced: Iterable<string>): string[] {
		const accepted = new Set(referenced);
		const standing = [...written].filter((key) => accepted.has(key));
		written.clear();

		const failures: unknown[] = [];
		for (const [key, generation] of owned) {
			if (!accepted.has(key)) {
				try {
					store.deleteAtGeneration(key, generation);
				} catch (error) {
					failures.push(error);
					continue;
				}
			}

			owned.delete(key);
		}

		if (failures.length > 0) {
			throw failures[0];
		}

		return standing;
	}

	return {
		stash(payloads) {
			const writes = store.stash(payloads);
			for (const write of writes) {
				record(write);
			}

			return writes;
		},
		record,
		pending: () => [...owned.keys()],
		commit,
		rollback() {
			commit([]);
		},
		clear() {
			owned.clear();
			written.clear();
		},
	};
}
