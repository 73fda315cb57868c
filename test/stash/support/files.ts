/** Databases in the state that a test about files needs, and what is expected of a refusal. */

import { expect } from 'vitest';
import { SqliteStash } from '../../../lib/stash/sqlite/store.js';
import { payloadOf } from './payloads.js';
import { databasePath } from './places.js';

/** Expects one line that says what happened, where, and what to do. */
export function expectRefusal(action: () => unknown, kind: string, ...words: string[]): void {
	let error: unknown;
	try {
		action();
	} catch (thrown) {
		error = thrown;
	}

	expect(error).toMatchObject({ name: 'StashError', kind, message: expect.stringMatching(/^.+$/) });
	for (const word of words) {
		expect((error as Error).message).toContain(word);
	}
}

/** A database with one small payload in it, closed. */
export function stashWithPayload(path = databasePath()): { path: string; key: string } {
	const store = new SqliteStash(path);
	const [{ key }] = store.stash([payloadOf('payload')]);
	store.close();
	return { path, key };
}
