/** Pipes that make one wait, and pipes that close. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bundle, temporaryDirectory } from './bundle.js';
import type { ReadReport } from './children/read.js';

const directory = temporaryDirectory();
const reader = bundle(new URL('children/read.ts', import.meta.url), directory);
const writer = bundle(new URL('children/write.ts', import.meta.url), directory);
afterAll(() => fs.rmSync(directory, { recursive: true }));

/** What the writer writes. */
function written(total: number): Buffer {
	const step = 100_000;
	const bytes = Buffer.alloc(total);
	for (let position = 0; position < total; position += step) {
		bytes.fill(65 + ((position / step) % 26), position, Math.min(total, position + step));
	}

	return bytes;
}

interface WriteReport {
	error?: string;
	waits: number;
}

describe('a pipe that was made non-blocking', () => {
	test('is read to its end, asleep while there is nothing', () => {
		const parent = [
			'import os, subprocess, sys, time',
			'r, w = os.pipe()',
			'os.set_blocking(r, False)',
			'child = subprocess.Popen(sys.argv[1:], stdin=r, close_fds=True)',
			'os.close(r)',
			'for index in range(5):',
			'    time.sleep(0.2)',
			'    os.write(w, b"%d," % index * 1000)',
			'os.close(w)',
			'sys.exit(child.wait())',
		].join('\n');
		const request = JSON.stringify({ maxInput: 0, spoolDirectories: [directory], alwaysPassThrough: true });
		const child = spawnSync('python3', ['-c', parent, process.execPath, reader, request]);
		const report = JSON.parse(child.stderr.toString()) as ReadReport;
		expect(report.error).toBeUndefined();
		expect(child.stdout.toString()).toBe([0, 1, 2, 3, 4].map((index) => `${index},`.repeat(1000)).join(''));
		expect(report.waits).toBeGreaterThan(0);
	});

	test('takes everything, however slowly it is emptied', () => {
		const total = 2_345_678;
		const parent = [
			'import os, subprocess, sys, time',
			'r, w = os.pipe()',
			'os.set_blocking(w, False)',
			'child = subprocess.Popen(sys.argv[1:], stdout=w, close_fds=True)',
			'os.close(w)',
			'time.sleep(0.5)',
			'while True:',
			'    piece = os.read(r, 50001)',
			'    if not piece: break',
			'    sys.stdout.buffer.write(piece)',
			'    time.sleep(0.002)',
			'sys.exit(child.wait())',
		].join('\n');
		const child = spawnSync('python3', ['-c', parent, process.execPath, writer, String(total)], {
			maxBuffer: 2 * total,
		});
		const report = JSON.parse(child.stderr.toString()) as WriteReport;
		expect(report.error).toBeUndefined();
		expect(report.waits).toBeGreaterThan(0);
		expect(child.stdout.equals(written(total))).toBe(true);
	});
});

describe('a sink', () => {
	function run(script: string): { report: WriteReport; output: Buffer } {
		const child = spawnSync('sh', ['-c', script, 'sh', process.execPath, writer, '1234567'], {
			maxBuffer: 8 * 1024 * 1024,
		});
		return { report: JSON.parse(child.stderr.toString()) as WriteReport, output: child.stdout };
	}

	test.each([
		'"$@"',
		'"$@" | cat',
		`"$@" > '${path.join(directory, 'out')}' && cat '${path.join(directory, 'out')}'`,
	])('%s: gets every byte in order', (script) => {
		const { report, output } = run(script);
		expect(report.error).toBeUndefined();
		expect(output.equals(written(1_234_567))).toBe(true);
	});

	test('whose reader goes away says that it is closed', () => {
		const { report, output } = run('"$@" | head -c 1');
		expect(report.error).toBe('ClosedPipeError: the reader of the output has closed it');
		expect(output.toString()).toBe('A');
	});

	test('that is full says what the system says', () => {
		expect(run('"$@" > /dev/full').report.error).toBe(
			'SinkError: cannot write the output: ENOSPC: no space left on device',
		);
	});
});
