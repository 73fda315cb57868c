/** A database that another process keeps locked: waited for, and then done without. */

import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { holdLock } from '../../stash/support/sessions.js';
import { run, temporaryDirectory } from '../run.js';
import { start } from './children.js';
import {
	BOUND,
	expectNothingDropped,
	expectNumbersStashed,
	numbers,
	retrieved,
	stashNumbers,
	stashOf,
} from './inputs.js';

const command = ['compress-response', ...BOUND];
const input = numbers(1, 200);
const pretty = JSON.stringify(JSON.parse(input), undefined, 4);

function withEntry() {
	const dataDirectory = temporaryDirectory();
	return { dataDirectory, key: stashNumbers(dataDirectory, numbers(1, 100)) };
}

/** Names, contents and times of the files in a directory. */
function filesIn(directory: string) {
	return fs.readdirSync(directory).map((name) => {
		const file = `${directory}/${name}`;
		return { name, bytes: fs.readFileSync(file).toString('base64'), changed: fs.statSync(file).mtimeMs };
	});
}

describe('a locked stash', () => {
	it('leaves everything in the output when it stays locked, and says so', async () => {
		const { dataDirectory } = withEntry();
		const unlock = await holdLock(stashOf(dataDirectory));
		// Both wait at the same time.
		const children = [input, pretty].map((text) => start(command, { dataDirectory, input: text }));
		const [compact, complete] = await Promise.all(children.map((child) => child.result()));
		await unlock();

		expectNothingDropped(compact, input, /another process kept it locked/);
		expectNothingDropped(complete, pretty, /another process kept it locked/);
		expect(complete.stdout.length).toBeLessThan(pretty.length);
		// Nothing is wrong with it afterwards.
		stashNumbers(dataDirectory, input);
	});

	it('that is new leaves everything in the output too', async () => {
		const dataDirectory = temporaryDirectory();
		const unlock = await holdLock(stashOf(dataDirectory));
		const result = await start(command, { dataDirectory, input }).result();
		await unlock();
		expectNothingDropped(result, input, /another process kept it locked/);
	});

	it('is waited for', async () => {
		const { dataDirectory } = withEntry();
		const unlock = await holdLock(stashOf(dataDirectory));
		const child = start(command, { dataDirectory, input });
		await sleep(2000);
		expect(child.isRunning()).toBe(true);
		await unlock();
		expectNumbersStashed(await child.result(), input, dataDirectory);
	});

	it('does not keep anybody from reading', async () => {
		const { dataDirectory, key } = withEntry();
		const unlock = await holdLock(stashOf(dataDirectory));
		expect(retrieved(key, dataDirectory)).toBe(numbers(6, 100));
		await unlock();
	});

	it('is not touched with --no-stash', async () => {
		const { dataDirectory } = withEntry();
		const unlock = await holdLock(stashOf(dataDirectory));
		const before = filesIn(dataDirectory);
		const { exitCode, stdout, stderr } = run([...command, '--no-stash'], { input, dataDirectory });
		expect(stderr).toBe('');
		expect(stdout.toString()).toBe('[1,2,3,4,5,"<... 195 more items truncated, not stashed>"]\n');
		expect(exitCode).toBe(0);
		expect(filesIn(dataDirectory)).toEqual(before);
		await unlock();
	});
});
