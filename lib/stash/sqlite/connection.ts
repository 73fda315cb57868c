/** A connection to a database file, set up the way the stash wants it. */

import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { StashError } from '../errors.js';
import { isLocked, isSqliteFailure } from './failures.js';

export type Connection = BetterSqlite3.Database;

/**
 * Bytes of a page of a new database. Measured over 4, 8, 16 and 32 KiB: larger pages write a large payload faster
 * (64 MiB in 235, 175, 160, 135 ms), smaller ones write a small payload faster (2 KiB in 2.6, 2.9, 3.3, 5.2 ms).
 */
const PAGE_SIZE = 16_384;

/** KiB of pages held in memory. A large transaction spills into the log beyond that. */
const CACHE_SIZE = 2048;

/** Bytes of log, and of log file, that are left on the disk without a thought. */
export const SMALL_LOG = 4 * 1024 * 1024;

/**
 * Opens a connection. The driver is loaded by the first call, because that alone costs half a process start.
 *
 * @param busyTimeout how long to wait for a lock, milliseconds.
 * @throws {StashError} `no-store` where the driver cannot be loaded.
 */
export function connect(path: string, options: { readonly: boolean; busyTimeout: number }): Connection {
	if (path.trim() !== path) {
		throw new StashError(
			'refused',
			`will not use '${path}' as a stash: the path begins or ends in white space`,
		);
	}

	try {
		const Driver = createRequire(import.meta.url)('better-sqlite3') as typeof BetterSqlite3;
		return new Driver(path, {
			readonly: options.readonly,
			fileMustExist: true,
			timeout: options.busyTimeout,
		});
	} catch (error) {
		if (isSqliteFailure(error)) {
			throw error;
		}

		const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
		throw new StashError('no-store', `cannot load the SQLite driver (${reason}); reinstall better-sqlite3`, {
			cause: error,
		});
	}
}

/** Sets up a connection that writes. A database without a page yet becomes ours in layout. */
export function configureForWriting(connection: Connection, busyTimeout: number): void {
	// The log is folded into the database by our own rule (see log.ts), never inside a commit.
	connection.exec(
		`PRAGMA cache_size = -${CACHE_SIZE};
		PRAGMA synchronous = NORMAL;
		PRAGMA foreign_keys = ON;
		PRAGMA wal_autocheckpoint = 0;
		PRAGMA journal_size_limit = ${SMALL_LOG};`,
	);

	const deadline = performance.now() + busyTimeout;
	for (;;) {
		try {
			if (connection.pragma('journal_mode', { simple: true }) !== 'wal') {
				// Both count only before the first page is written, and what follows writes it.
				connection.exec(`PRAGMA page_size = ${PAGE_SIZE}; PRAGMA auto_vacuum = INCREMENTAL;`);
				connection.pragma('journal_mode = WAL');
			}

			return;
		} catch (error) {
			// The change of mode does not wait by itself for another process that changes it too.
			if (!isLocked(error) || performance.now() >= deadline) {
				throw error;
			}

			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
		}
	}
}

/** Sets up a connection that only reads. */
export function configureForReading(connection: Connection): void {
	connection.exec(`PRAGMA cache_size = -${CACHE_SIZE};`);
}

/** Runs work in one transaction that holds the write lock from its first moment; all of it or nothing happens. */
export function writeTransaction<Result>(connection: Connection, work: () => Result): Result {
	connection.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		connection.exec('COMMIT');
		return result;
	} catch (error) {
		// SQLite has rolled back by itself where it could not go on, for want of room for instance.
		if (connection.inTransaction) {
			connection.exec('ROLLBACK');
		}

		throw error;
	}
}
