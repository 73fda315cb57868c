/** `tokenless retrieve`: what counts as a request, what comes out, and what is said when nothing does. */

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { payloadKey } from '../../lib/stash/keys.js';
import { SqliteStash } from '../../lib/stash/sqlite/store.js';
import { type RunResult, run, runShell, temporaryDirectory } from './run.js';

const absent = '0123456789abcdef01234567';
const TWO_HOURS = 7_200_000;
const NOBODY = 65_534;

/** Puts a payload into the stash of a data directory. @returns its key. */
async function seed(file: string, payload: string | Uint8Array, storedAt = Date.now()): Promise<string> {
	const bytes = Buffer.from(payload);
	const key = await payloadKey(bytes);
	const store = new SqliteStash(file, { now: () => storedAt });
	store.stash([{ key, size: bytes.length, kind: 'items', origin: 'test', chunks: () => [bytes] }]);
	store.close();
	return key;
}

async function seeded(payload: string | Uint8Array, storedAt?: number) {
	const dataDirectory = temporaryDirectory();
	const key = await seed(path.join(dataDirectory, 'stash.db'), payload, storedAt);
	return { dataDirectory, key };
}

function expectFailure({ exitCode, stdout, stderr }: RunResult, message: RegExp): void {
	expect(stderr).toMatch(/^tokenless: [^\n]+\n$/);
	expect(stderr).toMatch(message);
	expect(exitCode).toBe(1);
	expect(stdout.length).toBe(0);
}

describe('retrieve', () => {
	it.each<[string, (key: string) => string]>([
		['a bare hash', (key) => key],
		['a hash in upper case', (key) => key.toUpperCase()],
		['a hash with a newline', (key) => `${key}\n`],
		['a marker', (key) => `<<tokenless:${key}>>`],
		['a marker in upper case', (key) => `<<tokenless:${key.toUpperCase()}>>`],
		[
			'a whole line for the shell',
			(key) => `12 items omitted. If needed, run in shell: tokenless retrieve ${key}`,
		],
		[
			'a whole line for a tool',
			(key) => `12 items omitted. If needed, call tool get_it with hash_or_marker=${key}`,
		],
		['a line of JSON', (key) => `  "7 items omitted. If needed, run in shell: tokenless retrieve ${key}",`],
	])('understands %s', async (_, request) => {
		const { dataDirectory, key } = await seeded('[6,7,8]');
		const { exitCode, stdout, stderr } = run(['retrieve', request(key)], { dataDirectory });
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('[6,7,8]');
		expect(exitCode).toBe(0);
	});

	it.each<[string, Uint8Array]>([
		['every byte there is', Uint8Array.from({ length: 256 }, (_, index) => index)],
		['no byte at all', new Uint8Array()],
		['several chunks', Buffer.alloc(3_000_001, 'payload ')],
	])('prints %s unchanged', async (_, payload) => {
		const { dataDirectory, key } = await seeded(payload);
		const { exitCode, stdout, stderr } = run(['retrieve', key], { dataDirectory });
		expect(stderr).toBe('');
		expect(stdout.equals(payload)).toBe(true);
		expect(exitCode).toBe(0);
	});

	it.each([
		['2-3', 'two\nthree\n'],
		['3-', 'three\nfour'],
		['-2', 'one\ntwo\n'],
		['2', 'two\n'],
		['4', 'four'],
		['1-99', 'one\ntwo\nthree\nfour'],
	])('prints lines %s', async (lines, expected) => {
		const { dataDirectory, key } = await seeded('one\ntwo\nthree\nfour');
		for (const words of [
			['retrieve', key, '--lines', lines],
			['retrieve', `--lines=${lines}`, key],
		]) {
			const { exitCode, stdout, stderr } = run(words, { dataDirectory });
			expect(stderr).toBe('');
			expect(stdout.toString()).toBe(expected);
			expect(exitCode).toBe(0);
		}
	});

	it('says that lines lie behind the end', async () => {
		const { dataDirectory, key } = await seeded('one\ntwo\n');
		const { exitCode, stdout, stderr } = run(['retrieve', key, '--lines', '3-'], { dataDirectory });
		expect(stderr).toBe('tokenless: nothing to print: the payload ends before line 3\n');
		expect(stdout.length).toBe(0);
		expect(exitCode).toBe(0);
	});

	it('ends quietly when its reader has seen enough', async () => {
		const { dataDirectory, key } = await seeded(Buffer.alloc(3_000_000, 'x'));
		const { stdout, stderr } = runShell(`tokenless retrieve ${key} | head -c 1; echo " \${PIPESTATUS[0]}"`, {
			dataDirectory,
		});
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('x 0\n');
	});

	it('says that it cannot write to a full disk', async () => {
		const { dataDirectory, key } = await seeded('[1]');
		expectFailure(runShell(`tokenless retrieve ${key} > /dev/full`, { dataDirectory }), /cannot write/);
	});
});

