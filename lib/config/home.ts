/** The home directory that is trusted: the password database's, not the environment's. */

import os from 'node:os';
import path from 'node:path';

/**
 * The home directory that the password database gives for the user who runs this process. `$HOME` is never asked:
 * whoever sets the environment must not be able to move the databases.
 *
 * @returns `undefined` where the user has no entry, or one without an absolute path.
 */
export function realHome(): string | undefined {
	try {
		const { homedir } = os.userInfo();
		return path.isAbsolute(homedir) ? path.resolve(homedir) : undefined;
	} catch {
		return undefined;
	}
}
