/** What lies beside the database after a session, and who clears it away. */

import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SqliteStash, type SqliteStashOptions } from '../../lib/stash/sqlite/store.js';
import { integrityOf, withDatabase } from './support/databases.js';
import { keyOfEntry, largePayload, payloadOf } from './support/payloads.js';
import { databasePath, modeOf } from './support/places.js';

const MEBIBYTE = 2 ** 20;

function sizeOf(path: string): number {
	return existsSync(path) ? statSync(path).size : 0;
}

function session(path: string, work: (store: SqliteStash) => void, options: SqliteStashOptions = {}): void {
	const store = new SqliteStash(path, options);
	try {
		work(store);
	} finally {
		store.close();
	}
}

function expectWhole(path: string, ...keys: string[]): void {
	session(
		path,
		(store) => {
			for (const key of keys) {
				expect(keyOfEntry(store.retrieve(key))).toBe(key);
			}
		},
		{ mode: 'read' },
	);
}

test('a session that wrote little leaves the database alone behind', () => {
	const path = databasePath();
	session(path, (store) => store.stash([payloadOf('little')]));
	expect(existsSync(`${path}-wal`)).toBe(false);
	expect(existsSync(`${path}-shm`)).toBe(false);
});

test('a session that wrote much leaves its log, private and readable, and the next one folds it in', () => {
	const path = databasePath();
	const payload = largePayload('much', 8 * MEBIBYTE);
	session(path, (store) => store.stash([payload]));
	expect(sizeOf(`${path}-wal`)).toBeGreaterThan(8 * MEBIBYTE);
	expect(sizeOf(path)).toBeLessThan(MEBIBYTE);
	expect([modeOf(`${path}-wal`), modeOf(`${path}-shm`)]).toEqual(['600', '600']);
	expectWhole(path, payload.key);

	session(path, (store) => store.stash([payloadOf('little')]));
	expect(sizeOf(`${path}-wal`)).toBe(0);
	expect(sizeOf(path)).toBeGreaterThan(8 * MEBIBYTE);
	expectWhole(path, payload.key, payloadOf('little').key);
	expect(integrityOf(path)).toBe('ok');
});

test('sessions that write much, one after another, do not let the log grow', () => {
	const path = databasePath();
	const sizes: number[] = [];
	for (let round = 0; round < 6; round++) {
		session(path, (store) => store.stash([largePayload(`round ${round}`, 6 * MEBIBYTE)]));
		sizes.push(sizeOf(`${path}-wal`));
	}

	expect(Math.max(...sizes)).toBeLessThan(7 * MEBIBYTE);
	expect(sizes.filter((size) => size === 0)).toHaveLength(3);
});

test('a log is folded in although somebody reads', () => {
	const path = databasePath();
	const payload = largePayload('much', 8 * MEBIBYTE);
	session(path, (store) => store.stash([payload]));
	session(
		path,
		(reader) => {
			session(path, (store) => store.stash([payloadOf('little')]));
			expect(sizeOf(path)).toBeGreaterThan(8 * MEBIBYTE);
			expect(keyOfEntry(reader.retrieve(payload.key))).toBe(payload.key);
		},
		{ mode: 'read' },
	);
});

test('one long session folds its log in by itself before it becomes huge', () => {
	const path = databasePath();
	session(path, (store) => {
		store.stash([largePayload('huge', 130 * MEBIBYTE)]);
		expect(sizeOf(`${path}-wal`)).toBeGreaterThan(130 * MEBIBYTE);
		store.stash([payloadOf('little')]);
		expect(sizeOf(`${path}-wal`)).toBeLessThan(4 * MEBIBYTE);
	});
	expectWhole(path, largePayload('huge', 130 * MEBIBYTE).key);
});

test('room that was freed is used again, and what is too much of it is given back, a little by each session', () => {
	const path = databasePath();
	const limits = { maxEntries: 1 };
	session(path, (store) => store.stash([largePayload('large', 80 * MEBIBYTE)]), { limits });
	session(path, (store) => store.stash([payloadOf('little')]), { limits });
	const before = sizeOf(path);
	expect(before).toBeGreaterThan(80 * MEBIBYTE - 5 * MEBIBYTE);

	session(path, (store) => store.stash([largePayload('again', 2 * MEBIBYTE)]), { limits });
	const after = sizeOf(path);
	expect(before - after).toBeGreaterThan(2 * MEBIBYTE);
	expect(before - after).toBeLessThan(5 * MEBIBYTE);
	for (let round = 0; round < 6; round++) {
		session(path, (store) => store.stash([payloadOf(`little ${round}`)]), { limits });
	}

	expect(sizeOf(path)).toBeLessThan(70 * MEBIBYTE);
	expect(sizeOf(path)).toBeGreaterThan(60 * MEBIBYTE);
	expect(integrityOf(path)).toBe('ok');
});

test('a new database gives pages back and has pages of 16 KiB', () => {
	const path = databasePath();
	session(path, (store) => store.stash([payloadOf('little')]));
	withDatabase(path, (database) => {
		expect(database.pragma('auto_vacuum', { simple: true })).toBe(2);
		expect(database.pragma('page_size', { simple: true })).toBe(16_384);
		expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
	});
});
