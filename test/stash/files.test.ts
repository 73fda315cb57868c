/** What may be a stash on the disk, and what becomes of it when it is damaged or taken away. */

import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteStash, type SqliteStashOptions } from '../../lib/stash/sqlite/store.js';
import { withDatabase } from './support/databases.js';
import { expectRefusal, stashWithPayload } from './support/files.js';
import { largePayload, payloadOf, textOf } from './support/payloads.js';
import { databasePath, temporaryDirectory } from './support/places.js';

function open(path: string, options: SqliteStashOptions = {}): SqliteStash {
	const store = new SqliteStash(path, options);
	onTestFinished(() => store.close());
	return store;
}

test.each(['write', 'read'] as const)('a symbolic link is refused (%s)', (mode) => {
	const { path } = stashWithPayload();
	const link = join(temporaryDirectory(), 'link.db');
	symlinkSync(path, link);
	expectRefusal(() => new SqliteStash(link, { mode }), 'refused', link, 'symbolic link', 'another path');
});

test('a symbolic link to nowhere is refused, and nothing is made at its end', () => {
	const directory = temporaryDirectory();
	symlinkSync(join(directory, 'target.db'), join(directory, 'link.db'));
	expectRefusal(() => new SqliteStash(join(directory, 'link.db')), 'refused', 'symbolic link');
	expect(readdirSync(directory)).toEqual(['link.db']);
});

test('a symbolic link in the place of the log is refused', () => {
	const { path } = stashWithPayload();
	symlinkSync(join(temporaryDirectory(), 'elsewhere'), `${path}-wal`);
	expectRefusal(() => new SqliteStash(path), 'refused', `${path}-wal`);
});

test.each(['write', 'read'] as const)('a directory and a pipe are refused (%s)', (mode) => {
	const directory = temporaryDirectory();
	mkdirSync(join(directory, 'stash.db'));
	execFileSync('mkfifo', [join(directory, 'pipe.db')]);
	expectRefusal(() => new SqliteStash(join(directory, 'stash.db'), { mode }), 'refused', 'directory');
	expectRefusal(() => new SqliteStash(join(directory, 'pipe.db'), { mode }), 'refused', 'regular file');
});

test('a path through a file is refused', () => {
	const { path } = stashWithPayload();
	expectRefusal(() => new SqliteStash(join(path, 'stash.db')), 'refused', join(path, 'stash.db'));
});

test('a path that ends in white space is refused, because the driver would take another one', () => {
	expectRefusal(() => new SqliteStash(`${databasePath()} `), 'refused', 'white space');
});

test('any other name is taken literally', () => {
	const directory = temporaryDirectory();
	const name = 'file: a%20b?mode=memory#ü.db';
	const { path, key } = stashWithPayload(join(directory, name));
	expect(readdirSync(directory)).toContain(name);
	expect(textOf(open(path, { mode: 'read' }), key)).toBe('payload');
});

test('a database of another program is refused, and stays as it is', () => {
	const path = databasePath();
	withDatabase(path, (database) => database.exec('CREATE TABLE bookmarks (url TEXT)'));
	const before = readFileSync(path);
	expectRefusal(() => new SqliteStash(path), 'refused', path, 'another program');
	expectRefusal(() => new SqliteStash(path, { mode: 'read' }), 'refused', path, 'another program');
	expect(readFileSync(path).equals(before)).toBe(true);
	expect(before.length).toBeGreaterThan(0);
});

test('a database of a later release is refused', () => {
	const { path } = stashWithPayload();
	withDatabase(path, (database) => database.pragma('user_version = 1000'));
	expectRefusal(() => new SqliteStash(path), 'newer', path, 'update');
	expectRefusal(() => new SqliteStash(path, { mode: 'read' }), 'newer', path, 'update');
});

test.each(['write', 'read'] as const)(
	'a file that is no database is called corrupt, and stays as it is (%s)',
	(mode) => {
		const path = databasePath();
		writeFileSync(path, 'no database at all, '.repeat(1000));
		expectRefusal(() => new SqliteStash(path, { mode }), 'corrupt', path, 'move it away');
		expect(readFileSync(path, 'utf8')).toBe('no database at all, '.repeat(1000));
	},
);

