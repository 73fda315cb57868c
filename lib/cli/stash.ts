/** Which stash a command uses: the flag's, the environment's or the default one. */

import { type DatabaseLocation, resolveStashPath } from '../config/database-path.js';
import { realHome } from '../config/home.js';

/** Finds the database. Which of the places that were asked for are not used, and why, is for the caller to say. */
export function locateStash(flag: string | undefined): DatabaseLocation {
	return resolveStashPath({ flag, environment: process.env, home: realHome() });
}
