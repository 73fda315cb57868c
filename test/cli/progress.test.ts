/** The progress line: late, on a terminal only, and gone at the end. */

import { describe, expect, it } from 'vitest';
import { startProgress } from '../../lib/cli/progress.js';

const MEBIBYTE = 1024 * 1024;

function fakeTerminal(isTerminal: boolean) {
	const terminal = {
		time: 0,
		written: [] as string[],
		questions: 0,
		now: () => terminal.time,
		isTerminal() {
			terminal.questions++;
			return isTerminal;
		},
		write(text: string) {
			terminal.written.push(text);
		},
	};
	return terminal;
}

describe('startProgress', () => {
	it('writes nothing within the first second, nor erases what it did not write', () => {
		const terminal = fakeTerminal(true);
		const progress = startProgress(terminal);
		terminal.time = 999;
		progress.update(1, 2);
		progress.erase();
		expect(terminal.written).toEqual([]);
		expect(terminal.questions).toBe(0);
	});

	it('then draws one line over the other, not too often, and erases it once', () => {
		const terminal = fakeTerminal(true);
		const progress = startProgress(terminal);
		for (const [time, done] of [
			[1000, 16],
			[1050, 17],
			[1100, 32.5],
		]) {
			terminal.time = time;
			progress.update(done * MEBIBYTE, 64 * MEBIBYTE);
		}

		progress.erase();
		progress.erase();
		expect(terminal.written).toEqual([
			'\r\u001B[Ktokenless: 16.0 of 64.0 MiB read (25 %)',
			'\r\u001B[Ktokenless: 32.5 of 64.0 MiB read (50 %)',
			'\r\u001B[K',
		]);
	});

	it('tells the amount alone where the total is not known', () => {
		const terminal = fakeTerminal(true);
		const progress = startProgress(terminal);
		terminal.time = 1000;
		progress.update(1.5 * MEBIBYTE, undefined);
		expect(terminal.written).toEqual(['\r\u001B[Ktokenless: 1.5 MiB read']);
	});

	it('writes nothing where there is no terminal, and asks once', () => {
		const terminal = fakeTerminal(false);
		const progress = startProgress(terminal);
		for (terminal.time = 1000; terminal.time < 5000; terminal.time += 500) {
			progress.update(1, 2);
		}

		progress.erase();
		expect(terminal.written).toEqual([]);
		expect(terminal.questions).toBe(1);
	});
});
