/** Who owns what a session wrote, and what becomes of it in the end. */

import { expect, onTestFinished, test } from 'vitest';
import { createStashLedger } from '../../lib/stash/ledger.js';
import { MemoryStash } from '../../lib/stash/memory.js';
import { SqliteStash } from '../../lib/stash/sqlite/store.js';
import { payloadOf, textOf } from './support/payloads.js';
import { databasePath } from './support/places.js';
import { holdLock, openSession } from './support/sessions.js';

const P = payloadOf('P');
const Q = payloadOf('Q');

function openLedger(store = new MemoryStash()) {
	return { store, ledger: createStashLedger(store) };
}

test('a rollback deletes what the session created', () => {
	const { store, ledger } = openLedger();
	ledger.stash([P, Q]);
	ledger.rollback();
	expect(store.count()).toBe(0);
});

test('a rollback leaves what the session only refreshed', () => {
	const { store, ledger } = openLedger();
	store.stash([P]);
	ledger.stash([P]);
	ledger.stash([P]);
	ledger.rollback();
	expect(textOf(store, P.key)).toBe('P');
});

test('a session that refreshes what it created owns it still', () => {
	const { store, ledger } = openLedger();
	ledger.stash([P, P]);
	ledger.stash([P]);
	expect(ledger.pending()).toEqual([P.key]);
	ledger.rollback();
	expect(store.count()).toBe(0);
});

test('a session that created a key anew after it was gone owns the new one', () => {
	const { store, ledger } = openLedger();
	const [{ key, generation }] = ledger.stash([P]);
	store.deleteAtGeneration(key, generation);
	ledger.stash([P]);
	ledger.rollback();
	expect(store.count()).toBe(0);
});

test('what somebody refreshed after the last write of the session is not deleted', () => {
	const { store, ledger } = openLedger();
	ledger.stash([P]);
	store.stash([P]);
	ledger.rollback();
	expect(textOf(store, P.key)).toBe('P');
});

test('what somebody refreshed between two writes of the session is let go, and never adopted again', () => {
	const { store, ledger } = openLedger();
	ledger.stash([P]);
	store.stash([P]);
	ledger.stash([P]);
	expect(ledger.pending()).toEqual([]);
	ledger.stash([P]);
	expect(ledger.pending()).toEqual([]);
	ledger.rollback();
	expect(textOf(store, P.key)).toBe('P');
});

test('a commit keeps what the output refers to and deletes the rest', () => {
	const { store, ledger } = openLedger();
	ledger.stash([P, Q]);
	expect(ledger.commit([P.key])).toEqual([P.key]);
	expect([P, Q].map(({ key }) => textOf(store, key))).toEqual(['P', '(unknown)']);
});

test('a commit counts what the session wrote and the output refers to, whoever created it', () => {
	const { store, ledger } = openLedger();
	store.stash([P]);
	ledger.stash([P, Q]);
	expect(ledger.commit([Q.key, P.key, payloadOf('of an earlier output').key])).toEqual([P.key, Q.key]);
	expect(store.count()).toBe(2);
});

test('after a commit, a rollback or a clear the next session begins', () => {
	const { store, ledger } = openLedger();
	ledger.stash([P]);
	ledger.commit([P.key]);
	ledger.rollback();
	expect(store.count()).toBe(1);

	ledger.stash([Q]);
	ledger.clear();
	ledger.rollback();
	expect(store.count()).toBe(2);
	expect(ledger.commit([P.key, Q.key])).toEqual([]);
});

test('a write that failed leaves no claim', () => {
	const { store, ledger } = openLedger(new MemoryStash({ limits: { maxEntries: 1 } }));
	expect(() => ledger.stash([P, Q])).toThrow(expect.objectContaining({ kind: 'too-large' }));
	store.stash([P]);
	ledger.rollback();
	expect(store.count()).toBe(1);
});

test('what could not be deleted stays pending', async () => {
	const path = databasePath();
	const store = new SqliteStash(path, { busyTimeout: 10 });
	onTestFinished(() => store.close());
	const ledger = createStashLedger(store);
	ledger.stash([P, Q]);

	const unlock = await holdLock(path);
	expect(() => ledger.commit([P.key])).toThrow(expect.objectContaining({ kind: 'locked' }));
	expect(ledger.pending()).toEqual([Q.key]);
	await unlock();
	ledger.rollback();
	expect([P, Q].map(({ key }) => textOf(store, key))).toEqual(['P', '(unknown)']);
});

test('two processes: A creates, B refreshes and emits, A stashes again and rolls back: the row of B stands', async () => {
	const path = databasePath();
	const a = await openSession(path);
	const b = await openSession(path);

	const [created] = await a.stash('P');
	const [refreshed] = await b.stash('P');
	expect(refreshed).toEqual({
		key: P.key,
		generation: 2n,
		created: false,
		previousGeneration: created.generation,
	});
	expect(await b.commit([P.key])).toEqual([P.key]);
	await a.stash('P');
	await a.rollback();
	expect(await b.text(P.key)).toBe('P');
});

test('two processes: A creates, B refreshes and emits, A rolls back: the row of B stands', async () => {
	const path = databasePath();
	const a = await openSession(path);
	const b = await openSession(path);

	await a.stash('P', 'Q');
	await b.stash('P');
	await b.commit([P.key]);
	await a.rollback();
	expect(await b.text(P.key)).toBe('P');
	expect(await b.text(Q.key)).toBe('(unknown)');
});

test('two processes: A creates, B refreshes and rolls back: the row of A stands', async () => {
	const path = databasePath();
	const a = await openSession(path);
	const b = await openSession(path);

	await a.stash('P');
	await b.stash('P');
	await b.rollback();
	expect(await a.text(P.key)).toBe('P');
	expect(await a.commit([P.key])).toEqual([P.key]);
	expect(await b.text(P.key)).toBe('P');
});
