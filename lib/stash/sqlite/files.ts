/** The files of a database: made private, checked for what they are, and recognised again. */

import {
	chmodSync,
	closeSync,
	constants,
	fchmodSync,
	lstatSync,
	mkdirSync,
	openSync,
	type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { StashError } from '../errors.js';
import { asStashError } from './failures.js';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
const PERMISSION_BITS = 0o7777;

/** The write-ahead log of a database. */
export function logOf(path: string): string {
	return `${path}-wal`;
}

/** The file that a path leads to, as long as it is not removed or replaced. */
export interface FileIdentity {
	readonly device: number;
	readonly inode: number;
}

/**
 * The identity of a file, or nothing where there is none.
 *
 * @throws {StashError} `unreadable` where that cannot be found out.
 */
export function identify(path: string): FileIdentity | undefined {
	try {
		const stats = statsOf(path);
		return stats === undefined ? undefined : { device: stats.dev, inode: stats.ino };
	} catch (error) {
		throw asStashError(error, path, 'read');
	}
}

/** Whether a path still leads to the file it led to. */
export function isSameFile(path: string, identity: FileIdentity): boolean {
	const current = identify(path);
	return current?.device === identity.device && current.inode === identity.inode;
}

/** Size in bytes, 0 where there is no file. */
export function sizeOf(path: string): number {
	return statsOf(path)?.size ?? 0;
}

/**
 * Sees to it that a database can be opened for writing and by nobody else: makes its directory (0700) and an
 * empty file (0600) where they are missing, whatever the umask, and takes everybody else's rights away from
 * files that exist. A directory that exists is left as it is: it may be somebody's home.
 *
 * @throws {StashError} `refused` for anything but a regular file, `unwritable`, `full`.
 */
export function preparePrivateFile(path: string): void {
	try {
		makeDirectory(dirname(path));
		if (!createFile(path)) {
			for (const file of [path, logOf(path), `${path}-shm`]) {
				makePrivate(file);
			}
		}
	} catch (error) {
		throw asStashError(error, path, 'write');
	}
}

/**
 * Checks that there is a database to read.
 *
 * @throws {StashError} `missing`, `refused` for anything but a regular file, `unreadable`.
 */
export function checkReadableFile(path: string): void {
	let stats: Stats | undefined;
	try {
		stats = statsOf(path);
	} catch (error) {
		throw asStashError(error, path, 'read');
	}

	if (stats === undefined) {
		throw new StashError(
			'missing',
			`there is no stash at ${path}: nothing was stored there yet (see --stash-db)`,
		);
	}

	assertRegular(path, stats);
}

function statsOf(path: string): Stats | undefined {
	return lstatSync(path, { throwIfNoEntry: false });
}

function assertRegular(path: string, stats: Stats): void {
	if (!stats.isFile()) {
		const what = stats.isSymbolicLink()
			? 'a symbolic link'
			: stats.isDirectory()
				? 'a directory'
				: 'no regular file';
		throw new StashError('refused', `will not use ${path} as a stash: it is ${what}; choose another path`);
	}
}

function makeDirectory(path: string): void {
	if (statsOf(path) !== undefined) {
		return;
	}

	makeDirectory(dirname(path));
	try {
		mkdirSync(path, { mode: PRIVATE_DIRECTORY });
	} catch (error) {
		// Another process may have been faster; what it made is as private as ours.
		if (statsOf(path) === undefined) {
			throw error;
		}

		return;
	}

	chmodSync(path, PRIVATE_DIRECTORY);
}

/** @returns whether there was none before. */
function createFile(path: string): boolean {
	// An existing file must not be opened here: to close it would end the locks that this process holds on it
	// through SQLite. Hence O_EXCL, and the check by name below.
	let file: number;
	try {
		file = openSync(
			path,
			constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
			PRIVATE_FILE,
		);
	} catch (error) {
		if (statsOf(path) !== undefined) {
			return false;
		}

		throw error;
	}

	try {
		fchmodSync(file, PRIVATE_FILE);
	} finally {
		closeSync(file);
	}

	return true;
}

function makePrivate(path: string): void {
	const stats = statsOf(path);
	if (stats === undefined) {
		return;
	}

	assertRegular(path, stats);
	if ((stats.mode & PERMISSION_BITS) !== PRIVATE_FILE) {
		chmodSync(path, PRIVATE_FILE);
	}
}
