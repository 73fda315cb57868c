/** Input that is none: exit 2, one line that says why, nothing on standard output. */

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, runShell, temporaryDirectory } from './run.js';
import { runOnTerminal } from './terminal.js';

/** Any user but root, who may read everything. */
const NOBODY = 65_534;

function expectRefusal(
	{ exitCode, stdout, stderr }: { exitCode: number | null; stdout: Buffer | string; stderr: string },
	message: RegExp,
): void {
	expect(stderr).toMatch(/^tokenless: [^\n]+\n$/);
	expect(stderr).toMatch(message);
	expect(exitCode).toBe(2);
	expect(stdout.length).toBe(0);
}

function utf16(text: string, isBigEndian: boolean): Buffer {
	const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
	return isBigEndian ? bytes.swap16() : bytes;
}

describe('compress-response refuses', () => {
	it.each<[string, string | Uint8Array, RegExp]>([
		['an empty input', '', /empty|no (?:JSON|value)/i],
		['a blank input', ' \r\n\t\n', /empty|blank|no (?:JSON|value)/i],
		['a byte order mark alone', '\uFEFF', /empty|blank|no (?:JSON|value)/i],
		['words', 'hello', /at byte 0/],
		['an unfinished object', '{"a": 1', /at byte 7/],
		['an unfinished string', '["a', /at byte 3/],
		['a trailing comma', '[1, 2,]', /at byte 6/],
		['text after the document', '{"a": 1} trailing', /at byte 9/],
		['a second document on the same line', '{"a": 1} {"a": 2}', /at byte 9/],
		['NaN', '{"a": NaN}', /at byte 6/],
		['Infinity', '[-Infinity]', /at byte 2/],
		['single quotes', "{'a': 1}", /at byte 1/],
		['a comment', '[1, /* two */ 2]', /at byte 4/],
		['an unknown escape', String.raw`["\x41"]`, /at byte [23]/],
		['a control character in a string', '["a\nb"]', /at byte 3/],
		['invalid UTF-8', Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d), /at byte 2.*UTF-8/],
		['an overlong form', Uint8Array.of(0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d), /at byte 2.*UTF-8/],
		['an encoded surrogate', Uint8Array.of(0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d), /at byte [23].*UTF-8/],
		['UTF-8 that is cut short', Uint8Array.of(0x5b, 0x22, 0xe4, 0xbd), /UTF-8|at byte [24]/],
		['UTF-16, little endian', utf16('{"a": 1}', false), /UTF-16/],
		['UTF-16, big endian', utf16('{"a": 1}', true), /UTF-16/],
		['UTF-16 without a mark', Buffer.from('{"a": 1}', 'utf16le'), /UTF-16/],
		['a NUL byte', Uint8Array.of(0x5b, 0x31, 0x00, 0x5d), /at byte 2/],
		['an error on a later line', '[\n1,\n2 3\n]', /at byte 7 \(line 3, column 3\)/],
		['a bad line among JSON Lines', '{"a":1}\n{"a":2}\n{"a":}\n', /line 3/],
	])('%s', (_, input, message) => {
		expectRefusal(run(['compress-response'], { input }), message);
	});

	it('the same in a file', () => {
		const file = path.join(temporaryDirectory(), 'input.json');
		fs.writeFileSync(file, '[1, 2,]');
		expectRefusal(run(['compress-response', '--file', file]), /at byte 6/);
	});

	it('the same in a dry run', () => {
		const result = run(['compress-response'], {
			input: '[1, 2,]',
			environment: { TOKENLESS_COMPRESSION_ENABLED: '0' },
		});
		expectRefusal(result, /at byte 6/);
	});

	it('a terminal as standard input', () => {
		expectRefusal(runOnTerminal(['compress-response'], { terminals: [0] }), /terminal/);
	});

	it('a standard input that is closed, which Node shows as an empty one', () => {
		expectRefusal(runShell('tokenless compress-response <&-'), /empty/);
	});

	it('a directory as standard input', () => {
		expectRefusal(runShell('tokenless compress-response < .'), /directory/);
	});

	it('a missing file', () => {
		expectRefusal(run(['compress-response', '-f', '/nonexistent/input.json']), /no such file/);
	});

	it('a file whose name would break the line', () => {
		expectRefusal(run(['compress-response', '-f', '/nonexistent/\u001B[31m\n.json']), /no such file/);
	});

	it('a directory', () => {
		expectRefusal(run(['compress-response', '-f', temporaryDirectory()]), /directory/);
	});

	it('a file that may not be read', () => {
		const directory = temporaryDirectory();
		const file = path.join(directory, 'secret.json');
		fs.writeFileSync(file, '[1]', { mode: 0o600 });
		fs.chmodSync(directory, 0o755);
		const isRoot = process.getuid?.() === 0;
		if (!isRoot) {
			fs.chmodSync(file, 0);
		}

		const result = run(['compress-response', '-f', file], isRoot ? { uid: NOBODY } : {});
		expectRefusal(result, /permission/);
	});

	it('a file larger than --max-input', () => {
		const file = path.join(temporaryDirectory(), 'input.json');
		fs.writeFileSync(file, JSON.stringify('x'.repeat(2000)));
		expectRefusal(run(['compress-response', '-f', file, '--max-input', '1KiB']), /1KiB/);
	});

	it('a socket as a file', () => {
		const socket = path.join(temporaryDirectory(), 'socket');
		execFileSync('python3', [
			'-c',
			'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])',
			socket,
		]);
		expectRefusal(run(['compress-response', '-f', socket]), /cannot read/);
	});
});
