/** Looks into databases, and makes those of earlier releases, past our own code. */

import BetterSqlite3 from 'better-sqlite3';

/** Opens a database, lets somebody do something, and closes it. */
export function withDatabase<Result>(
	path: string,
	work: (database: BetterSqlite3.Database) => Result,
): Result {
	const database = new BetterSqlite3(path);
	try {
		return work(database);
	} finally {
		database.close();
	}
}

/** Says that a stash has given all generations up to this one. */
export function setLastGeneration(path: string, generation: bigint): void {
	withDatabase(path, (database) =>
		database.prepare('UPDATE stash_metadata SET last_generation = ?').run(generation),
	);
}

/** What SQLite finds wrong with a database: `ok` where nothing is. */
export function integrityOf(path: string): string {
	return withDatabase(path, (database) => {
		const problems = database.pragma('foreign_key_check') as unknown[];
		return problems.length === 0
			? (database.pragma('integrity_check', { simple: true }) as string)
			: 'foreign keys';
	});
}

export interface OlderEntry {
	readonly hash: string;
	readonly payload: string;
	/** Seconds since the epoch. */
	readonly expires: number;
	readonly generation?: bigint;
}

/**
 * Makes a database as the first release had it, or, where a mark is given, as the next one had it.
 *
 * @param mark the highest generation according to that release.
 */
export function makeOlderDatabase(path: string, entries: readonly OlderEntry[], mark?: bigint): void {
	withDatabase(path, (database) => {
		const generation = mark === undefined ? '' : ', generation INTEGER NOT NULL DEFAULT 0';
		database.pragma('journal_mode = WAL');
		database.exec(
			`CREATE TABLE IF NOT EXISTS stash (hash TEXT PRIMARY KEY, payload TEXT NOT NULL, expires_at INTEGER NOT NULL${generation});
			CREATE INDEX IF NOT EXISTS idx_stash_expires_at ON stash (expires_at);`,
		);
		if (mark !== undefined) {
			database.exec(
				`CREATE TABLE IF NOT EXISTS stash_metadata (
					singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
					last_generation INTEGER NOT NULL CHECK (last_generation >= 0)
				);
				INSERT OR IGNORE INTO stash_metadata VALUES (1, 0);`,
			);
			database.prepare('UPDATE stash_metadata SET last_generation = ?').run(mark);
		}

		for (const entry of entries) {
			const values: unknown[] = [entry.hash, entry.payload, entry.expires];
			if (mark !== undefined) {
				values.push(entry.generation ?? 0n);
			}

			database.prepare(`INSERT INTO stash VALUES (${values.map(() => '?').join()})`).run(...values);
		}
	});
}
