/** Arrays so large that their key is found out on another thread: it is the key that they have anyway. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { payloadKey } from '../../lib/stash/keys.js';
import { environmentOf, executable, run, runShell, temporaryDirectory } from './run.js';

const thread = path.join(path.dirname(executable), 'key-thread.js');

/** An array of records of some 9 MB, and what may stand around it. */
const array = JSON.stringify(
	Array.from({ length: 90_000 }, (_, id) => ({
		id,
		name: `user ${id % 97}`,
		note: 'n'.repeat(60),
		on: id % 2 === 0,
	})),
);
const shapes: Record<string, string> = {
	'as it is': array,
	'with a line feed behind it': `${array}\n`,
	'with much white space behind it': array + ' '.repeat(1000),
	'with white space before it': ` ${array}`,
	'with white space in it, far behind': `${array.slice(0, -1)} ]`,
	'with a mark of byte order': `\u{feff}${array}`,
	'in an object': `{"records":${array}}`,
	twice: `${array}\n${array}`,
	'first of two': `[${array},${array}]`,
};

it('hashes a stretch of a file', async () => {
	const file = path.join(temporaryDirectory(), 'file');
	fs.writeFileSync(file, `before${array}behind`);
	const descriptor = fs.openSync(file, 'r');
	try {
		const end = 6 + Buffer.byteLength(array);
		const worker = new Worker(thread, { workerData: { descriptor, start: 6, end } });
		expect(await once(worker, 'message')).toEqual([await payloadKey(Buffer.from(array))]);
	} finally {
		fs.closeSync(descriptor);
	}
});

it('fails where the file ends before the stretch does', async () => {
	const file = path.join(temporaryDirectory(), 'file');
	fs.writeFileSync(file, 'short');
	const descriptor = fs.openSync(file, 'r');
	try {
		const worker = new Worker(thread, { workerData: { descriptor, start: 0, end: 100 } });
		const [error] = (await once(worker, 'error')) as [Error];
		expect(error.message).toContain('ends before');
	} finally {
		fs.closeSync(descriptor);
	}
});

it.each(Object.entries(shapes))(
	'an array %s gets the key it gets from a pipe, and comes back',
	async (_, text) => {
		const directory = temporaryDirectory();
		const file = path.join(directory, 'input.json');
		fs.writeFileSync(file, text);
		const dataDirectory = path.join(directory, 'data');
		const fromFile = run(['compress-response', '-f', file], { dataDirectory });
		const fromPipe = run(['compress-response'], { input: text });
		expect(fromFile.stderr).toBe('');
		expect(fromFile.stdout.equals(fromPipe.stdout)).toBe(true);
		await expectStored(fromFile.stdout, dataDirectory);
	},
);

it('an array is stored although the thread cannot start', async () => {
	const directory = temporaryDirectory();
	const file = path.join(directory, 'input.json');
	fs.writeFileSync(file, array);
	const lonely = path.join(directory, 'tokenless.cjs');
	fs.copyFileSync(executable, lonely);
	fs.symlinkSync(
		path.resolve(path.dirname(executable), '../../node_modules'),
		path.join(directory, 'node_modules'),
	);
	const dataDirectory = path.join(directory, 'data');
	const { status, stdout, stderr } = spawnSync(process.execPath, [lonely, 'compress-response', '-f', file], {
		env: environmentOf({ dataDirectory }),
	});
	expect(stderr.toString()).toBe('');
	expect(status).toBe(0);
	await expectStored(stdout, dataDirectory);
});

it('an array comes out where the address space is limited: a thread would end the process', () => {
	const directory = temporaryDirectory();
	const file = path.join(directory, 'input.json');
	fs.writeFileSync(file, array);
	const { exitCode, stdout } = runShell(`ulimit -v 1200000; tokenless compress-response -f '${file}'`);
	expect(exitCode).toBe(0);
	expect(() => JSON.parse(stdout.toString())).not.toThrow();
});

/** Expects one instruction in the output, and behind it what has that key. */
async function expectStored(output: Buffer, dataDirectory: string): Promise<void> {
	const keys = output.toString().match(/(?<=tokenless retrieve )[0-9a-f]{24}/gu) ?? [];
	expect(keys.length).toBeGreaterThan(0);
	for (const key of keys) {
		const { exitCode, stdout } = run(['retrieve', key], { dataDirectory });
		expect(exitCode).toBe(0);
		expect(await payloadKey(stdout)).toBe(key);
		expect(stdout.length).toBeGreaterThanOrEqual(array.length - 2);
	}
}
