/** Which database paths are trusted. Every case is a real tree of directories and links. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveDataDirectory } from '../../lib/config/data-directory.js';
import { type DatabaseKind, resolveDatabasePath, resolveStashPath } from '../../lib/config/database-path.js';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'tokenless-test-')));
afterAll(() => fs.rmSync(root, { recursive: true }));

const home = path.join(root, 'home', 'user');
const data = path.join(root, 'srv', 'data');
const outside = path.join(root, 'outside');
const standard = path.join(home, '.tokenless', 'stash.db');

for (const directory of [home, `${home}2`, data, `${data}-other`, outside, path.join(home, 'sub')]) {
	fs.mkdirSync(directory, { recursive: true });
}

fs.writeFileSync(path.join(home, 'file'), '');
fs.writeFileSync(path.join(outside, 'real.db'), '');
fs.writeFileSync(path.join(home, 'real.db'), '');
fs.symlinkSync(path.join(outside, 'real.db'), path.join(home, 'link-out.db'));
fs.symlinkSync(path.join(home, 'real.db'), path.join(home, 'link-in.db'));
fs.symlinkSync(path.join(home, 'nothing'), path.join(home, 'dangling'));
fs.symlinkSync(outside, path.join(home, 'door-out'));
fs.symlinkSync(path.join(home, 'sub'), path.join(outside, 'door-in'));
fs.symlinkSync(path.join(home, 'loop'), path.join(home, 'loop'));
fs.symlinkSync(home, path.join(root, 'home-link'));
fs.symlinkSync(data, path.join(root, 'data-link'));
fs.symlinkSync('/', path.join(root, 'root-link'));
fs.symlinkSync(home, path.join(home, 'line\nbreak'));

describe('a file-level override', () => {
	const accepted: [file: string, resolved: string][] = [
		[`${home}/new.db`, `${home}/new.db`],
		[`${home}/real.db`, `${home}/real.db`],
		[`${home}/sub/new.db`, `${home}/sub/new.db`],
		[`${home}/not/there/yet/new.db`, `${home}/not/there/yet/new.db`],
		[`${home}//sub/./new.db`, `${home}/sub/new.db`],
		[`${home}/sub/..new.db`, `${home}/sub/..new.db`],
		[`${data}/other.db`, `${data}/other.db`],
		['~/new.db', `${home}/new.db`],
		[`${root}/home-link/new.db`, `${home}/new.db`],
		[`${outside}/door-in/new.db`, `${home}/sub/new.db`],
	];

	const refused: [file: string, reason: RegExp][] = [
		['', /not an absolute path/],
		[`${home}/stash.db-wal`, /for itself/],
		[`${home}/new.db-shm`, /for itself/],
		['~/new.db-journal', /for itself/],
		['new.db', /not an absolute path/],
		['./new.db', /not an absolute path/],
		['~', /not an absolute path/],
		['~other/new.db', /not an absolute path/],
		['../new.db', /not an absolute path/],
		[`${home}/../user/new.db`, /contains '\.\.'/],
		[`${home}/sub/../new.db`, /contains '\.\.'/],
		['~/../user/new.db', /contains '\.\.'/],
		[`${home}/..`, /contains '\.\.'/],
		[`${outside}/new.db`, /outside the home directory and the data directory/],
		[`${home}2/new.db`, /outside/],
		[`${data}-other/new.db`, /outside/],
		[home, /outside/],
		[data, /outside/],
		['/', /names a directory/],
		[`${home}/new.db/`, /names a directory/],
		[`${home}/.`, /names a directory/],
		[`${home}/sub`, /not a regular file/],
		[`${home}/link-out.db`, /symbolic link/],
		[`${home}/link-in.db`, /symbolic link/],
		[`${home}/dangling`, /symbolic link/],
		[`${home}/loop`, /symbolic link/],
		[`${home}/door-out/new.db`, /outside/],
		[`${home}/door-out/not/yet/new.db`, /outside/],
		[`${home}/dangling/new.db`, /ENOENT: no such file or directory$/],
		[`${home}/loop/new.db`, /ELOOP/],
		[`${home}/file/new.db`, /ENOTDIR/],
		[`${home}/nul\0.db`, /no such name is possible/],
		[`${outside}/nul\0.db/x.db`, /no such name is possible/],
		[`${home}/${'x'.repeat(300)}/new.db`, /ENAMETOOLONG/],
	];

	const environment = { TOKENLESS_DATA_DIR: data };

	test.each(accepted)('%s is taken, from flag and variable', (file, resolved) => {
		const expected = { path: resolved, dataDirectory: data, refusals: [] };
		expect(resolveStashPath({ flag: file, environment, home })).toEqual(expected);
		expect(resolveStashPath({ environment: { ...environment, TOKENLESS_STASH_DB: file }, home })).toEqual(
			expected,
		);
	});

	test.each(refused)('%j is refused, and the next source used', (file, reason) => {
		const fromFlag = resolveStashPath({
			flag: file,
			environment: { ...environment, TOKENLESS_STASH_DB: `${home}/second.db` },
			home,
		});
		expect(fromFlag.path).toBe(`${home}/second.db`);
		expect(fromFlag.refusals).toHaveLength(1);
		expect(fromFlag.refusals[0]).toMatch(/^--stash-db '.*' refused: /);
		expect(fromFlag.refusals[0]).toMatch(reason);

		// An empty variable is not set.
		if (file !== '') {
			const fromVariable = resolveStashPath({
				environment: { ...environment, TOKENLESS_STASH_DB: file },
				home,
			});
			expect(fromVariable.path).toBe(`${data}/stash.db`);
			expect(fromVariable.refusals).toHaveLength(1);
			expect(fromVariable.refusals[0]).toMatch(/^TOKENLESS_STASH_DB '.*' refused: /);
			expect(fromVariable.refusals[0]).toMatch(reason);
		}
	});

	test('both refused: both reasons, then the standard file', () => {
		const location = resolveStashPath({
			flag: 'relative',
			environment: { TOKENLESS_STASH_DB: '/etc/x.db' },
			home,
		});
		expect(location.path).toBe(standard);
		expect(location.refusals.map((line) => line.split(' ')[0])).toEqual(['--stash-db', 'TOKENLESS_STASH_DB']);
	});

	test('the flag goes first', () => {
		const location = resolveStashPath({
			flag: `${home}/one.db`,
			environment: { TOKENLESS_STASH_DB: `${home}/two.db` },
			home,
		});
		expect(location.path).toBe(`${home}/one.db`);
	});

	test('a reason is one line whatever the path', () => {
		const { refusals } = resolveStashPath({ flag: '/a\nb\u001b[31m/x.db', environment: {}, home });
		expect(refusals).toHaveLength(1);
		expect(refusals[0]).toMatch(/^[\x20-\x7e]+$/);
		const loop = resolveStashPath({ flag: `${home}/line\nbreak/loop/x.db`, environment: {}, home });
		expect(loop.refusals[0]).toMatch(/^[\x20-\x7e]+ELOOP[\x20-\x7e]+$/);
	});

	test('a home that is the root allows nothing by itself', () => {
		const location = resolveStashPath({
			flag: `${outside}/new.db`,
			environment: { TOKENLESS_DATA_DIR: data },
			home: '/',
		});
		expect(location.path).toBe(`${data}/stash.db`);
		expect(location.refusals).toHaveLength(1);
	});

	test('another database follows the same rules under its own names', () => {
		const kind: DatabaseKind = { file: 'stats.db', flag: '--stats-db', variable: 'TOKENLESS_STATS_DB' };
		const resolve = (value: string): unknown =>
			resolveDatabasePath(kind, {
				environment: { TOKENLESS_STATS_DB: value, TOKENLESS_STASH_DB: `${home}/x` },
				home,
			});
		expect(resolve(`${home}/s.db`)).toMatchObject({ path: `${home}/s.db`, refusals: [] });
		expect(resolve('s.db')).toMatchObject({
			path: `${home}/.tokenless/stats.db`,
			refusals: ["TOKENLESS_STATS_DB 's.db' refused: it is not an absolute path"],
		});
	});
});

describe('the data directory', () => {
	test.each<[string | undefined, string]>([
		[undefined, `${home}/.tokenless`],
		['', `${home}/.tokenless`],
		[data, data],
		[`${data}/`, data],
		[`${data}/./new/`, `${data}/new`],
		[`${outside}/a/b/c`, `${outside}/a/b/c`],
		[`${root}/data-link`, data],
		[`${root}/data-link/deeper`, `${data}/deeper`],
		[home, home],
	])('%j is %s', (value, directory) => {
		expect(resolveDataDirectory({ TOKENLESS_DATA_DIR: value }, home)).toEqual({ directory });
		expect(resolveStashPath({ environment: { TOKENLESS_DATA_DIR: value }, home })).toEqual({
			path: `${directory}/stash.db`,
			dataDirectory: directory,
			refusals: [],
		});
	});

	test.each([
		['relative', /not an absolute path/],
		['.', /not an absolute path/],
		['~/data', /not an absolute path/],
		['/', /the root of the file system/],
		['//', /the root of the file system/],
		['/./', /the root of the file system/],
		[`${root}/root-link`, /the root of the file system/],
		[`${data}/../data`, /contains '\.\.'/],
		[`${data}/..`, /contains '\.\.'/],
		[`${home}/file`, /not a directory/],
		[`${home}/file/below`, /ENOTDIR/],
		[`${home}/dangling`, /ENOENT/],
		[`${home}/dangling/below`, /ENOENT/],
		[`${home}/loop/below`, /ELOOP/],
		['/nul\0byte', /no such name is possible/],
	])('%j leaves no database, whatever the overrides say', (value, reason) => {
		const location = resolveStashPath({
			flag: `${home}/fine.db`,
			environment: { TOKENLESS_DATA_DIR: value, TOKENLESS_STASH_DB: `${home}/fine.db` },
			home,
		});
		expect(location.path).toBeUndefined();
		expect(location.dataDirectory).toBeUndefined();
		expect(location.refusals).toHaveLength(1);
		expect(location.refusals[0]).toMatch(/^TOKENLESS_DATA_DIR '.*' refused: /);
		expect(location.refusals[0]).toMatch(reason);
	});

	test('without a home there is none, unless it is named', () => {
		const nowhere = resolveStashPath({ flag: `${root}/x.db`, environment: {}, home: undefined });
		expect(nowhere.path).toBeUndefined();
		expect(nowhere.refusals).toEqual([
			'no data directory: this user has no home in the password database; set TOKENLESS_DATA_DIR',
		]);

		const named = resolveStashPath({ environment: { TOKENLESS_DATA_DIR: data }, home: undefined });
		expect(named).toEqual({ path: `${data}/stash.db`, dataDirectory: data, refusals: [] });

		const tilde = resolveStashPath({
			flag: '~/x.db',
			environment: { TOKENLESS_DATA_DIR: data },
			home: undefined,
		});
		expect(tilde.path).toBe(`${data}/stash.db`);
		expect(tilde.refusals).toHaveLength(1);
	});

	test('a standard database that is a link is not used', () => {
		const trap = path.join(root, 'trap');
		fs.mkdirSync(trap);
		fs.symlinkSync(path.join(outside, 'real.db'), path.join(trap, 'stash.db'));
		const location = resolveStashPath({ environment: { TOKENLESS_DATA_DIR: trap }, home });
		expect(location).toEqual({
			path: undefined,
			dataDirectory: trap,
			refusals: [`database '${trap}/stash.db' refused: it is a symbolic link`],
		});
	});

	test('a home that is a link is followed', () => {
		const link = path.join(root, 'home-link');
		expect(resolveStashPath({ environment: {}, home: link }).path).toBe(standard);
		expect(resolveStashPath({ flag: `${home}/x.db`, environment: {}, home: link }).path).toBe(`${home}/x.db`);
		expect(resolveStashPath({ flag: '~/x.db', environment: {}, home: link }).path).toBe(`${home}/x.db`);
	});

	test('nothing is created', () => {
		expect(fs.existsSync(path.join(home, '.tokenless'))).toBe(false);
		expect(fs.existsSync(path.join(outside, 'a'))).toBe(false);
	});
});
