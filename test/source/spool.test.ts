/** The spool: small in memory, large on disk, full. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SpoolFullError } from '../../lib/source/errors.js';
import { Spool } from '../../lib/source/spool.js';
import { bundle, temporaryDirectory } from './bundle.js';
import type { SpoolReport } from './children/spool.js';

const directory = temporaryDirectory();
const program = bundle(new URL('children/spool.ts', import.meta.url), directory);
afterAll(() => fs.rmSync(directory, { recursive: true }));

const MEBIBYTE = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

/** A file where a directory should be: unusable for any user, root included. */
const noDirectory = path.join(program, 'below-a-file');

function emptyDirectory(): string {
	return fs.mkdtempSync(path.join(directory, 'spool-'));
}

/** Runs the child below a shell script whose last word is `"$@"`. */
function run(
	script: string,
	request: { directories: string[]; total: number; step: number },
	identity: { uid?: number; gid?: number } = {},
): SpoolReport {
	const child = spawnSync(
		'sh',
		['-c', script, 'sh', process.execPath, program, JSON.stringify(request)],
		identity,
	);
	expect(child.stderr.toString()).toMatch(/^\{.*\}\n$/);
	return JSON.parse(child.stderr.toString()) as SpoolReport;
}

describe('in memory', () => {
	test('takes pieces of any size, up to 1 MiB, without a directory', () => {
		const spool = new Spool([]);
		const whole = Buffer.alloc(MEBIBYTE, 'The quick brown fox. ');
		let step = 1;
		for (let position = 0; position < whole.byteLength; position += step) {
			step = (step * 3) % 70_001;
			spool.append(whole.subarray(position, position + step));
		}

		expect(spool.size).toBe(MEBIBYTE);
		const back = Buffer.alloc(MEBIBYTE);
		expect(spool.read(back, 0, MEBIBYTE, 0)).toBe(MEBIBYTE);
		expect(back.equals(whole)).toBe(true);
		expect(spool.read(back, 0, 10, MEBIBYTE - 3)).toBe(3);
		expect(spool.read(back, 0, 10, MEBIBYTE)).toBe(0);
		expect(spool.read(back, 0, 10, MEBIBYTE + 1)).toBe(0);
		spool.close();
	});

	test('does not mind that the caller reuses its memory', () => {
		const spool = new Spool([]);
		const piece = Buffer.from('first');
		spool.write(piece);
		piece.write('other');
		spool.write(piece);
		const back = Buffer.alloc(10);
		spool.read(back, 0, 10, 0);
		expect(back.toString()).toBe('firstother');
		spool.close();
	});
});

describe('on disk', () => {
	test('everything can be read while it grows', () => {
		const spool = new Spool([emptyDirectory()]);
		const back = Buffer.alloc(8);
		const piece = Buffer.alloc(300_000);
		for (let index = 0; index < 10; index++) {
			piece.fill(index);
			spool.append(piece);
			for (let earlier = 0; earlier <= index; earlier++) {
				expect(spool.read(back, 0, 8, earlier * 300_000 + 299_992)).toBe(8);
				expect(back).toEqual(Buffer.alloc(8, earlier));
			}
		}

		expect(spool.size).toBe(3_000_000);
		spool.close();
	});

	test('a first piece larger than what memory may hold goes straight there', () => {
		const spool = new Spool([emptyDirectory()]);
		spool.append(Buffer.alloc(3 * MEBIBYTE, 'x'));
		const back = Buffer.alloc(4);
		expect(spool.read(back, 0, 4, 3 * MEBIBYTE - 2)).toBe(2);
		spool.close();
	});

	test('the file is private whatever the umask, and has no name', () => {
		const place = emptyDirectory();
		const report = run('umask 000; exec "$@"', { directories: [place], total: 2 * MEBIBYTE, step: 65_537 });
		expect(report).toMatchObject({ intact: true, size: 2 * MEBIBYTE, mode: 0o600, links: 0 });
		expect(fs.readdirSync(place)).toEqual([]);
	});

	test('a missing directory is created for its user alone', () => {
		const place = path.join(emptyDirectory(), 'not', 'yet');
		run('umask 000; exec "$@"', { directories: [place], total: 2 * MEBIBYTE, step: 65_536 });
		expect(fs.statSync(place).mode & 0o777).toBe(0o700);
		expect(fs.statSync(path.dirname(place)).mode & 0o777).toBe(0o700);
	});

	test('the next directory serves where one cannot', () => {
		const place = emptyDirectory();
		const readOnly = emptyDirectory();
		fs.chmodSync(readOnly, 0o555);
		fs.chmodSync(place, 0o777);
		const report = run(
			'exec "$@"',
			{ directories: [noDirectory, readOnly, place], total: 2 * MEBIBYTE, step: 65_536 },
			isRoot ? { uid: 65_534, gid: 65_534 } : {},
		);
		expect(report).toMatchObject({ intact: true, size: 2 * MEBIBYTE, links: 0 });
		expect(report.error).toBeUndefined();
	});
});

describe('full', () => {
	test('no directory at all: what memory holds stays, one line says why', () => {
		const spool = new Spool([noDirectory]);
		spool.append(Buffer.alloc(MEBIBYTE, 'a'));
		expect(() => spool.append(Buffer.from('b'))).toThrow(SpoolFullError);
		expect(() => spool.append(Buffer.from('b'))).toThrow(
			/^no directory can hold a temporary file: E[A-Z]+: /,
		);
		expect(spool.size).toBe(MEBIBYTE);
		const back = Buffer.alloc(2);
		expect(spool.read(back, 0, 2, MEBIBYTE - 1)).toBe(1);
		expect(back[0]).toBe(97);
		spool.close();
	});

	const place = emptyDirectory();
	const request = { directories: [place], total: 8 * MEBIBYTE, step: 200_003 };
	const limitedFile = 'ulimit -f 6000; exec "$@"';
	const smallDisk = `exec unshare -rm sh -c 'mount -t tmpfs -o size=3m none "$0" && exec "$@"' '${place}' "$@"`;
	// Where nobody may mount, the limit on the size of a file has to stand in for the disk.
	const mayMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', place]).status === 0;

	test.each([
		['a limit on the size of files', limitedFile, 'EFBIG'],
		['a small disk', mayMount ? smallDisk : limitedFile, mayMount ? 'ENOSPC' : 'EFBIG'],
	])('%s: a write that fails half-way leaves what was there', (_, script, code) => {
		const report = run(script, request);
		expect(report.error).toMatchObject({ name: 'SpoolFullError', code });
		expect(report.error?.message).toMatch(/^the temporary file takes no more: E[^\n]+$/);
		expect(report.accepted).toBeGreaterThan(MEBIBYTE);
		expect(report).toMatchObject({ intact: true, size: report.accepted, tookAnotherByte: true });
	});
});
