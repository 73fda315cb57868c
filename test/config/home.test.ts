/** The real home and private directories, in processes with another umask, another $HOME, another user. */

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { DatabaseLocation } from '../../lib/config/database-path.js';
import { ensurePrivateDirectory } from '../../lib/config/private-directory.js';
import type { SettingsResult } from '../../lib/config/settings.js';
import { bundle, temporaryDirectory } from '../source/bundle.js';

const directory = temporaryDirectory();
const program = bundle(new URL('children/home.ts', import.meta.url), directory);
afterAll(() => fs.rmSync(directory, { recursive: true }));

const isRoot = process.getuid?.() === 0;

interface Report extends SettingsResult {
	home?: string;
	stash: DatabaseLocation;
}

function run(script: string, environment: Record<string, string>, uid?: number): Report {
	const child = spawnSync('sh', ['-c', script, 'sh', process.execPath, program], {
		env: { PATH: process.env.PATH, ...environment },
		...(uid === undefined ? {} : { uid, gid: uid }),
	});
	expect(child.stderr.toString()).toBe('');
	return JSON.parse(child.stdout.toString()) as Report;
}

/** The home in the password database, asked by other means. */
function homeInPasswordDatabase(): string {
	const entry = execFileSync('python3', [
		'-c',
		'import os, pwd; print(pwd.getpwuid(os.getuid()).pw_dir, end="")',
	]);
	return entry.toString();
}

describe('the real home', () => {
	test('is not $HOME', () => {
		const trap = path.join(directory, 'trap');
		fs.mkdirSync(path.join(trap, '.tokenless'), { recursive: true });
		fs.writeFileSync(path.join(trap, '.tokenless', 'config.json'), '{broken');
		const report = run('"$@"', { HOME: trap });
		expect(report.home).toBe(homeInPasswordDatabase());
		expect(report.warning ?? '').not.toContain(trap);
		expect(JSON.stringify(report.stash)).not.toContain(trap);
	});

	// Only root can become a user that does not exist; others do so in a namespace of their own.
	const unknownUser = isRoot ? 54_321 : undefined;
	const script = isRoot ? '"$@"' : 'exec unshare --user --map-user=54321 "$@"';

	test('of a user without an entry: none, and no database', () => {
		const report = run(script, { HOME: directory }, unknownUser);
		expect(report.home).toBeUndefined();
		expect(report.stash.path).toBeUndefined();
		expect(report.stash.refusals[0]).toMatch(/no home in the password database; set TOKENLESS_DATA_DIR/);
		expect(report.settings.statsEnabled).toBe(true);
	});

	test('of a user without an entry who names a data directory: that', () => {
		const report = run(script, { TOKENLESS_DATA_DIR: directory }, unknownUser);
		expect(report.stash).toEqual({
			path: path.join(directory, 'stash.db'),
			dataDirectory: directory,
			refusals: [],
		});
	});
});

describe('a private directory', () => {
	test.each(['000', '022', '077', '777', '277'])('is for its user alone under umask %s', (umask) => {
		const base = path.join(directory, `umask-${umask}`);
		fs.mkdirSync(base);
		fs.chmodSync(base, 0o777);
		const created = path.join(base, 'one', 'two', 'three');
		// Not as root, whom a directory without permissions would not stop.
		run(`umask ${umask}; exec "$@" '${created}'`, {}, isRoot ? 65_534 : undefined);
		for (let part = created; part !== base; part = path.dirname(part)) {
			expect(fs.statSync(part).mode & 0o7777).toBe(0o700);
		}
	});

	test('that exists stays as it is', () => {
		const existing = path.join(directory, 'existing');
		fs.mkdirSync(existing);
		fs.chmodSync(existing, 0o750);
		ensurePrivateDirectory(existing);
		ensurePrivateDirectory(`${existing}/`);
		expect(fs.statSync(existing).mode & 0o777).toBe(0o750);
	});

	test('may be there by a link', () => {
		const link = path.join(directory, 'link');
		fs.symlinkSync(os.tmpdir(), link);
		ensurePrivateDirectory(link);
		expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
	});

	test.each([
		['a file of that name', program, 'EEXIST'],
		['a file on the way', path.join(program, 'below'), 'ENOTDIR'],
	])('cannot be made: %s', (_, place, code) => {
		expect(() => ensurePrivateDirectory(place)).toThrow(expect.objectContaining({ code }));
	});

	test('by a user who may not', () => {
		const closed = path.join(directory, 'closed');
		fs.mkdirSync(closed);
		fs.chmodSync(closed, 0o555);
		const child = spawnSync(process.execPath, [program, path.join(closed, 'new')], {
			...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
		});
		expect(child.status).not.toBe(0);
		expect(child.stderr.toString()).toContain('EACCES');
	});
});
