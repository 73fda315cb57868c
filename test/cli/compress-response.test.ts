/** `tokenless compress-response` as a user runs it: what comes out on which channel, and with which exit code. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { environmentOf, executable, run, runShell, temporaryDirectory } from './run.js';
import { runOnTerminal } from './terminal.js';

const count = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);
const pretty = JSON.stringify({ list: count(1, 40), none: null }, undefined, 4);
const long = JSON.stringify(count(1, 200));

describe('compress-response', () => {
	it('prints what became smaller, and stores what it left out', () => {
		const dataDirectory = temporaryDirectory();
		const { exitCode, stdout, stderr } = run(
			['compress-response', '--truncate-arrays-at', '5', '--array-tail-preserve', '0'],
			{ input: long, dataDirectory },
		);
		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(JSON.parse(stdout.toString())).toEqual([
			...count(1, 5),
			'195 items omitted. If needed, run in shell: tokenless retrieve c30ccf5ed1125e0ed871ba8e',
		]);
		expect(stdout.toString().endsWith('\n')).toBe(true);

		const retrieved = run(['retrieve', 'c30ccf5ed1125e0ed871ba8e'], { dataDirectory });
		expect(retrieved.stdout.toString()).toBe(JSON.stringify(count(6, 200)));
	});

	it('reads a file as it reads standard input', () => {
		const file = path.join(temporaryDirectory(), 'input.json');
		fs.writeFileSync(file, pretty);
		const expected = run(['compress-response'], { input: pretty });
		for (const words of [['--file', file], ['-f', file], [`--file=${file}`], [`-f=${file}`]]) {
			expect(run(['compress-response', ...words])).toEqual(expected);
		}

		expect(run(['compress-response', '-f', '-'], { input: pretty })).toEqual(expected);
		expect(expected.exitCode).toBe(0);
		expect(expected.stdout.length).toBeLessThan(pretty.length);
	});

	it('stores nothing with --no-stash, and says so in the output', () => {
		const dataDirectory = temporaryDirectory();
		const { exitCode, stdout, stderr } = run(
			['compress-response', '--no-stash', '--truncate-arrays-at', '5', '--array-tail-preserve', '0'],
			{ input: long, dataDirectory },
		);
		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
		expect(JSON.parse(stdout.toString())).toEqual([
			...count(1, 5),
			'<... 195 more items truncated, not stashed>',
		]);
		expect(fs.readdirSync(dataDirectory)).toEqual([]);
	});

	it('takes any size and flag value that help promises', () => {
		const { exitCode, stderr } = run(
			[
				...['compress-response', '--max-input', '4GiB', '--max-depth=0', '--truncate-strings-at', '0'],
				...['--agent-id', 'a', '--session-id', 's', '--tool-use-id', 't'],
			],
			{ input: pretty },
		);
		expect(stderr).toBe('');
		expect(exitCode).toBe(0);
	});
});

describe('compress-response gives the original back, byte for byte,', () => {
	const small = '{"ab":1}';

	it.each([
		['without a newline', small],
		['with a newline', `${small}\n`],
		['with several and a carriage return', `${small}\r\n\n`],
	])('where nothing is saved, %s', (_, input) => {
		const { exitCode, stdout, stderr } = run(['compress-response'], { input });
		expect(stderr).toMatch(
			/^tokenless: response compression did not reduce size \(\d+ -> \d+ est\. tokens\), outputting original\n$/,
		);
		expect(stdout.toString()).toBe(input);
		expect(exitCode).toBe(0);
	});

	it.each(['0', 'false', 'no', 'off'])('in a dry run (%s)', (value) => {
		const dataDirectory = temporaryDirectory();
		const { exitCode, stdout, stderr } = run(['compress-response', '--truncate-arrays-at', '5'], {
			input: `${long}\n\n`,
			dataDirectory,
			environment: { TOKENLESS_COMPRESSION_ENABLED: value },
		});
		expect(stderr).toBe('tokenless: dry-run mode (compression disabled)\n');
		expect(stdout.toString()).toBe(`${long}\n\n`);
		expect(exitCode).toBe(0);
		expect(fs.readdirSync(dataDirectory)).toEqual([]);
	});

	it('where standard input is larger than --max-input', () => {
		const input = `  ${JSON.stringify('x'.repeat(900_000))}  not even JSON`;
		const { exitCode, stdout, stderr } = run(['compress-response', '--max-input', '1KiB'], { input });
		expect(stderr).toMatch(/^tokenless: [^\n]*1KiB[^\n]*\n$/);
		expect(stdout.toString()).toBe(input);
		expect(exitCode).toBe(0);
	});

	it('where there is no stash to write to and clean-up saves nothing', () => {
		const { exitCode, stdout, stderr } = run(['compress-response', '--truncate-arrays-at', '5'], {
			input: long,
			dataDirectory: 'not/absolute',
		});
		expect(stderr).toMatch(/^tokenless: [^\n]*TOKENLESS_DATA_DIR 'not\/absolute'/);
		expect(stdout.toString()).toBe(long);
		expect(exitCode).toBe(0);
	});

	it('where the stash is damaged', () => {
		const dataDirectory = temporaryDirectory();
		fs.writeFileSync(
			path.join(dataDirectory, 'stash.db'),
			'no database, and long enough to be looked at. '.repeat(99),
		);
		const { exitCode, stdout, stderr } = run(['compress-response', '--truncate-arrays-at', '5'], {
			input: long,
			dataDirectory,
		});
		expect(stderr).toMatch(/^tokenless: [^\n]*damaged[^\n]*\n$/);
		expect(stdout.toString()).toBe(long);
		expect(exitCode).toBe(0);
	});
});

describe('compress-response and its surroundings', () => {
	const large = JSON.stringify('x'.repeat(3_000_000));

	it('ends quietly when its reader has seen enough', () => {
		const { stdout, stderr } = runShell(
			`tokenless compress-response --max-input 1KiB 2> /dev/null | head -c 1; echo " \${PIPESTATUS[0]}"`,
			{ input: large },
		);
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('" 0\n');
	});

	it('says that it cannot write to a full disk', () => {
		const { exitCode, stdout, stderr } = runShell('tokenless compress-response > /dev/full', {
			input: pretty,
		});
		expect(stderr).toMatch(/^tokenless: cannot write [^\n]+\n$/);
		expect(stdout.length).toBe(0);
		expect(exitCode).toBe(1);
	});

	it('does its work where nobody listens to what it says', () => {
		const { exitCode, stdout } = runShell('tokenless compress-response 2>&-', { input: '[1]' });
		expect(stdout.toString()).toBe('[1]');
		expect(exitCode).toBe(0);
	});

	it.each(['SIGINT', 'SIGTERM'] as const)('dies of %s and leaves nothing behind', async (signal) => {
		const dataDirectory = temporaryDirectory();
		const child = spawn(process.execPath, [executable, 'compress-response'], {
			env: environmentOf({ dataDirectory }),
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		const exit = once(child, 'exit');
		// As soon as all of it but what a pipe holds has been read, the rest lies in a spool.
		await new Promise((resolve) => child.stdin.write(large, resolve));
		await sleep(100);
		child.kill(signal);
		expect(await exit).toEqual([null, signal]);
		expect(fs.readdirSync(dataDirectory)).toEqual([]);
	});

	it('shows progress on a terminal when input is slow, and erases it', () => {
		const { exitCode, stdout, shown } = runOnTerminal(['compress-response'], {
			terminals: [2],
			start: '{"none": null,',
			awaited: 'MiB read',
			rest: '"a": 1}',
		});
		expect(shown).toMatch(/\r\u001B\[Ktokenless: \d+\.\d MiB read/);
		expect(shown.endsWith('\r\u001B[K')).toBe(true);
		expect(JSON.parse(stdout)).toEqual({ a: 1 });
		expect(exitCode).toBe(0);
	});

	it('shows none where standard error is no terminal', () => {
		const { exitCode, stderr } = runShell(
			'(printf "[1"; sleep 1.5; printf " "; sleep 0.2; printf ",2]") | tokenless compress-response --no-stash',
		);
		expect(stderr).not.toContain('\r');
		expect(exitCode).toBe(0);
	});
});
