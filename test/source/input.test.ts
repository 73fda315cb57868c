/** Where input comes from: pipes, files, FIFOs, sockets, devices, terminals, nothing. Each is the real thing. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bundle, temporaryDirectory } from './bundle.js';
import type { ReadReport } from './children/read.js';

const directory = temporaryDirectory();
const program = bundle(new URL('children/read.ts', import.meta.url), directory);
afterAll(() => fs.rmSync(directory, { recursive: true }));

const MEBIBYTE = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
const noDirectory = path.join(program, 'below-a-file');

const contents = Buffer.alloc(3 * MEBIBYTE + 12_345);
for (let position = 0; position + 4 <= contents.byteLength; position += 4) {
	contents.writeUInt32LE(Math.imul(position, 2_654_435_761) >>> 0, position);
}

const file = path.join(directory, 'big file');
fs.writeFileSync(file, contents);

function sha256(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

interface Request {
	file?: string;
	maxInput?: number;
	stdin?: number;
	spoolDirectories?: string[];
	alwaysPassThrough?: boolean;
}

interface Result {
	report: ReadReport;
	output: Buffer;
}

/** Runs a shell script in which `"$@"` is the child and `$FILE` the big file. */
function run(script: string, request: Request = {}, options: { shell?: string; uid?: number } = {}): Result {
	const whole = { maxInput: 0, spoolDirectories: [directory], ...request };
	const { uid } = options;
	const child = spawnSync(
		options.shell ?? 'sh',
		['-c', script, 'sh', process.execPath, program, JSON.stringify(whole)],
		{
			env: { ...process.env, FILE: file },
			maxBuffer: 64 * MEBIBYTE,
			...(uid === undefined ? {} : { uid, gid: uid }),
		},
	);
	expect(child.stderr.toString()).toMatch(/^\{.*\}\n$/);
	return { report: JSON.parse(child.stderr.toString()) as ReadReport, output: child.stdout };
}

const complete = {
	bytes: contents.byteLength,
	size: contents.byteLength,
	hash: sha256(contents),
	hashOfSource: sha256(contents),
};
const kept = { ...complete, namelessFiles: 1, namelessFilesAfterClose: 0 };
const inPlace = { ...complete, namelessFiles: 0 };

describe('what can be read', () => {
	test.each<[string, string, Request, object, string?]>([
		['a pipe', 'cat "$FILE" | "$@"', {}, kept],
		['a named file', '"$@" < /dev/null', { file }, inPlace],
		['a file as standard input', '"$@" < "$FILE"', {}, inPlace],
		['standard input by the name of -', 'cat "$FILE" | "$@"', { file: '-' }, kept],
		['standard input by the name of /dev/stdin', 'cat "$FILE" | "$@"', { file: '/dev/stdin' }, kept],
		[
			'a FIFO',
			`mkfifo '${directory}/fifo'; cat "$FILE" > '${directory}/fifo' & "$@"; wait`,
			{ file: path.join(directory, 'fifo') },
			kept,
		],
		['another descriptor', '"$@" 7< "$FILE"', { stdin: 7 }, inPlace],
		[
			'a pipe by the name of a descriptor',
			'cat "$FILE" | "$@" 7<&0 0< /dev/null',
			{ file: '/dev/fd/7' },
			kept,
		],
		['a symbolic link to a file', '"$@"', { file: path.join(directory, 'link') }, inPlace],
	])('%s', (_, script, request, expected) => {
		fs.rmSync(path.join(directory, 'link'), { force: true });
		fs.symlinkSync(file, path.join(directory, 'link'));
		const { report, output } = run(script, request);
		expect(report.error).toBeUndefined();
		expect(report).toMatchObject(expected);
		expect(output.byteLength).toBe(0);
	});

	test('a process substitution', () => {
		const script = `"\${@:1:2}" '{"file":"'<(cat "$FILE")'","maxInput":0,"spoolDirectories":["${directory}"]}'`;
		expect(run(script, {}, { shell: 'bash' }).report).toMatchObject(kept);
	});

	test('a socket, which is what a Node parent gives its child', () => {
		const request = JSON.stringify({ maxInput: 0, spoolDirectories: [directory], file: '/dev/stdin' });
		const child = spawnSync(process.execPath, [program, request], { input: contents });
		expect(JSON.parse(child.stderr.toString())).toMatchObject(kept);
	});

	test('a file of which a part was read before: the rest', () => {
		const { report } = run('{ dd bs=1000 count=1 status=none > /dev/null; "$@"; } < "$FILE"');
		expect(report).toMatchObject({ bytes: contents.byteLength - 1000, namelessFiles: 1 });
		expect(report.hash).toBe(sha256(contents.subarray(1000)));
		expect(report.hashOfSource).toBe(report.hash);
	});

	test('a file of the kernel, which declares no size', () => {
		const { report } = run('"$@"', { file: '/proc/self/status' });
		expect(report.error).toBeUndefined();
		expect(report.bytes).toBeGreaterThan(100);
		expect(report.hashOfSource).toBe(report.hash);
	});

	test.each(['"$@" < /dev/null', ': | "$@"', '"$@" <&-'])('nothing: %s', (script) => {
		const { report } = run(script);
		expect(report.error).toBeUndefined();
		expect(report).toMatchObject({ bytes: 0, size: 0 });
	});

	test('an empty file', () => {
		const empty = path.join(directory, 'empty');
		fs.writeFileSync(empty, '');
		const { report } = run('"$@"', { file: empty });
		expect(report.error).toBeUndefined();
		expect(report).toMatchObject({ bytes: 0, size: 0 });
	});

	test('a small pipe never sees the disk', () => {
		const { report } = run('head -c 2000 "$FILE" | "$@"', { spoolDirectories: [noDirectory] });
		expect(report).toMatchObject({ bytes: 2000, namelessFiles: 0, hash: sha256(contents.subarray(0, 2000)) });
	});
});

