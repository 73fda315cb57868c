/** Prints what this process takes for its home and its stash, as JSON, and makes a private directory where told. */

import { resolveStashPath } from '../../../lib/config/database-path.js';
import { realHome } from '../../../lib/config/home.js';
import { ensurePrivateDirectory } from '../../../lib/config/private-directory.js';
import { readSettings } from '../../../lib/config/settings.js';

const home = realHome();
const directory = process.argv[2];
if (directory !== undefined) {
	ensurePrivateDirectory(directory);
}

console.log(
	JSON.stringify({
		home,
		stash: resolveStashPath({ environment: process.env, home }),
		...readSettings(process.env, home),
	}),
);