describe('retrieve of what is no request', () => {
	it.each([
		['a word', 'hello'],
		['nothing', ''],
		['23 digits', absent.slice(1)],
		['25 digits', `${absent}0`],
		['a letter too far', `${absent.slice(1)}g`],
		['an unfinished marker', `<<tokenless:${absent}`],
		['an instruction in a word', `xIf needed, run in shell: tokenless retrieve ${absent}`],
	])('fails on %s before it looks for a database', (_, request) => {
		const dataDirectory = temporaryDirectory();
		expectFailure(run(['retrieve', request], { dataDirectory }), /no valid hash/);
		expectFailure(run(['retrieve', request], { dataDirectory: 'not/absolute' }), /no valid hash/);
		expect(fs.readdirSync(dataDirectory)).toEqual([]);
	});

	it('fails on several hashes', () => {
		const request = `<<tokenless:${absent}>> <<tokenless:${'f'.repeat(24)}>>`;
		expectFailure(run(['retrieve', request]), /more than one hash/);
	});

	it('keeps the answer to one line', () => {
		expectFailure(
			run(['retrieve', 'a\nb\u001B[2J']),
			/^tokenless: 'a\\u\{a\}b\\u\{1b\}\[2J' holds no valid hash/,
		);
	});
});

describe('retrieve without a payload to give', () => {
	it('tells an entry that is not there', async () => {
		const { dataDirectory } = await seeded('[1]');
		expectFailure(run(['retrieve', absent], { dataDirectory }), /is not in '.*stash\.db'/);
	});

	it('tells an entry that has expired', async () => {
		const { dataDirectory, key } = await seeded('[1]', Date.now() - TWO_HOURS);
		expectFailure(run(['retrieve', key], { dataDirectory }), /has expired/);
	});

	it('tells a stash that is not there, and makes none', () => {
		const dataDirectory = temporaryDirectory();
		expectFailure(run(['retrieve', absent], { dataDirectory }), /there is no stash at/);
		expect(fs.readdirSync(dataDirectory)).toEqual([]);
	});

	it('tells a stash that is damaged', () => {
		const dataDirectory = temporaryDirectory();
		fs.writeFileSync(
			path.join(dataDirectory, 'stash.db'),
			'no database, and long enough to be looked at. '.repeat(99),
		);
		expectFailure(run(['retrieve', absent], { dataDirectory }), /damaged/);
	});

	it('tells a stash that may not be read', async () => {
		const { dataDirectory, key } = await seeded('[1]');
		const file = path.join(dataDirectory, 'stash.db');
		fs.chmodSync(dataDirectory, 0o755);
		const isRoot = process.getuid?.() === 0;
		if (!isRoot) {
			fs.chmodSync(file, 0);
		}

		expectFailure(
			run(['retrieve', key], isRoot ? { dataDirectory, uid: NOBODY } : { dataDirectory }),
			/not readable/,
		);
	});
});

describe('retrieve from another stash', () => {
	it.each<[string, (file: string) => { words: string[]; environment: Record<string, string> }]>([
		['the flag', (file) => ({ words: ['--stash-db', file], environment: {} })],
		['the variable', (file) => ({ words: [], environment: { TOKENLESS_STASH_DB: file } })],
		[
			'the flag before the variable',
			(file) => ({ words: ['--stash-db', file], environment: { TOKENLESS_STASH_DB: `${file}.other` } }),
		],
	])('reads the one that %s names', async (_, choose) => {
		const dataDirectory = temporaryDirectory();
		const file = path.join(dataDirectory, 'another.db');
		const key = await seed(file, '[1,2]');
		const { words, environment } = choose(file);
		const { exitCode, stdout, stderr } = run(['retrieve', key, ...words], { dataDirectory, environment });
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('[1,2]');
		expect(exitCode).toBe(0);
	});

	it('says why it does not use one that is not to be trusted, and reads the default one', async () => {
		const { dataDirectory, key } = await seeded('[1,2]');
		for (const file of ['relative.db', `${dataDirectory}/../stash.db`, '/etc/passwd']) {
			const { exitCode, stdout, stderr } = run(['retrieve', key, '--stash-db', file], { dataDirectory });
			expect(stderr).toMatch(/^tokenless: --stash-db '[^\n]*' refused: [^\n]+\n$/);
			expect(stdout.toString()).toBe('[1,2]');
			expect(exitCode).toBe(0);
		}
	});

	it('has none to read where the data directory is invalid', () => {
		const { exitCode, stdout, stderr } = run(['retrieve', absent], { dataDirectory: 'not/absolute' });
		expect(stderr).toMatch(
			/^tokenless: [^\n]*TOKENLESS_DATA_DIR 'not\/absolute'[^\n]*\ntokenless: no stash to read[^\n]*\n$/,
		);
		expect(stdout.length).toBe(0);
		expect(exitCode).toBe(1);
	});
});