describe('what cannot be read', () => {
	test.each<[string, string, Request, string, RegExp]>([
		[
			'a missing file',
			'"$@"',
			{ file: '/no/such/file' },
			'missing',
			/'\/no\/such\/file'.*no such file.*--file/,
		],
		['an empty name', '"$@"', { file: '' }, 'missing', /''.*no such file/],
		['a name below a file', '"$@"', { file: `${file}/x` }, 'missing', /no such file/],
		[
			'a name that breaks the line',
			'"$@"',
			{ file: '/no\n\u001b[2J' },
			'missing',
			/'\/no\\u\{a\}\\u\{1b\}\[2J'/,
		],
		['a name with a NUL byte', '"$@"', { file: '/a\0b' }, 'unreadable', /'\/a\\u\{0\}b'.*no such name/],
		['a directory', '"$@"', { file: directory }, 'directory', /is a directory/],
		['a directory as standard input', '"$@" < /', {}, 'directory', /standard input: it is a directory/],
		['a descriptor that is closed', '"$@"', { stdin: 99 }, 'closed', /standard input is closed.*--file/],
		['standard input open for writing only', `"$@" 0> '${directory}/out'`, {}, 'closed', /standard input/],
		['the same, with something in it', `"$@" 0>> '${directory}/some'`, {}, 'closed', /standard input/],
	])('%s', (_, script, request, kind, message) => {
		fs.writeFileSync(path.join(directory, 'some'), 'some');
		const { report, output } = run(script, request);
		expect(report.error).toMatchObject({ name: 'SourceError', kind });
		expect(report.error?.message).toMatch(message);
		expect(report.error?.message).not.toContain('\n');
		expect(output.byteLength).toBe(0);
	});

	test('a file that its user may not read', () => {
		const secret = path.join(directory, 'secret');
		fs.writeFileSync(secret, 'x', { mode: 0 });
		const { report } = run('"$@"', { file: secret }, isRoot ? { uid: 65_534 } : {});
		expect(report.error).toMatchObject({ kind: 'permission' });
		expect(report.error?.message).toMatch(/permission denied/);
	});

	test.each([{}, { file: '/dev/stdin' }])('a terminal, at once: %j', (request) => {
		const script = [
			'import os, subprocess, sys',
			'master, slave = os.openpty()',
			'sys.exit(subprocess.run(sys.argv[1:], stdin=slave).returncode)',
		].join('\n');
		const whole = JSON.stringify({ maxInput: 0, spoolDirectories: [directory], ...request });
		const child = spawnSync('python3', ['-c', script, process.execPath, program, whole]);
		const report = JSON.parse(child.stderr.toString()) as ReadReport;
		expect(report.error).toMatchObject({ name: 'SourceError', kind: 'terminal' });
		expect(report.error?.message).toMatch(/^no input: standard input is a terminal; .*--file$/);
	});
});

describe('input beyond the limit', () => {
	const limit = 2 * MEBIBYTE;

	test.each([
		['a pipe', 'cat "$FILE" | "$@"', {}],
		['a file as standard input', '"$@" < "$FILE"', {}],
		['a pipe that has a name', 'cat "$FILE" | "$@" 7<&0 0< /dev/null', { file: '/dev/fd/7' }],
	])('%s passes through byte for byte', (_, script, request) => {
		const { report, output } = run(script, { maxInput: limit, ...request });
		expect(report.error).toMatchObject({
			name: 'InputTooLargeError',
			message: 'input is larger than 2MiB (--max-input)',
		});
		expect(report.passedThrough).toBe(true);
		expect(output.equals(contents)).toBe(true);
	});

	test('a named file is refused before anything is read', () => {
		const { report, output } = run('"$@"', { file, maxInput: limit });
		expect(report.error).toMatchObject({ name: 'SourceError', kind: 'too-large' });
		expect(report.error?.message).toContain(
			`has ${contents.byteLength} bytes, more than 2MiB; raise --max-input`,
		);
		expect(output.byteLength).toBe(0);
	});

	test.each(['cat "$FILE" | "$@"', '"$@" < "$FILE"'])('the limit itself is allowed: %s', (script) => {
		expect(run(script, { maxInput: contents.byteLength }).report).toMatchObject(complete);
		expect(run(script, { maxInput: contents.byteLength - 1 }).report.error).toMatchObject({
			name: 'InputTooLargeError',
		});
	});
});

describe('passing through', () => {
	test.each(['cat "$FILE" | "$@"', '"$@" < "$FILE"'])('after everything was read: %s', (script) => {
		const { report, output } = run(script, { alwaysPassThrough: true });
		expect(report.error).toBeUndefined();
		expect(output.equals(contents)).toBe(true);
	});

	test('where there is no place for a spool', () => {
		const { report, output } = run('cat "$FILE" | "$@"', { spoolDirectories: [noDirectory] });
		expect(report.error).toMatchObject({ name: 'SpoolFullError' });
		expect(output.equals(contents)).toBe(true);
	});

	test('where the spool is full after a while', () => {
		const { report, output } = run('cat "$FILE" | { ulimit -f 2500; "$@"; }');
		expect(report.error).toMatchObject({ name: 'SpoolFullError' });
		expect(report.error?.message).toMatch(/EFBIG/);
		expect(report.size).toBeGreaterThan(MEBIBYTE);
		expect(output.equals(contents)).toBe(true);
	});
});
