/** No room, or no right, to keep anything: full disks and directories that are for reading only. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { referencesIn } from '../../../lib/stash/reference.js';
import { integrityOf } from '../../stash/support/databases.js';
import { type RunOptions, run, temporaryDirectory } from '../run.js';
import {
	BOUND,
	expectNothingDropped,
	expectNotRetrieved,
	expectNumbersStashed,
	expectOneLine,
	MEBIBYTE,
	missing,
	numbers,
	Records,
	stashNumbers,
	stashOf,
} from './inputs.js';
import { forbiddenDirectory, isRoot, littleRoom, readOnlyDirectory, runWithin } from './places.js';

const command = ['compress-response', ...BOUND];
const input = numbers(1, 200);
const pretty = JSON.stringify(JSON.parse(input), undefined, 4);
const earlier = numbers(1, 100);

describe('a full disk', () => {
	it.each([
		['as it was', input],
		['complete', pretty],
	])('without room for a new stash lets everything out, %s', (_, text) => {
		const { run: runThere, why } = littleRoom(64 * 1024);
		expectNothingDropped(runThere(command, text), text, why);
	});

	it('without room for the payload lets everything out, and keeps what is there', () => {
		const room = littleRoom(4 * MEBIBYTE);
		const key = stashNumbers(room.dataDirectory, earlier);
		const records = path.join(temporaryDirectory(), 'records.json');
		const bytes = new Records(8 * MEBIBYTE).labelled('too much');
		fs.writeFileSync(records, bytes);

		expectNothingDropped(room.run(['compress-response', '--file', records]), bytes, room.why);
		expect(missing(room.dataDirectory, [key])).toEqual([]);
		// What the attempt took has been given back.
		expectNumbersStashed(room.run(command, input), input, room.dataDirectory);
		expect(integrityOf(stashOf(room.dataDirectory))).toBe('ok');
	});

	it('that others filled lets everything out, and gives back what is there once it has room', () => {
		const room = littleRoom(MEBIBYTE);
		const key = stashNumbers(room.dataDirectory, earlier);
		const filling = path.join(room.dataDirectory, 'filling');
		if (room.isDisk) {
			expect(spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=4096']).status).not.toBe(0);
			expectNothingDropped(room.run(command, input), input, room.why);
			const { exitCode, stdout, stderr } = room.run(['retrieve', key]);
			expect(exitCode).toBe(1);
			expectOneLine(stderr, /no room on the disk/);
			expect(stdout.length).toBe(0);
			fs.rmSync(filling);
		} else {
			const { why } = room;
			const options = { input, dataDirectory: room.dataDirectory };
			expectNothingDropped(runWithin('ulimit -f 0; exec "$@"', command, options), input, why);
		}

		expect(missing(room.dataDirectory, [key])).toEqual([]);
		expectNumbersStashed(room.run(command, input), input, room.dataDirectory);
	});
});

describe('standard input that no temporary file can take', () => {
	it.each<[string, (records: Buffer) => Buffer]>([
		['records', (records) => Buffer.from(records)],
		['what is no JSON in the end', (records) => Buffer.concat([records, Buffer.from('\0 and then, \xff')])],
		[
			'what is no JSON from the start',
			(records) => Buffer.concat([Buffer.from('\n\n'), records.fill(0x80, 5_000_000)]),
		],
	])('passes through a full disk, byte for byte: %s', (_, make) => {
		const room = littleRoom(3 * MEBIBYTE);
		const key = stashNumbers(room.dataDirectory, earlier);
		const text = make(new Records(8 * MEBIBYTE).labelled('spool'));
		const { exitCode, stdout, stderr } = room.run(['compress-response'], text);
		expectOneLine(stderr, /temporary file takes no more: E(NOSPC|FBIG)[^\n]*, outputting original/);
		expect(exitCode).toBe(0);
		expect(stdout.equals(text)).toBe(true);
		expect(fs.readdirSync(room.dataDirectory)).toEqual(['stash.db']);
		expect(missing(room.dataDirectory, [key])).toEqual([]);
	});

	it('passes through where no directory is to be had', () => {
		// Root covers both places with a mount that is for reading only, seen by this process alone.
		const cover = 'mount -t tmpfs -o ro none /var/tmp && mount -t tmpfs -o ro none "$TOKENLESS_DATA_DIR"';
		const mayCover =
			isRoot && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
		const line = mayCover
			? `exec unshare -m sh -c '${cover} && exec "$@"' sh "$@"`
			: 'ulimit -f 0; exec "$@"';
		const text = new Records(3 * MEBIBYTE).labelled('nowhere');
		const { exitCode, stdout, stderr } = runWithin(line, ['compress-response'], {
			input: text,
			dataDirectory: temporaryDirectory(),
		});
		expectOneLine(stderr, /temporary file[^\n]*, outputting original/);
		expect(exitCode).toBe(0);
		expect(stdout.equals(text)).toBe(true);
	});

	it('waits in the shared directory where the data directory is for reading only', () => {
		const text = new Records(2 * MEBIBYTE).labelled('elsewhere');
		for (const options of [forbiddenDirectory(), readOnlyDirectory()]) {
			expectNothingDropped(run(['compress-response'], { ...options, input: text }), text, /not writable/);
		}
	});

	it('is left as it is where there is no room to look into a document within it', () => {
		const room = littleRoom(5 * MEBIBYTE, 2 * MEBIBYTE);
		const text = JSON.stringify(new Records(3 * MEBIBYTE).labelled('inner').toString());
		const { exitCode, stdout, stderr } = room.run(['compress-response'], text);
		expectOneLine(stderr, /./);
		expect(exitCode).toBe(0);
		expect(stdout.toString() === text).toBe(true);
	});
});

describe.each<[string, (prepare?: (dataDirectory: string) => void) => RunOptions]>([
	['a directory that must not be written to', forbiddenDirectory],
	['a file system for reading only', readOnlyDirectory],
])('%s', (_, makePlace) => {
	it.each([
		['as it was', input],
		['complete', pretty],
	])('takes no new stash, and everything comes out, %s', (_, text) => {
		const options = makePlace();
		expectNothingDropped(run(command, { ...options, input: text }), text, /not writable/);
		expect(fs.readdirSync(options.dataDirectory ?? '')).toEqual([]);
		expectNotRetrieved('0'.repeat(24), /there is no stash at/, options);
	});

	it('takes nothing into a stash that is there', () => {
		let key = '';
		const options = makePlace((dataDirectory) => {
			key = stashNumbers(dataDirectory, earlier);
		});
		const stash = stashOf(options.dataDirectory ?? '');
		const before = fs.readFileSync(stash);
		expectNothingDropped(run(command, { ...options, input }), input, /not writable/);
		expect(fs.readFileSync(stash).equals(before)).toBe(true);
		// SQLite cannot read it without a log beside it, and says so.
		expectNotRetrieved(key, /not readable/, options);
	});

	it('does not matter with --no-stash', () => {
		const { exitCode, stdout, stderr } = run([...command, '--no-stash'], { ...makePlace(), input });
		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(referencesIn(stdout.toString())).toEqual([]);
		expect(stdout.toString()).toContain('195 more items truncated, not stashed');
	});
});
