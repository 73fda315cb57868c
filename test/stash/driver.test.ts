/** What is said where SQLite is not to be had. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { databasePath, temporaryDirectory } from './support/places.js';
import { bundleSession, openSession } from './support/sessions.js';

test('where there is no driver there is no store', async () => {
	const script = await bundleSession(temporaryDirectory());
	await expect(openSession(databasePath(), {}, script)).rejects.toMatchObject({ kind: 'no-store' });
});

test('where the driver was not compiled there is no store', async () => {
	const directory = temporaryDirectory();
	for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
		const from = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
		cpSync(from, join(directory, 'node_modules', name), {
			recursive: true,
			filter: (file) => !/[\\/](?:build|deps|src)$/.test(file),
		});
	}

	const script = await bundleSession(directory);
	await expect(openSession(databasePath(), {}, script)).rejects.toMatchObject({
		kind: 'no-store',
		message: expect.stringMatching(/^cannot load the SQLite driver .*bindings.*; reinstall better-sqlite3$/),
	});
});
