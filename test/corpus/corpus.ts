/** Where the corpus lies: real inputs that are no part of the project. */

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.resolve(
	process.env.TOKENLESS_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url)),
);

/** A folder of the corpus. */
export function corpus(name: string): string {
	const directory = path.join(folder, name);
	if (!fs.existsSync(directory)) {
		throw new Error(`there is no corpus at ${directory}; say where it is with TOKENLESS_CORPUS`);
	}

	return directory;
}

/** Names of the files in it, in order. */
export function filesOf(directory: string): string[] {
	return fs.readdirSync(directory).sort();
}
