/** Programs that tests start as processes of their own, made from TypeScript. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

/** A directory for one test file, which any user may search, so that a child with another uid finds its program. */
export function temporaryDirectory(): string {
	const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'tokenless-test-')));
	fs.chmodSync(directory, 0o755);
	return directory;
}

/**
 * Bundles a program.
 *
 * @param source its TypeScript file.
 * @param directory where the result goes.
 * @returns the path of the result, for `node`.
 */
export function bundle(source: URL, directory: string): string {
	const outfile = path.join(directory, `${path.basename(source.pathname, '.ts')}.mjs`);
	buildSync({
		entryPoints: [source.pathname],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		logLevel: 'error',
	});
	fs.chmodSync(outfile, 0o644);
	return outfile;
}
