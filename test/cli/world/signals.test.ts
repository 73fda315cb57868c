/** Readers that leave, and users who interrupt. */

import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../stash/support/databases.js';
import { run, runShell, temporaryDirectory } from '../run.js';
import { openSpool, start, until, untilLogExceeds } from './children.js';
import { BOUND, MEBIBYTE, manyWindows, missing, numbers, Records, stashNumbers, stashOf } from './inputs.js';
import { forbiddenDirectory, sharedSpools } from './places.js';

const STASH_FILES = ['stash.db', 'stash.db-shm', 'stash.db-wal'];

function withEntry() {
	const dataDirectory = temporaryDirectory();
	return { dataDirectory, key: stashNumbers(dataDirectory, numbers(1, 100)) };
}

describe('| head -c 1', () => {
	it('gets its byte of a short output, and what was left out is there', async () => {
		const dataDirectory = temporaryDirectory();
		const { bytes, key } = await new Records(3 * MEBIBYTE).keyed('short');
		const { stdout, stderr } = runShell(
			`tokenless compress-response | head -c 1; echo " $\{PIPESTATUS[@]}"`,
			{ input: bytes, dataDirectory },
		);
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('[ 0 0\n');
		expect(missing(dataDirectory, [key])).toEqual([]);
	});

	it('gets its byte of an output that it does not wait for, and what was left out is there', () => {
		const dataDirectory = temporaryDirectory();
		const input = manyWindows('long');
		const line = `tokenless compress-response ${BOUND.join(' ')} | head -c 1; echo " $\{PIPESTATUS[@]}"`;
		const { stdout, stderr } = runShell(line, { input, dataDirectory });
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('{ 0 0\n');
		const { stdout: output } = run(['compress-response', ...BOUND], { input, dataDirectory });
		const keys = [...output.toString().matchAll(/tokenless retrieve ([0-9a-f]{24})/g)].map(([, key]) => key);
		expect(keys).toHaveLength(800);
		expect(missing(dataDirectory, keys)).toEqual([]);
		expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
	});

	it('gets its byte of a payload', async () => {
		const dataDirectory = temporaryDirectory();
		const { bytes, key } = await new Records(3 * MEBIBYTE).keyed('payload');
		run(['compress-response'], { input: bytes, dataDirectory });
		const line = `tokenless retrieve ${key} | head -c 1; echo " $\{PIPESTATUS[@]}"`;
		const { stdout, stderr } = runShell(line, { dataDirectory });
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('[ 0 0\n');
	});
});

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
	/** What is in the shared directory and was not there before; others make and unlink theirs at any time. */
	async function leftBehind(before: readonly string[]): Promise<string[]> {
		const now = sharedSpools().filter((name) => !before.includes(name));
		await sleep(50);
		return sharedSpools().filter((name) => now.includes(name));
	}

	it('while a slow pipe is read ends it, and nothing is left behind', async () => {
		const { dataDirectory, key } = withEntry();
		const before = sharedSpools();
		const child = start(['compress-response'], { dataDirectory });
		child.process.stdin?.write(new Records(2 * MEBIBYTE).labelled('slow'));
		await until(() => openSpool(child) !== undefined, child);
		child.process.kill(signal);
		const { exitCode, signal: diedOf, stdout, stderr } = await child.result();
		expect([exitCode, diedOf, stderr, stdout.length]).toEqual([null, signal, '', 0]);
		expect(fs.readdirSync(dataDirectory)).toEqual(['stash.db']);
		expect(await leftBehind(before)).toEqual([]);
		expect(missing(dataDirectory, [key])).toEqual([]);
		expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
	});

	it('while a pipe is kept in the shared directory leaves nothing there', async () => {
		const options = forbiddenDirectory();
		const before = sharedSpools();
		const child = start(['compress-response'], options);
		child.process.stdin?.write(new Records(2 * MEBIBYTE).labelled('shared'));
		await until(() => openSpool(child)?.name.startsWith('/var/tmp/') === true, child);
		child.process.kill(signal);
		const { signal: diedOf, stderr } = await child.result();
		expect([diedOf, stderr]).toEqual([signal, '']);
		expect(await leftBehind(before)).toEqual([]);
	});

	it('while something is stored ends it, and the stash is sound', async () => {
		const records = new Records(6 * MEBIBYTE);
		let interrupted = 0;
		for (let round = 0; interrupted < 5; round++) {
			const { dataDirectory, key } = withEntry();
			const before = sharedSpools();
			const labelled = await records.keyed(`stored ${round}`);
			const child = start(['compress-response'], { dataDirectory, input: Buffer.from(labelled.bytes) });
			await untilLogExceeds(stashOf(dataDirectory), MEBIBYTE * (round % 5), child);
			child.process.kill(signal);
			const { signal: diedOf, stdout, stderr } = await child.result();
			expect(stderr).toBe('');
			expect(fs.readdirSync(dataDirectory).filter((name) => !STASH_FILES.includes(name))).toEqual([]);
			expect(await leftBehind(before)).toEqual([]);
			expect(missing(dataDirectory, [key])).toEqual([]);
			expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
			if (stdout.length === 0) {
				expect(diedOf).toBe(signal);
				interrupted++;
			} else {
				expect(missing(dataDirectory, [labelled.key])).toEqual([]);
			}
		}
	});
});
