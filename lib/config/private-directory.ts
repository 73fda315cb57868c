/** Directories that nobody else may look into. */

import fs from 'node:fs';
import path from 'node:path';

const PRIVATE = 0o700;

/**
 * Creates the directory, and the parents it lacks, with mode 0700 whatever the umask. One that exists is left as it is:
 * its mode was somebody's decision.
 *
 * @throws {NodeJS.ErrnoException} as `mkdir` does; `EEXIST` where something that is no directory has the name.
 */
export function ensurePrivateDirectory(directory: string): void {
	try {
		fs.mkdirSync(directory, PRIVATE);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const parent = path.dirname(directory);
		if (code === 'ENOENT' && parent !== directory) {
			ensurePrivateDirectory(parent);
			// Not a second mkdir here: where another process was faster, that must not be an error.
			ensurePrivateDirectory(directory);
			return;
		}

		if (code === 'EEXIST' && fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
			return;
		}

		throw error;
	}

	// A umask can only take bits away (027 leaves 0700 alone, 0777 does not).
	if ((fs.lstatSync(directory).mode & 0o777) !== PRIVATE) {
		fs.chmodSync(directory, PRIVATE);
	}
}
