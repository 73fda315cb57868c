/** Turns what SQLite and the file system say into a `StashError` that says what happened, where, and what to do. */

import { StashError, type StashFailure } from '../errors.js';

/** What was being done when it failed. */
export type Intent = 'read' | 'write';

interface Coded {
	readonly code: string;
	readonly message: string;
}

function isCoded(error: unknown): error is Coded {
	return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** Whether SQLite itself said this. */
export function isSqliteFailure(error: unknown): boolean {
	return isCoded(error) && error.code.startsWith('SQLITE_');
}

/** Whether it is that a lock was held by somebody else. */
export function isLocked(error: unknown): boolean {
	return isCoded(error) && kindOfSqlite(error.code, 'read') === 'locked';
}

/**
 * The `StashError` for what SQLite or the file system threw; anything else is given back as it is, because it
 * came from the caller's own code.
 */
export function asStashError(error: unknown, path: string, intent: Intent): unknown {
	if (error instanceof StashError || !isCoded(error)) {
		return error;
	}

	if (isSqliteFailure(error)) {
		return failure(kindOfSqlite(error.code, intent), path, intent, error);
	}

	return /^E[A-Z0-9]+$/.test(error.code)
		? failure(kindOfSystem(error.code, intent), path, intent, error)
		: error;
}

function kindOfSqlite(code: string, intent: Intent): StashFailure {
	// SQLite grows the shared index of the log in steps; a disk without room for a step says so in its own way.
	if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') {
		return 'full';
	}

	if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) {
		return 'locked';
	}

	if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
		return 'corrupt';
	}

	return /^SQLITE_(READONLY|PERM|CANTOPEN|AUTH)/.test(code) ? forbidden(intent) : 'unavailable';
}

function kindOfSystem(code: string, intent: Intent): StashFailure {
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return 'full';
		case 'EACCES':
		case 'EPERM':
		case 'EROFS':
			return forbidden(intent);
		case 'ELOOP':
		case 'ENOTDIR':
		case 'EISDIR':
		case 'ENAMETOOLONG':
			return 'refused';
		default:
			return 'unavailable';
	}
}

function forbidden(intent: Intent): StashFailure {
	return intent === 'read' ? 'unreadable' : 'unwritable';
}

const REMEDIES: Partial<Record<StashFailure, string>> = {
	full: 'there is no room on the disk; free some or choose another place',
	locked: 'another process kept it locked; try again',
	corrupt: 'it is damaged; move it away and a new one will be made',
	unwritable: 'it or its directory is not writable; check the permissions or choose another place',
	unreadable: 'it or its directory is not readable; check the permissions',
	refused: 'the path does not lead to a regular file; choose another one',
};

function failure(kind: StashFailure, path: string, intent: Intent, cause: Coded): StashError {
	const remedy = REMEDIES[kind] ?? 'try again, or choose another place';
	const reason = cause.message.replace(/\s+/g, ' ');
	return new StashError(kind, `cannot ${intent} the stash ${path}: ${remedy} (${cause.code}: ${reason})`, {
		cause,
	});
}
