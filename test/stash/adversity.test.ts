/** Locks, full disks, crowds and sudden death: real ones. */

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteStash, type SqliteStashOptions } from '../../lib/stash/sqlite/store.js';
import { integrityOf } from './support/databases.js';
import { keyOfEntry, largePayload, payloadOf, textOf } from './support/payloads.js';
import { databasePath, smallDisk } from './support/places.js';
import { holdLock, openSession } from './support/sessions.js';

const MEBIBYTE = 2 ** 20;

function open(path: string, options: SqliteStashOptions = {}): SqliteStash {
	const store = new SqliteStash(path, options);
	onTestFinished(() => store.close());
	return store;
}

test('a stash that another process keeps locked is called locked, and nothing changes', async () => {
	const path = databasePath();
	const store = open(path, { busyTimeout: 20 });
	const [{ key, generation }] = store.stash([payloadOf('before')]);
	const unlock = await holdLock(path);

	const locked = expect.objectContaining({
		kind: 'locked',
		message: expect.stringMatching(/^cannot write the stash .*stash\.db.*try again/),
	});
	expect(() => store.stash([payloadOf('after')])).toThrow(locked);
	expect(() => store.deleteAtGeneration(key, generation)).toThrow(locked);
	expect(() => store.evictExpired()).toThrow(locked);

	// Whoever only reads, waits for nobody.
	expect(textOf(store, key)).toBe('before');
	expect(textOf(open(path, { mode: 'read', busyTimeout: 0 }), key)).toBe('before');

	await unlock();
	expect(store.retrieve(payloadOf('after').key)).toBe('unknown');
	expect(store.stash([payloadOf('after')])).toMatchObject([{ generation: 2n }]);
});

test('a new database that another process keeps locked is called locked', async () => {
	const path = databasePath();
	const unlock = await holdLock(path);
	expect(() => new SqliteStash(path, { busyTimeout: 20 })).toThrow(
		expect.objectContaining({ kind: 'locked' }),
	);
	await unlock();
	expect(open(path).count()).toBe(0);
});

test('a lock that is let go of in time is waited for', async () => {
	const path = databasePath();
	const session = await openSession(path);
	const unlock = await holdLock(path);
	const writes = session.stash('patient');
	await sleep(200);
	await unlock();
	expect(await writes).toMatchObject([{ generation: 1n, created: true }]);
});

test('16 processes open one new stash and write to it at once, and nothing is lost', async () => {
	const path = databasePath();
	const names = Array.from({ length: 16 }, (_, index) => `process ${index}`);
	const writes = await Promise.all(
		names.map(async (name) => {
			const session = await openSession(path, { busyTimeout: 60_000 });
			const done = [];
			for (let round = 0; round < 5; round++) {
				done.push(...(await session.stash(`${name}, round ${round}`, `round ${round}`)));
			}

			await session.close();
			return done;
		}),
	);

	const generations = writes.flat().map(({ generation }) => generation);
	expect(new Set(generations).size).toBe(160);
	expect(generations).toContain(160n);
	const store = open(path);
	expect(store.count()).toBe(16 * 5 + 5);
	for (const { key } of writes.flat()) {
		expect(keyOfEntry(store.retrieve(key))).toBe(key);
	}

	expect(integrityOf(path)).toBe('ok');
});

test('an entry that is evicted while it is read is not passed off as whole', () => {
	const path = databasePath();
	const [reader, writer] = [open(path), open(path, { limits: { maxEntries: 1 } })];
	const payload = largePayload('long', 600_000);
	writer.stash([payload]);
	const entry = reader.retrieve(payload.key);
	if (typeof entry === 'string') {
		throw new Error(entry);
	}

	const chunks = entry.chunks()[Symbol.iterator]();
	expect(chunks.next().value).toHaveLength(262_144);
	writer.stash([payloadOf('next')]);
	expect(() => chunks.next()).toThrow(
		expect.objectContaining({
			kind: 'vanished',
			message: expect.stringContaining('262144 of its 600000 bytes'),
		}),
	);
});

/**
 * A path on a disk of that size, where that can be had; else how to start a process whose files may not grow beyond
 * it, and what that is called.
 *
 * @param size bytes.
 */
function littleRoom(size: number) {
	const disk = smallDisk(size);
	return disk === undefined
		? { path: databasePath(), options: { maxFileSize: size }, kind: 'unavailable' }
		: { path: join(disk, 'stash.db'), options: {}, kind: 'full' };
}

test('a disk without room for a new database is said to be full', async () => {
	const { path, options, kind } = littleRoom(64 * 1024);
	await expect(openSession(path, options)).rejects.toMatchObject({
		kind,
		message: expect.stringContaining(path),
	});
});

test('a disk without room is said to be full, nothing changes, and what the attempt took is given back', async () => {
	const { path, options, kind } = littleRoom(6 * MEBIBYTE);
	const session = await openSession(path, options);
	const [{ key }] = await session.stash('before');
	await expect(session.stashLarge('too much', 20 * MEBIBYTE)).rejects.toMatchObject({
		kind,
		message: expect.stringContaining(path),
	});
	expect(await session.text(key)).toBe('before');
	expect(await session.count()).toBe(1);
	expect(statSync(`${path}-wal`).size).toBe(0);
	expect(await session.stash('after')).toMatchObject([{ generation: 2n, created: true }]);
	await session.close();
	expect(integrityOf(path)).toBe('ok');
});

test('a file that may not grow fails the write, and nothing changes', async () => {
	const path = databasePath();
	const session = await openSession(path, { maxFileSize: 4 * MEBIBYTE });
	const [{ key }] = await session.stash('before');
	await expect(session.stashLarge('too much', 20 * MEBIBYTE)).rejects.toMatchObject({
		message: expect.stringContaining(path),
	});
	expect(await session.text(key)).toBe('before');
	await session.close();
	expect(textOf(open(path), key)).toBe('before');
	expect(integrityOf(path)).toBe('ok');
});

test('a process killed in the midst of a write leaves a sound database with everything that was committed', async () => {
	const path = databasePath();
	const log = `${path}-wal`;
	const committed: string[] = [];
	let interrupted = 0;
	for (let round = 0; round < 20; round++) {
		const session = await openSession(path, { busyTimeout: 60_000 });
		committed.push((await session.stash(`round ${round}`))[0].key);
		const before = existsSync(log) ? statSync(log).size : 0;
		const ending = session.stashLarge(`killed ${round}`, 24 * MEBIBYTE).then(
			([{ key }]) => committed.push(key),
			() => interrupted++,
		);

		// Kill it when the log has grown by a different part of the payload each time.
		const target = before + ((round % 10) + 1) * 2 * MEBIBYTE;
		while (existsSync(log) && statSync(log).size < target) {
			await sleep(1);
		}

		await session.kill();
		await ending;

		const store = new SqliteStash(path);
		for (const key of committed) {
			expect(keyOfEntry(store.retrieve(key))).toBe(key);
		}

		expect(store.count()).toBe(committed.length);
		store.close();
		expect(integrityOf(path)).toBe('ok');
	}

	expect(interrupted).toBeGreaterThan(0);
});
