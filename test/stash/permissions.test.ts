/** Who may see a stash, and what is said where this process may not. */

import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteStash } from '../../lib/stash/sqlite/store.js';
import { stashWithPayload } from './support/files.js';
import { databasePath, lockAgainstWriting, modeOf, temporaryDirectory } from './support/places.js';
import { openSession } from './support/sessions.js';

/** A user without privileges for the other process where this one is root, whom permissions do not stop. */
const user = process.getuid?.() === 0 ? 65_534 : undefined;

test.each([
	['000', 0o000],
	['777', 0o777],
])('under umask %s, directories are 0700 and files 0600, the log and its index too', async (_, umask) => {
	const directory = join(temporaryDirectory(), 'one', 'two');
	const path = join(directory, 'stash.db');
	const session = await openSession(path, { umask });
	await session.stash('private');
	expect(readdirSync(directory).sort()).toEqual(['stash.db', 'stash.db-shm', 'stash.db-wal']);
	for (const file of readdirSync(directory)) {
		expect([file, modeOf(join(directory, file))]).toEqual([file, '600']);
	}

	expect([modeOf(directory), modeOf(dirname(directory))]).toEqual(['700', '700']);
});

test("everybody's right to read is taken from files that exist, and a directory that exists is left alone", async () => {
	const path = databasePath();
	chmodSync(dirname(path), 0o755);
	const session = await openSession(path);
	await session.stash('public');
	await session.kill();
	for (const file of [path, `${path}-wal`, `${path}-shm`]) {
		chmodSync(file, 0o644);
	}

	const store = new SqliteStash(path);
	onTestFinished(() => store.close());
	for (const file of [path, `${path}-wal`, `${path}-shm`]) {
		expect(modeOf(file)).toBe('600');
	}

	expect(modeOf(dirname(path))).toBe('755');
});

test('a directory that must not be written takes no new database, and the reason is said', async () => {
	const directory = temporaryDirectory();
	lockAgainstWriting(directory);
	const path = join(directory, 'stash.db');
	await expect(openSession(path, { user })).rejects.toMatchObject({
		kind: 'unwritable',
		message: expect.stringContaining(path),
	});
	expect(readdirSync(directory)).toEqual([]);
});

test('a database is read from a directory that must not be written, where its log lies beside it', async () => {
	const path = databasePath();
	const session = await openSession(path);
	const [{ key }] = await session.stash('payload');
	await session.kill();
	if (user !== undefined) {
		for (const file of [dirname(path), path, `${path}-wal`, `${path}-shm`]) {
			chownSync(file, user, user);
		}
	}

	for (const file of [path, `${path}-wal`, `${path}-shm`]) {
		chmodSync(file, 0o400);
	}

	lockAgainstWriting(dirname(path));
	const reader = await openSession(path, { user, mode: 'read' });
	expect(await reader.text(key)).toBe('payload');
});

test('a database in a directory that must not be written is called unreadable where SQLite would have to make a log', async () => {
	const { path } = stashWithPayload();
	if (user !== undefined) {
		chownSync(dirname(path), user, user);
		chownSync(path, user, user);
	}

	lockAgainstWriting(dirname(path));
	await expect(openSession(path, { user, mode: 'read' })).rejects.toMatchObject({
		kind: 'unreadable',
		message: expect.stringContaining(path),
	});
});

test('a database that must not be read is told apart from one that is not there', async () => {
	const { path } = stashWithPayload();
	chmodSync(dirname(path), 0o755);
	chmodSync(path, 0o000);
	await expect(openSession(path, { user, mode: 'read' })).rejects.toMatchObject({
		kind: 'unreadable',
		message: expect.stringContaining(path),
	});
});

test("a file that is somebody else's is not used for writing", async () => {
	// Only root can make one; everybody finds one here.
	let path = '/proc/version';
	if (user !== undefined) {
		({ path } = stashWithPayload());
		chmodSync(dirname(path), 0o777);
		chmodSync(path, 0o666);
	}

	await expect(openSession(path, { user })).rejects.toMatchObject({
		kind: 'unwritable',
		message: expect.stringContaining(path),
	});
});
