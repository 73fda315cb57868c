/** Who may see what: nobody else, whatever the umask; and which home is meant, whatever the environment. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { modeOf } from '../../stash/support/places.js';
import { executable, temporaryDirectory } from '../run.js';
import { type OpenSpool, openSpool, sizeOf, start, stop, until, untilLogExceeds } from './children.js';
import { expectOneLine, MEBIBYTE, numbers, Records, stashOf } from './inputs.js';

const absent = '0123456789abcdef01234567';

describe.each(['000', '777'])('under umask %s', (umask) => {
	it('the directories are 0700 and the database, its log and its index 0600, while they are written and after', async () => {
		const parent = path.join(temporaryDirectory(), 'one');
		const dataDirectory = path.join(parent, 'two');
		const stash = stashOf(dataDirectory);
		const child = start(['compress-response'], {
			dataDirectory,
			umask,
			input: new Records(6 * MEBIBYTE).labelled('private'),
		});
		expect(await untilLogExceeds(stash, 0, child)).toBe(true);
		await stop(child);
		const modes = () =>
			fs.readdirSync(dataDirectory).map((name) => [name, modeOf(path.join(dataDirectory, name))]);
		expect(modes()).toEqual([
			['stash.db', '600'],
			['stash.db-shm', '600'],
			['stash.db-wal', '600'],
		]);
		expect([modeOf(parent), modeOf(dataDirectory)]).toEqual(['700', '700']);

		child.process.kill('SIGCONT');
		const { exitCode, stderr } = await child.result();
		expect([exitCode, stderr]).toEqual([0, '']);
		expect(modes().map(([, mode]) => mode)).toEqual(modes().map(() => '600'));
		expect(sizeOf(stash)).toBeGreaterThan(0);
	});

	it('what waits of a pipe is in a file without a name that nobody else may open', async () => {
		const dataDirectory = path.join(temporaryDirectory(), 'data');
		const child = start(['compress-response'], { dataDirectory, umask });
		child.process.stdin?.write(new Records(2 * MEBIBYTE).labelled('waiting'));
		expect(await until(() => openSpool(child) !== undefined, child)).toBe(true);
		const { link, name } = openSpool(child) as OpenSpool;
		expect(path.dirname(name)).toBe(fs.realpathSync(dataDirectory));
		expect(fs.statSync(link).nlink).toBe(0);
		// A umask of 777 may take even our own right to open it, had it a name.
		expect(umask === '000' ? ['600'] : ['600', '0']).toContain(modeOf(link));
		expect(fs.readdirSync(dataDirectory)).toEqual([]);
		expect(modeOf(dataDirectory)).toBe('700');

		child.process.stdin?.end();
		const { exitCode, stderr } = await child.result();
		expect([exitCode, stderr]).toEqual([0, '']);
	});
});

describe('in a clean environment', () => {
	/** Nothing of ours, and no HOME unless told. Only what does not write is run here: the home is a real one. */
	function runClean(words: readonly string[], environment: Record<string, string> = {}, input = '') {
		const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...words], {
			env: { PATH: process.env.PATH, ...environment },
			input,
			encoding: 'utf8',
		});
		return { exitCode: status, stdout, stderr };
	}

	function realHome(): string | undefined {
		try {
			return os.userInfo().homedir;
		} catch {
			return undefined;
		}
	}

	const home = realHome();
	const standard = path.join(home ?? '', '.tokenless');
	// Where there is a stash, SQLite makes an index and an empty log beside it in order to read it.
	const listing = () =>
		home !== undefined && fs.existsSync(standard)
			? fs.readdirSync(standard).filter((name) => !/-(shm|wal)$/.test(name))
			: 'nothing';
	// Whether or not the user of this machine has a stash.
	const answer = home === undefined ? /no data directory/ : /there is no stash at |is not in /;

	it.each<[string, Record<string, string>]>([
		['without HOME', {}],
		['with a HOME that is not the home', { HOME: '' }],
	])('retrieve asks the stash of the real home and makes nothing, %s', (_, variables) => {
		const elsewhere = temporaryDirectory();
		const environment = 'HOME' in variables ? { HOME: elsewhere } : variables;
		const before = listing();
		const { exitCode, stdout, stderr } = runClean(['retrieve', absent], environment);
		if (home !== undefined) {
			expectOneLine(stderr, answer);
			expect(stderr).toContain(path.join(fs.realpathSync(home), '.tokenless', 'stash.db'));
		}

		expect(stderr).toMatch(answer);
		expect(exitCode).toBe(1);
		expect(stdout).toBe('');
		expect(listing()).toEqual(before);
		expect(fs.readdirSync(elsewhere)).toEqual([]);
	});

	it('a database outside the real home is refused, also where HOME says that it is inside', () => {
		const elsewhere = temporaryDirectory();
		const before = listing();
		const words = ['retrieve', absent, '--stash-db', path.join(elsewhere, 'stash.db')];
		const { exitCode, stdout, stderr } = runClean(words, { HOME: elsewhere });
		expect(stderr).toMatch(home === undefined ? answer : /^tokenless: --stash-db '[^\n]*' refused: /);
		expect(exitCode).toBe(1);
		expect(stdout).toBe('');
		expect(listing()).toEqual(before);
		expect(fs.readdirSync(elsewhere)).toEqual([]);
	});

	it('compress-response works, and makes nothing where it has nothing to store', () => {
		const before = listing();
		const input = JSON.stringify(JSON.parse(numbers(1, 20)), undefined, 4);
		const { exitCode, stdout, stderr } = runClean(
			['compress-response', '--no-stash'],
			{ TOKENLESS_COMPRESSION_ENABLED: '1' },
			input,
		);
		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(stdout).toBe(`${numbers(1, 20)}\n`);
		expect(listing()).toEqual(before);
	});
});
