#!/usr/bin/env node
/** The executable: hands the command line over and ends with its exit code. */

import { main } from '../lib/cli/main.js';

main(process.argv.slice(2)).then((exitCode) => {
	process.exitCode = exitCode;
});
