/** From a name, or none, to a descriptor that can be read and what kind of thing it is. */

import fs from 'node:fs';
import { isatty } from 'node:tty';
import { quote } from '../config/quote.js';
import { systemReason } from '../config/reason.js';
import { SourceError } from './errors.js';

const { O_RDONLY, O_NOCTTY } = fs.constants;

/**
 * Names of standard input. Opened by these names a socket fails (and a Node parent gives a child a socket), and a file
 * starts anew.
 */
const STDIN_NAMES: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

export interface OpenedInput {
	readonly descriptor: number;
	/** How messages call it. */
	readonly name: string;
	/** Whether the descriptor is ours to close. */
	readonly owned: boolean;
	/** A regular file that can be read in place, from its beginning; otherwise a stream. */
	readonly inPlace: boolean;
	/** Whether the user named a file, rather than sent us what comes from elsewhere. */
	readonly isFile: boolean;
}

/**
 * Opens the named file, or takes standard input where no name, or a name of standard input, is given.
 *
 * @throws {SourceError} when there is nothing that could be read.
 */
export function openDescriptor(file: string | undefined, stdin: number): OpenedInput {
	return file === undefined || STDIN_NAMES.has(file) ? takeStdin(stdin) : openFile(file);
}

function openFile(file: string): OpenedInput {
	const name = quote(file);
	let descriptor: number;
	try {
		descriptor = fs.openSync(file, O_RDONLY | O_NOCTTY);
	} catch (error) {
		throw openingFailed(name, error as NodeJS.ErrnoException);
	}

	try {
		const status = fs.fstatSync(descriptor);
		refuseUnreadable(descriptor, status, name);
		const inPlace = hasContents(status);
		return { descriptor, name, owned: true, inPlace, isFile: inPlace };
	} catch (error) {
		fs.closeSync(descriptor);
		throw error;
	}
}

function takeStdin(descriptor: number): OpenedInput {
	const name = 'standard input';
	let status: fs.Stats;
	try {
		status = fs.fstatSync(descriptor);
	} catch (error) {
		throw closed(error);
	}

	refuseUnreadable(descriptor, status, name);
	const inPlace = hasContents(status) && positionOf(descriptor) === 0;
	return { descriptor, name, owned: false, inPlace, isFile: false };
}

/** @throws {SourceError} for a directory and for a terminal, which would wait for ever. */
function refuseUnreadable(descriptor: number, status: fs.Stats, name: string): void {
	if (status.isDirectory()) {
		throw new SourceError('directory', `cannot read ${name}: it is a directory; name a file in it`);
	}

	if (status.isCharacterDevice() && isatty(descriptor)) {
		throw new SourceError(
			'terminal',
			`no input: ${name} is a terminal; pipe a command's output in, or use --file`,
		);
	}
}

/** Files of the kernel's own declare no size, and yet have something to say: those are streams. */
function hasContents(status: fs.Stats): boolean {
	return status.isFile() && status.size > 0;
}

/**
 * Where the next read of the descriptor would begin: part of it may have been read by the process before us.
 *
 * @returns `undefined` where the system does not tell.
 */
function positionOf(descriptor: number): number | undefined {
	try {
		const match = /^pos:\s*(\d+)$/m.exec(fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
		return match === null ? undefined : Number(match[1]);
	} catch {
		return undefined;
	}
}

function closed(cause: unknown): SourceError {
	return new SourceError('closed', 'no input: standard input is closed; pipe something in, or use --file', {
		cause,
	});
}

/** The error for a descriptor that turned out not to be readable. */
export function readingFailed(name: string, error: NodeJS.ErrnoException): SourceError {
	// Also what a descriptor says that was opened for writing only.
	return error.code === 'EBADF'
		? closed(error)
		: new SourceError('unreadable', `cannot read ${name}: ${systemReason(error)}`, { cause: error });
}

function openingFailed(name: string, error: NodeJS.ErrnoException): SourceError {
	switch (error.code) {
		case 'ENOENT':
		case 'ENOTDIR':
			return new SourceError('missing', `cannot read ${name}: there is no such file; check --file`, {
				cause: error,
			});
		case 'EACCES':
		case 'EPERM':
			return new SourceError(
				'permission',
				`cannot read ${name}: permission denied; check the permissions of the file and its directories`,
				{ cause: error },
			);
		default:
			return new SourceError('unreadable', `cannot read ${name}: ${systemReason(error)}`, { cause: error });
	}
}
