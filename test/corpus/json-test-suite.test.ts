/** JSONTestSuite: y_ files are JSON, n_ files are not, i_ files are left to us; none may crash or hang anything. */

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryDirectory } from '../cli/run.js';
import { tokenize } from '../json/events.js';
import { corpus, filesOf } from './corpus.js';

const directory = corpus('jsontestsuite');
const files = filesOf(directory);

function bytesOf(file: string): Buffer {
	return fs.readFileSync(path.join(directory, file));
}

/** Every file of a kind that is treated otherwise than it should be. */
function wrong(kind: string, isRight: (file: string) => boolean): string[] {
	return files.filter((file) => file.startsWith(kind) && !isRight(file));
}

describe('the tokenizer', () => {
	const accepts = (file: string, chunk: number): boolean =>
		tokenize(bytesOf(file), { chunk }).error === undefined;

	it('has something to read', () => {
		for (const kind of ['y_', 'n_', 'i_']) {
			expect(files.filter((file) => file.startsWith(kind)).length).toBeGreaterThan(30);
		}
	});

	it.each([Infinity, 1, 7])('accepts what is JSON and refuses what is not, in chunks of %d', (chunk) => {
		expect(wrong('y_', (file) => accepts(file, chunk))).toEqual([]);
		expect(wrong('n_', (file) => !accepts(file, chunk))).toEqual([]);
	});

	it('takes what is left to it the same way in any chunks', () => {
		expect(wrong('i_', (file) => accepts(file, 1) === accepts(file, Infinity))).toEqual([]);
	});

	it('accepts numbers of any size and half pairs, and refuses what is not UTF-8', () => {
		const accepted = files.filter((file) => file.startsWith('i_') && accepts(file, Infinity));
		expect(accepted).toEqual(expect.arrayContaining(files.filter((file) => /^i_number/u.test(file))));
		expect(accepted).toContain('i_string_1st_surrogate_but_2nd_missing.json');
		expect(accepted).toContain('i_structure_500_nested_arrays.json');
		expect(accepted.filter((file) => /utf-?8|utf-?16|overlong|iso_latin|truncated-utf/iu.test(file))).toEqual(
			accepted.filter((file) => /BOM/u.test(file) && !/utf16/iu.test(file)),
		);
	});
});

describe('compress-response', () => {
	/** What is wrong with how a file is answered; undefined where nothing is. */
	function faultOf(file: string, dataDirectory: string): string | undefined {
		const input = bytesOf(file);
		const { exitCode, signal, stdout, stderr } = run(['compress-response'], { input, dataDirectory });
		const isRefused = exitCode === 2;
		if (signal !== null || (exitCode !== 0 && !isRefused)) {
			return `exit code ${exitCode}, signal ${signal}`;
		}

		if (file.startsWith('y_') === isRefused && !file.startsWith('i_')) {
			return isRefused ? `refused: ${stderr}` : 'accepted';
		}

		if (isRefused) {
			return stdout.length > 0 || !/\bbyte \d+/u.test(stderr) || !/^[^\n]+\n$/u.test(stderr)
				? `refused with ${JSON.stringify(stderr)} and ${stdout.length} bytes of output`
				: undefined;
		}

		const isTheInput = stdout.equals(input);
		const isSmaller = stdout.length < input.length && tokenize(stdout).error === undefined;
		return isTheInput || isSmaller ? undefined : `answered with ${stdout.toString()}`;
	}

	it.each(['y_', 'n_', 'i_'])(
		'answers every %s file as it should',
		(kind) => {
			const dataDirectory = temporaryDirectory();
			const faults = files
				.filter((file) => file.startsWith(kind))
				.map((file) => [file, faultOf(file, dataDirectory)])
				.filter(([, fault]) => fault !== undefined);
			expect(faults).toEqual([]);
		},
		300_000,
	);
});
