/**
 * When the write-ahead log is folded into the database, and by whom.
 *
 * A payload of 64 MiB is written to the log in 0.16 s; to fold it in, which flushes it to the disk twice, takes
 * 0.4 to 0.6 s more. A session that wrote a large log therefore leaves it behind, whole and valid: opening it
 * again costs 20 ms. The next session that writes folds it in when it closes, by then mostly from a disk that has
 * caught up. A session that leaves a small log folds it in at once (2 ms), so that there is usually none.
 */

import { type Connection, connect, SMALL_LOG } from './connection.js';
import { logOf, sizeOf } from './files.js';

/** Bytes of log that a session does not add to before it folds them in: the bound while nobody closes in peace. */
const LARGE_LOG = 128 * 1024 * 1024;

/** Bytes that may lie free in the database for later payloads before some are given back. */
const FREE_BYTES = 64 * 1024 * 1024;

/** Bytes given back by one session at most; about 20 ms. */
const BYTES_GIVEN_BACK = 4 * 1024 * 1024;

/** Whether a session finds a log that an earlier one left for it to fold in. */
export function inheritsLog(path: string): boolean {
	return sizeOf(logOf(path)) > SMALL_LOG;
}

/**
 * Readies the log for a write. A large log is folded in before it grows further. So is a small one before a large
 * write, in a few milliseconds: only a log without a committed page can be emptied on a disk that the write filled.
 *
 * @param size of what is to be written, bytes.
 */
export function prepareLog(connection: Connection, path: string, busyTimeout: number, size: number): void {
	const found = sizeOf(logOf(path));
	if (found > LARGE_LOG) {
		fold(connection, busyTimeout, 'TRUNCATE');
	} else if (size > SMALL_LOG && found > 0 && found <= SMALL_LOG) {
		// The file keeps its length: one that was cut to nothing is flushed when it is closed, by some file systems.
		fold(connection, busyTimeout, 'RESTART');
	}
}

/** Gives back the room that a failed write took in the log: there may be none left. Never throws. */
export function emptyLog(connection: Connection, path: string, busyTimeout: number): void {
	try {
		if (sizeOf(logOf(path)) > SMALL_LOG) {
			fold(connection, busyTimeout, 'TRUNCATE');
		}
	} catch {
		// The failure of the write is what counts.
	}
}

/** Folds in as much of the log as can be without waiting, and starts it afresh, or empties its file, where nobody reads it. */
function fold(connection: Connection, busyTimeout: number, mode: 'RESTART' | 'TRUNCATE'): void {
	connection.pragma('busy_timeout = 0');
	try {
		connection.pragma(`wal_checkpoint(${mode})`);
	} finally {
		connection.pragma(`busy_timeout = ${busyTimeout}`);
	}
}

/** Closes the connection of a session that wrote. Never throws: what was committed is safe either way. */
export function closeWriter(connection: Connection, path: string, inherited: boolean): void {
	try {
		if (inherited) {
			giveBackPages(connection);
			fold(connection, 0, 'TRUNCATE');
		} else if (sizeOf(logOf(path)) > SMALL_LOG) {
			closeLeavingLog(connection, path);
		} else {
			giveBackPages(connection);
		}
	} catch {
		// All of it is housekeeping, which the next session can do as well.
	}

	try {
		connection.close();
	} catch {
		// SQLite recovers a log that was not closed properly.
	}
}

/** The last connection to close folds the log in, unless it may only read: so one that may only read closes last. */
function closeLeavingLog(connection: Connection, path: string): void {
	const reader = connect(path, { readonly: true, busyTimeout: 0 });
	try {
		reader.pragma('schema_version');
		connection.close();
	} finally {
		reader.close();
	}
}

function giveBackPages(connection: Connection): void {
	const pageSize = connection.pragma('page_size', { simple: true }) as number;
	const free = connection.pragma('freelist_count', { simple: true }) as number;
	const surplus = Math.min(free * pageSize - FREE_BYTES, BYTES_GIVEN_BACK);
	if (surplus > 0) {
		connection.pragma(`incremental_vacuum(${Math.ceil(surplus / pageSize)})`);
	}
}
