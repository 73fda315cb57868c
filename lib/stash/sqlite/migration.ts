/**
 * The table of earlier releases: `stash(hash, payload, expires_at)` with times in seconds, later with a
 * `generation`. Its entries move into our tables when a database is opened for writing, and are shown as they are
 * when it is opened for reading.
 */

import { CHUNK_SIZE } from '../limits.js';
import type { Connection } from './connection.js';

/** How long an entry lived in earlier releases, milliseconds. */
const OLDER_TIME_TO_LIVE = 3_600_000;

/** Bytes in use up to which a database is written anew to get rid of the rest. */
const SMALL_DATABASE = 64 * 1024 * 1024;

/** The last millisecond of the second up to which an entry was alive. */
const EXPIRES_AT = '(expires_at * 1000 + 999)';

/**
 * Moves the entries that are alive, or have not been expired for long, into our tables and drops the older table.
 * Of an entry that both hold, the younger generation and the longer life stand. To be called inside a transaction.
 *
 * @param now milliseconds since the epoch.
 */
export function migrateOlderTable(connection: Connection, now: number): void {
	if (!hasGeneration(connection)) {
		connection.exec('ALTER TABLE stash ADD COLUMN generation INTEGER NOT NULL DEFAULT 0');
	}

	const insertEntry = connection.prepare<[{ hash: string }]>(
		`INSERT INTO stash_entry (key, kind, origin, size, created_at, expires_at, generation)
		SELECT hash, 'unknown', 'unknown', length(CAST(payload AS BLOB)), ${EXPIRES_AT} - ${OLDER_TIME_TO_LIVE}, ${EXPIRES_AT}, coalesce(generation, 0)
		FROM stash WHERE hash = @hash
		ON CONFLICT (key) DO UPDATE SET
			expires_at = max(expires_at, excluded.expires_at), generation = max(generation, excluded.generation)`,
	);
	const entryWithoutChunks = connection
		.prepare<[string], number>(
			'SELECT id FROM stash_entry WHERE key = ? AND NOT EXISTS (SELECT 1 FROM stash_chunk WHERE entry = id)',
		)
		.pluck();
	const payload = connection
		.prepare<[string], Buffer>('SELECT CAST(payload AS BLOB) FROM stash WHERE hash = ?')
		.pluck();
	const insertChunk = connection.prepare<[number, number, Buffer]>(
		'INSERT INTO stash_chunk VALUES (?, ?, ?)',
	);

	const hashes = connection
		.prepare<[number], string>(
			// A row without a payload has nothing to keep, and must not keep the others from moving.
			`SELECT hash FROM stash WHERE payload IS NOT NULL AND ${EXPIRES_AT} >= ? ORDER BY generation, expires_at`,
		)
		.pluck()
		.all(now - OLDER_TIME_TO_LIVE);
	for (const hash of hashes) {
		insertEntry.run({ hash });
		const entry = entryWithoutChunks.get(hash);
		if (entry !== undefined) {
			const bytes = payload.get(hash) ?? Buffer.alloc(0);
			for (let from = 0; from < bytes.length; from += CHUNK_SIZE) {
				insertChunk.run(entry, from / CHUNK_SIZE, bytes.subarray(from, from + CHUNK_SIZE));
			}
		}
	}

	// An earlier release that did not keep the mark, or did not keep it well, may have given more than it says.
	connection.exec(
		`UPDATE stash_metadata
		SET last_generation = max(last_generation, coalesce((SELECT max(generation) FROM stash), 0));
		DROP TABLE stash;`,
	);
}

/** Lets our statements read the older table, or a database without any table, under the names of ours. */
export function showOlderTable(connection: Connection, exists: boolean): void {
	const rows = exists ? 'stash' : "(SELECT '' AS hash, '' AS payload, 0 AS expires_at WHERE false)";
	const id = exists ? 'rowid' : '0';
	connection.exec(
		`CREATE TEMP VIEW stash_entry AS
			SELECT ${id} AS id, hash AS key, length(CAST(payload AS BLOB)) AS size, ${EXPIRES_AT} AS expires_at FROM ${rows};
		CREATE TEMP VIEW stash_chunk AS
			SELECT ${id} AS entry, 0 AS position, CAST(payload AS BLOB) AS bytes FROM ${rows};`,
	);
}

/**
 * Turns a database of an earlier release, which never gave a page back, into one that can, where that is quick.
 * A failure changes nothing: the database is as usable as before.
 */
export function giveUpUnusedPages(connection: Connection): void {
	const number = (name: string) => connection.pragma(name, { simple: true }) as number;
	try {
		const used = (number('page_count') - number('freelist_count')) * number('page_size');
		if (used <= SMALL_DATABASE) {
			connection.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM;');
		}
	} catch {
		// Another process is at work, or there is no room for a copy.
	}
}

function hasGeneration(connection: Connection): boolean {
	return (
		connection.prepare("SELECT 1 FROM pragma_table_info('stash') WHERE name = 'generation'").get() !==
		undefined
	);
}
