/** Databases of earlier releases, and the mark of generations that outlives everything. */

import { expect, onTestFinished, test } from 'vitest';
import { SqliteStash } from '../../lib/stash/sqlite/store.js';
import { integrityOf, makeOlderDatabase, type OlderEntry, withDatabase } from './support/databases.js';
import { payloadOf, textOf } from './support/payloads.js';
import { databasePath } from './support/places.js';
import { openSession } from './support/sessions.js';

const now = 1_700_000_000_123;
const seconds = Math.floor(now / 1000);

function open(path: string, mode: 'read' | 'write' = 'write', clock = () => now): SqliteStash {
	const store = new SqliteStash(path, { mode, now: clock });
	onTestFinished(() => store.close());
	return store;
}

function olderEntry(payload: string, expires: number, generation?: bigint): OlderEntry {
	const { key } = payloadOf(payload);
	return { hash: key, payload, expires, ...(generation === undefined ? {} : { generation }) };
}

function lastGenerationOf(path: string): bigint {
	return withDatabase(path, (database) =>
		database.prepare('SELECT last_generation FROM stash_metadata').pluck().safeIntegers().get(),
	) as bigint;
}

const long = 'a longer text, not only ASCII: ü, 漢字, 🙂. '.repeat(20_000);

const layouts: [string, (path: string) => void][] = [
	[
		'the first release',
		(path) =>
			makeOlderDatabase(path, [
				olderEntry('alive', seconds),
				olderEntry(long, seconds + 3600),
				olderEntry('late', seconds - 1),
				olderEntry('dead', seconds - 3602),
			]),
	],
	[
		'the release with generations',
		(path) =>
			makeOlderDatabase(
				path,
				[
					olderEntry('alive', seconds, 4n),
					olderEntry(long, seconds + 3600, 7n),
					olderEntry('late', seconds - 1, 2n),
					olderEntry('dead', seconds - 3602, 1n),
				],
				9n,
			),
	],
];

for (const [name, make] of layouts) {
	test.each(['write', 'read'] as const)(
		`entries of ${name} are there for as long as they were meant to be (%s)`,
		(mode) => {
			const path = databasePath();
			make(path);
			const clock = { now };
			const store = open(path, mode, () => clock.now);
			expect(textOf(store, payloadOf('alive').key)).toBe('alive');
			expect(textOf(store, payloadOf(long).key)).toBe(long);
			expect(store.count()).toBe(2);
			expect(store.retrieve(payloadOf('late').key)).toBe('expired');
			expect(store.retrieve(payloadOf('never').key)).toBe('unknown');
			clock.now = seconds * 1000 + 999;
			expect(textOf(store, payloadOf('alive').key)).toBe('alive');
			clock.now += 1;
			expect(store.retrieve(payloadOf('alive').key)).toBe('expired');
		},
	);

	test(`reading a database of ${name} does not change it`, () => {
		const path = databasePath();
		make(path);
		open(path, 'read').count();
		const tables = withDatabase(path, (database) =>
			database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
		);
		expect(tables).toContain('stash');
		expect(tables).not.toContain('stash_entry');
	});

	test(`entries of ${name} are refreshed like any other, and evicted before younger ones`, () => {
		const path = databasePath();
		make(path);
		const store = new SqliteStash(path, { now: () => now, limits: { maxEntries: 2 } });
		onTestFinished(() => store.close());
		const { key } = payloadOf('alive');
		expect(store.stash([payloadOf('alive')])).toMatchObject([{ key, created: false }]);
		store.stash([payloadOf('young')]);
		expect(textOf(store, key)).toBe('alive');
		expect(store.retrieve(payloadOf(long).key)).toBe('unknown');
	});

	test(`a database of ${name} is as sound as a new one afterwards, and gives pages back`, () => {
		const path = databasePath();
		make(path);
		open(path).close();
		open(path).close();
		expect(integrityOf(path)).toBe('ok');
		expect(withDatabase(path, (database) => database.pragma('auto_vacuum', { simple: true }))).toBe(2);
		expect(textOf(open(path), payloadOf(long).key)).toBe(long);
	});

	test(`several processes bring a database of ${name} up to date at once`, async () => {
		const path = databasePath();
		make(path);
		const sessions = await Promise.all(
			Array.from({ length: 4 }, () => openSession(path, { limits: { timeToLive: 2 ** 45 } })),
		);
		await Promise.all(sessions.map((session, index) => session.stash(`new ${index}`)));
		const store = open(path);
		expect(textOf(store, payloadOf('new 0').key)).toBe('new 0');
		expect(store.count()).toBeGreaterThanOrEqual(4);
		expect(integrityOf(path)).toBe('ok');
	});
}

