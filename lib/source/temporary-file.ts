/** A file on disk that has no name: nobody else can open it, and it is gone when its descriptor is closed. */

import fs from 'node:fs';
import path from 'node:path';
import { ensurePrivateDirectory } from '../config/private-directory.js';
import { systemReason } from '../config/reason.js';
import { SpoolFullError } from './errors.js';

/** Where a spool goes when the data directory cannot take it. Not /tmp, which may be a tmpfs: memory, that is. */
export const SHARED_SPOOL_DIRECTORY = '/var/tmp';

const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_DIRECTORY } = fs.constants;

/** Linux: a file that never has a name. Node does not name the flag. */
const O_TMPFILE = 0o20_000_000 | O_DIRECTORY;

function openIn(directory: string): number {
	if (process.platform === 'linux') {
		try {
			// O_EXCL: nor can it be given one.
			return fs.openSync(directory, O_TMPFILE | O_RDWR | O_EXCL, 0o600);
		} catch {
			// Not every file system can; whatever else is wrong shows again below.
		}
	}

	const file = path.join(directory, `.tokenless-spool-${crypto.randomUUID()}`);
	const descriptor = fs.openSync(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
	try {
		fs.unlinkSync(file);
		return descriptor;
	} catch (error) {
		fs.closeSync(descriptor);
		throw error;
	}
}

/**
 * Opens a private file for reading and writing and sees that it has no name.
 *
 * @param directories tried in this order. One that is missing is created (0700), the shared one apart.
 * @returns its descriptor; the caller closes it.
 * @throws {SpoolFullError} when no directory can hold a file.
 */
export function openTemporaryFile(directories: readonly string[]): number {
	let reason: unknown = new Error('no directory was given');
	for (const directory of directories) {
		try {
			if (directory !== SHARED_SPOOL_DIRECTORY) {
				ensurePrivateDirectory(directory);
			}

			return openIn(directory);
		} catch (error) {
			reason = error;
		}
	}

	throw new SpoolFullError(`no directory can hold a temporary file: ${systemReason(reason)}`, {
		cause: reason,
	});
}