test('a database that lost a table is called corrupt', () => {
	const { path } = stashWithPayload();
	withDatabase(path, (database) => database.exec('DROP TABLE stash_chunk'));
	expectRefusal(() => new SqliteStash(path), 'corrupt', path, 'move it away');
});

test('a payload that lost a part is called corrupt before a byte of it is given, and the next write repairs it', () => {
	const path = databasePath();
	const payload = largePayload('damaged', 600_000);
	const store = open(path);
	store.stash([payload]);
	withDatabase(path, (database) => database.exec('DELETE FROM stash_chunk WHERE position = 1'));
	expectRefusal(() => store.retrieve(payload.key), 'corrupt', path, payload.key);
	expect(store.stash([payload])).toEqual([
		{ key: payload.key, generation: 2n, created: false, previousGeneration: 1n },
	]);
	expect(textOf(store, payload.key)).toHaveLength(600_000);
});

test('damaged pages are called corrupt', () => {
	const path = databasePath();
	const payload = largePayload('damaged', 3_000_000);
	new SqliteStash(path).close();
	const store = new SqliteStash(path);
	store.stash([payload]);
	store.close();
	const bytes = readFileSync(path);
	writeFileSync(path, bytes.fill(0xa5, 16_384));
	const damaged = open(path, { mode: 'read' });
	expectRefusal(() => damaged.retrieve(payload.key), 'corrupt', path, 'move it away');
});

test('reading where there is no database says so and makes nothing', () => {
	const directory = temporaryDirectory();
	const path = join(directory, 'none', 'stash.db');
	expectRefusal(() => new SqliteStash(path, { mode: 'read' }), 'missing', path, 'nothing was stored');
	expect(readdirSync(directory)).toEqual([]);
});

test('an empty file has nothing, and becomes a stash when it is written to', () => {
	const path = databasePath();
	writeFileSync(path, '');
	const reader = open(path, { mode: 'read' });
	expect(reader.retrieve('0'.repeat(24))).toBe('unknown');
	expect(reader.count()).toBe(0);
	const { key } = stashWithPayload(path);
	expect(textOf(open(path, { mode: 'read' }), key)).toBe('payload');
});

test('a store that was opened for reading does not write', () => {
	const { path, key } = stashWithPayload();
	const reader = open(path, { mode: 'read' });
	expectRefusal(() => reader.stash([payloadOf('more')]), 'closed', 'reading only');
	expectRefusal(() => reader.deleteAtGeneration(key, 1n), 'closed', 'reading only');
	expectRefusal(() => reader.evictExpired(), 'closed', 'reading only');
	expect(textOf(reader, key)).toBe('payload');
});

test('nothing is promised of a payload whose database was removed', () => {
	const { path } = stashWithPayload();
	const store = open(path);
	rmSync(path);
	expectRefusal(() => store.stash([payloadOf('lost')]), 'replaced', path, 'try again');
});

test('nothing is promised of a payload whose database is removed while it is written', () => {
	const { path } = stashWithPayload();
	const store = open(path);
	const payload = payloadOf('lost', {
		*chunks() {
			rmSync(path);
			yield Buffer.from('lost');
		},
	});
	expectRefusal(() => store.stash([payload]), 'replaced', path, 'try again');
});

test('nothing is promised of a payload whose database was replaced by another one', () => {
	const { path } = stashWithPayload();
	const store = open(path);
	cpSync(path, `${path}.copy`);
	renameSync(`${path}.copy`, path);
	expectRefusal(() => store.stash([payloadOf('lost')]), 'replaced', path, 'try again');
});

test('nothing is promised of a payload whose log is removed while it is written', () => {
	const { path } = stashWithPayload();
	const store = open(path);
	const payload = payloadOf('lost', {
		*chunks() {
			rmSync(`${path}-wal`);
			yield Buffer.from('lost');
		},
	});
	expectRefusal(() => store.stash([payload]), 'replaced', path, 'try again');
});