test('the generations go on where those of an earlier release ended', () => {
	const path = databasePath();
	layouts[1][1](path);
	expect(open(path).stash([payloadOf('next')])).toMatchObject([{ generation: 10n }]);
});

test('a mark that lies behind the entries is repaired', () => {
	const path = databasePath();
	makeOlderDatabase(path, [olderEntry('a', seconds + 60, 12n)], 3n);
	const store = open(path);
	expect(lastGenerationOf(path)).toBe(12n);
	expect(store.stash([payloadOf('next')])).toMatchObject([{ generation: 13n }]);
});

test('a mark is repaired from entries that have expired long ago, too', () => {
	const path = databasePath();
	makeOlderDatabase(path, [olderEntry('a', seconds - 86_400, 12n)], 3n);
	expect(open(path).stash([payloadOf('next')])).toMatchObject([{ generation: 13n }]);
});

test('a database without its mark counts on from its entries', () => {
	const path = databasePath();
	const store = open(path);
	store.stash([payloadOf('a'), payloadOf('b')]);
	withDatabase(path, (database) => database.exec('DELETE FROM stash_metadata'));
	expect(store.stash([payloadOf('c')])).toMatchObject([{ generation: 3n }]);
	expect(lastGenerationOf(path)).toBe(3n);
});

test('the mark survives the deletion, the expiry and the eviction of every entry, and every reopening', () => {
	const path = databasePath();
	const clock = { now };
	function reopened(): SqliteStash {
		const store = new SqliteStash(path, { now: () => clock.now, limits: { maxEntries: 1 } });
		onTestFinished(() => store.close());
		return store;
	}

	let store = reopened();
	const [{ key, generation }] = store.stash([payloadOf('deleted')]);
	store.deleteAtGeneration(key, generation);
	store.close();

	store = reopened();
	expect(store.stash([payloadOf('expired')])).toMatchObject([{ generation: 2n }]);
	clock.now += 3_600_001;
	expect(store.evictExpired()).toBe(1);
	store.close();

	store = reopened();
	expect(store.stash([payloadOf('evicted')])).toMatchObject([{ generation: 3n }]);
	expect(store.stash([payloadOf('evicting')])).toMatchObject([{ generation: 4n }]);
	store.close();

	withDatabase(path, (database) => database.exec('DELETE FROM stash_entry'));
	expect(reopened().stash([payloadOf('last')])).toMatchObject([{ generation: 5n }]);
});

test('what an earlier release wrote beside us is taken over, and both count on together', () => {
	const path = databasePath();
	const store = open(path);
	store.stash([payloadOf('ours'), payloadOf('both')]);
	store.close();

	// The earlier release finds the mark at 2 and makes its own table anew.
	makeOlderDatabase(
		path,
		[olderEntry('theirs', seconds + 60, 3n), olderEntry('both', seconds + 7200, 4n)],
		4n,
	);
	const reopened = open(path);
	expect(['ours', 'theirs', 'both'].map((text) => textOf(reopened, payloadOf(text).key))).toEqual([
		'ours',
		'theirs',
		'both',
	]);
	expect(reopened.stash([payloadOf('both')])).toEqual([
		{ key: payloadOf('both').key, generation: 5n, created: false, previousGeneration: 4n },
	]);
});

test('a row with nothing where something belongs does not keep the others from moving', () => {
	const path = databasePath();
	const { key } = payloadOf('kept');
	withDatabase(path, (database) => {
		database.exec(
			'CREATE TABLE stash (hash TEXT PRIMARY KEY, payload TEXT, expires_at INTEGER, generation INTEGER)',
		);
		const insert = database.prepare('INSERT INTO stash VALUES (?, ?, ?, ?)');
		insert.run(key, 'kept', seconds + 60, null);
		insert.run('0'.repeat(24), null, seconds + 60, 3);
	});
	expect(textOf(open(path), key)).toBe('kept');
	expect(open(path).count()).toBe(1);
});
