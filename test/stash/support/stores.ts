/** The stores that share one contract, opened for one test. */

import { onTestFinished } from 'vitest';
import { MemoryStash } from '../../../lib/stash/memory.js';
import { SqliteStash } from '../../../lib/stash/sqlite/store.js';
import type { Payload, StashLimits, StashStore, StashWrite } from '../../../lib/stash/types.js';
import { setLastGeneration } from './databases.js';
import { databasePath } from './places.js';

export interface StoreOptions {
	limits?: Partial<StashLimits>;
	now?: () => number;
	lastGeneration?: bigint;
}

export const stores: Record<string, (options?: StoreOptions) => StashStore> = {
	MemoryStash: (options) => new MemoryStash(options),
	SqliteStash({ lastGeneration, ...options } = {}) {
		const path = databasePath();
		if (lastGeneration !== undefined) {
			new SqliteStash(path).close();
			setLastGeneration(path, lastGeneration);
		}

		const store = new SqliteStash(path, options);
		onTestFinished(() => store.close());
		return store;
	},
};

/** A store on a clock that stands still until it is moved. */
export function openAt(
	open: (options?: StoreOptions) => StashStore,
	start: number,
	limits: Partial<StashLimits> = {},
) {
	const clock = { now: start };
	return { clock, store: open({ limits, now: () => clock.now }) };
}

export function stashOne(store: StashStore, payload: Payload): StashWrite {
	return store.stash([payload])[0];
}
