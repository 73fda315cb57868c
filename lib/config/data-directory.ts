/** Where our state lives: `TOKENLESS_DATA_DIR`, else `.tokenless` in the real home. */

import fs from 'node:fs';
import path from 'node:path';
import { canonicalize, hasParentTraversal } from './canonical.js';
import { quote } from './quote.js';
import { systemReason } from './reason.js';

/** The variables of the environment; `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A directory to use, or the reason (one line) why there is none. */
export type DataDirectory =
	| { readonly directory: string; readonly refusal?: undefined }
	| { readonly directory?: undefined; readonly refusal: string };

const VARIABLE = 'TOKENLESS_DATA_DIR';

/**
 * Finds the data directory, in canonical form. Nothing is created.
 *
 * `TOKENLESS_DATA_DIR` may point anywhere: setting it is a decision to trust the place. It has to be absolute, free of
 * `..`, and not the root. One that is invalid leaves no data directory at all, rather than one under the home that the
 * caller wanted to keep clear of. An empty one counts as not set.
 *
 * @param home the real home (`realHome()`).
 */
export function resolveDataDirectory(environment: Environment, home: string | undefined): DataDirectory {
	const chosen = environment[VARIABLE];
	if (chosen !== undefined && chosen !== '') {
		return judge(chosen, `${VARIABLE} ${quote(chosen)}`);
	}

	if (home === undefined) {
		return { refusal: `no data directory: this user has no home in the password database; set ${VARIABLE}` };
	}

	const standard = path.join(home, '.tokenless');
	return judge(standard, `data directory ${quote(standard)}`);
}

function judge(directory: string, label: string): DataDirectory {
	const refuse = (reason: string): DataDirectory => ({ refusal: `${label} refused: ${reason}` });

	if (!path.isAbsolute(directory)) {
		return refuse('it is not an absolute path');
	}

	if (hasParentTraversal(directory)) {
		return refuse("it contains '..'");
	}

	try {
		const canonical = canonicalize(directory);
		if (canonical === path.parse(canonical).root) {
			return refuse('it is the root of the file system');
		}

		if (fs.statSync(canonical, { throwIfNoEntry: false })?.isDirectory() === false) {
			return refuse('it is not a directory');
		}

		return { directory: canonical };
	} catch (error) {
		return refuse(systemReason(error));
	}
}
