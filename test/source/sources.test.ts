/** Bytes in memory and files read in place. */

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { copySource } from '../../lib/source/copy.js';
import { SourceError } from '../../lib/source/errors.js';
import { FileSource } from '../../lib/source/file.js';
import { memorySource } from '../../lib/source/memory.js';
import type { Source } from '../../lib/source/types.js';
import { temporaryDirectory } from './bundle.js';

const directory = temporaryDirectory();
afterAll(() => fs.rmSync(directory, { recursive: true }));

let files = 0;

function fileWith(contents: string | Uint8Array): { name: string; descriptor: number; source: FileSource } {
	const name = path.join(directory, `file-${files++}`);
	fs.writeFileSync(name, contents);
	// Long ago, so that a change cannot fall into the same tick of the clock.
	fs.utimesSync(name, 1_000_000, 1_000_000);
	const descriptor = fs.openSync(name, 'r');
	return { name, descriptor, source: new FileSource(descriptor, name) };
}

const bytes = Buffer.from('0123456789');

describe.each<[string, () => Source]>([
	['memory', () => memorySource(bytes)],
	['a file', () => fileWith(bytes).source],
])('a source over %s', (_, create) => {
	test.each([
		[0, 10, '0123456789'],
		[3, 4, '3456'],
		[8, 5, '89'],
		[10, 5, ''],
		[11, 5, ''],
		[4, 0, ''],
	])('reads from %i at most %i bytes', (position, length, expected) => {
		const target = Buffer.alloc(20, '.');
		const count = create().read(target, 2, length, position);
		expect(count).toBe(expected.length);
		expect(target.toString()).toBe(`..${expected}`.padEnd(20, '.'));
	});

	test('knows its size', () => {
		expect(create().size).toBe(10);
	});

	test('is copied whole, in part, and not at all', () => {
		const copied = (from?: number, to?: number): string => {
			const parts: string[] = [];
			const sink = { write: (part: Uint8Array) => void parts.push(Buffer.from(part).toString()) };
			copySource(create(), sink, from, to);
			return parts.join('');
		};
		expect(copied()).toBe('0123456789');
		expect(copied(2, 5)).toBe('234');
		expect(copied(8)).toBe('89');
		expect(copied(5, 5)).toBe('');
	});
});

describe('a file read in place', () => {
	const target = Buffer.alloc(64);

	function errorOf(operation: () => unknown): SourceError {
		try {
			operation();
		} catch (error) {
			expect(error).toBeInstanceOf(SourceError);
			return error as SourceError;
		}

		throw new Error('nothing was thrown');
	}

	test('is found shortened by the read that comes up short', () => {
		const { name, source } = fileWith(bytes);
		expect(source.read(target, 0, 4, 0)).toBe(4);
		fs.truncateSync(name, 6);
		const error = errorOf(() => source.read(target, 0, 6, 4));
		expect(error.kind).toBe('changed');
		expect(error.message).toContain(name);
		expect(error.message).not.toContain('\n');
	});

	test('ends where it ended at opening, and is found longer at the end', () => {
		const { name, source } = fileWith(bytes);
		fs.appendFileSync(name, 'more');
		expect(source.read(target, 0, 64, 0)).toBe(10);
		expect(errorOf(() => source.verify()).kind).toBe('changed');
	});

	test('is found overwritten at the same length', () => {
		const { name, source } = fileWith(bytes);
		source.verify();
		fs.writeFileSync(name, 'abcdefghij');
		expect(errorOf(() => source.verify()).kind).toBe('changed');
	});

	test('stays the same when another takes its name', () => {
		const { name, source } = fileWith(bytes);
		fs.writeFileSync(`${name}.new`, 'another');
		fs.renameSync(`${name}.new`, name);
		expect(source.read(target, 0, 64, 0)).toBe(10);
		expect(target.subarray(0, 10)).toEqual(bytes);
		source.verify();
	});

	test('is read beyond 4 GiB', () => {
		const { name } = fileWith('');
		execFileSync('truncate', ['-s', '5G', name]);
		const position = 4.5 * 1024 ** 3 + 1;
		const descriptor = fs.openSync(name, 'r+');
		fs.writeSync(descriptor, 'far out', position);
		const source = new FileSource(descriptor, name);
		expect(source.size).toBe(5 * 1024 ** 3);
		expect(source.read(target, 0, 7, position)).toBe(7);
		expect(target.toString('latin1', 0, 7)).toBe('far out');
		fs.closeSync(descriptor);
		fs.rmSync(name);
	});

	test('says so when it cannot be read', () => {
		const { descriptor, source } = fileWith(bytes);
		fs.closeSync(descriptor);
		expect(errorOf(() => source.read(target, 0, 4, 0)).kind).toBe('closed');
	});
});
