/** The tables of the stash: recognised, created, and brought about from those of earlier releases. */

import { StashError } from '../errors.js';
import { type Connection, writeTransaction } from './connection.js';
import { giveUpUnusedPages, migrateOlderTable, showOlderTable } from './migration.js';

/** Marks a database as ours: "TKST". */
const APPLICATION_ID = 0x54_4b_53_54;

/** Raised with every change of the tables. */
const SCHEMA_VERSION = 1;

/**
 * Times are milliseconds since the epoch; an entry is alive up to and including `expires_at`. The queue of
 * eviction is the order of `generation`, and a covering index, so that counting and summing read no entry.
 * `id` is never given twice: a reader that goes through the chunks of an entry cannot end up in another one.
 * `stash_metadata` is the earlier releases' own: both count on from the same mark.
 */
const TABLES = `
	CREATE TABLE stash_entry (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		key TEXT NOT NULL UNIQUE,
		kind TEXT NOT NULL,
		origin TEXT NOT NULL,
		session TEXT,
		size INTEGER NOT NULL,
		created_at INTEGER NOT NULL,
		expires_at INTEGER NOT NULL,
		generation INTEGER NOT NULL
	);
	CREATE INDEX stash_entry_queue ON stash_entry (generation, expires_at, size);
	CREATE TABLE stash_chunk (
		entry INTEGER NOT NULL REFERENCES stash_entry (id) ON DELETE CASCADE,
		position INTEGER NOT NULL,
		bytes BLOB NOT NULL,
		PRIMARY KEY (entry, position)
	);
	CREATE TABLE IF NOT EXISTS stash_metadata (
		singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
		last_generation INTEGER NOT NULL CHECK (last_generation >= 0)
	);
	INSERT OR IGNORE INTO stash_metadata VALUES (1, 0);
`;

const OWN_TABLES: ReadonlySet<string> = new Set(['stash_entry', 'stash_chunk', 'stash_metadata']);
const OLDER_TABLES: ReadonlySet<string> = new Set(['stash', 'stash_metadata']);

interface Found {
	/** Whether our tables are there. */
	readonly current: boolean;
	/** Whether the table of an earlier release is there; beside ours, when one was used again after us. */
	readonly older: boolean;
}

/**
 * Makes the tables what they must be. Safe when several processes do it at once.
 *
 * @param now milliseconds since the epoch.
 * @throws {StashError} `newer`, `refused` for a database that is not a stash.
 */
export function ensureSchema(connection: Connection, path: string, now: number): void {
	const found = inspect(connection, path);
	if (found.current && !found.older) {
		return;
	}

	writeTransaction(connection, () => {
		// Another process may have done it while this one waited for the lock.
		const { current, older } = inspect(connection, path);
		if (!current) {
			connection.exec(TABLES);
			connection.pragma(`application_id = ${APPLICATION_ID}`);
			connection.pragma(`user_version = ${SCHEMA_VERSION}`);
		}

		if (older) {
			migrateOlderTable(connection, now);
		}
	});

	if (found.older) {
		giveUpUnusedPages(connection);
	}
}

/**
 * Sees to it that the statements of the stash can read a database that must not be written.
 *
 * @throws {StashError} `newer`, `refused` for a database that is not a stash.
 */
export function ensureReadable(connection: Connection, path: string): void {
	const { current, older } = inspect(connection, path);
	if (!current) {
		showOlderTable(connection, older);
	}
}

/**
 * Sees to it that a database is a stash, or empty, before anything of it is changed.
 *
 * @throws {StashError} `newer`, `refused` for a database that is not a stash.
 */
export function assertStash(connection: Connection, path: string): void {
	inspect(connection, path);
}

function inspect(connection: Connection, path: string): Found {
	const { application, version, names } = connection
		.prepare<[], { application: number; version: number; names: string | null }>(
			`SELECT
				(SELECT application_id FROM pragma_application_id) AS application,
				(SELECT user_version FROM pragma_user_version) AS version,
				(SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!') AS names`,
		)
		.get() as { application: number; version: number; names: string | null };
	const tables = names === null ? [] : names.split(',');

	if (application === APPLICATION_ID) {
		if (version > SCHEMA_VERSION) {
			throw new StashError(
				'newer',
				`a later release wrote the stash ${path}; update, or choose another path`,
			);
		}

		if ([...OWN_TABLES].some((name) => !tables.includes(name))) {
			throw new StashError(
				'corrupt',
				`the stash ${path} lacks some of its tables; move it away and a new one is made`,
			);
		}

		return { current: true, older: tables.includes('stash') };
	}

	if (application !== 0 || version !== 0 || tables.some((name) => !OLDER_TABLES.has(name))) {
		throw new StashError('refused', `will not use ${path} as a stash: it is the database of another program`);
	}

	return { current: false, older: tables.includes('stash') };
}
