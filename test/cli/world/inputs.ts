/** What the executable is given here, and what is promised of its answers whatever becomes of the stash. */

import path from 'node:path';
import { expect } from 'vitest';
import { payloadKey } from '../../../lib/stash/keys.js';
import { referencesIn } from '../../../lib/stash/reference.js';
import { SqliteStash } from '../../../lib/stash/sqlite/store.js';
import { integrityOf } from '../../stash/support/databases.js';
import { keyOfEntry } from '../../stash/support/payloads.js';
import { type RunOptions, type RunResult, run } from '../run.js';

export const MEBIBYTE = 2 ** 20;

/** A limit that binds, however small the input is. */
export const BOUND = ['--truncate-arrays-at', '5', '--array-tail-preserve', '0'] as const;

/** Whole numbers in compact form: with `BOUND`, all but the first five go to the stash. */
export function numbers(first: number, last: number): string {
	return JSON.stringify(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

/** The same number of records of the same width every time, different ones for each label. */
export class Records {
	readonly #bytes: Buffer;
	readonly #width: number;

	/** @param size about how many bytes the array has. */
	constructor(size: number) {
		const record = (index: number) =>
			`{"id":${1_000_000 + index},"run":"${' '.repeat(16)}","text":"${'lorem ipsum '.repeat(4)}"}`;
		this.#width = record(0).length + 1;
		const length = Math.ceil(size / this.#width);
		this.#bytes = Buffer.from(`[${Array.from({ length }, (_, index) => record(index)).join()}]`);
	}

	/** Bytes of the array. */
	get size(): number {
		return this.#bytes.length;
	}

	/** The array in compact form; valid until the next call. */
	labelled(label: string): Buffer {
		const place = '[{"id":1000000,"run":"'.length;
		const text = label.padEnd(16).slice(0, 16);
		for (let position = place; position < this.#bytes.length; position += this.#width) {
			this.#bytes.write(text, position, 'latin1');
		}

		return this.#bytes;
	}

	/** The array, and the key under which it goes to the stash. */
	async keyed(label: string): Promise<{ bytes: Buffer; key: string }> {
		const bytes = this.labelled(label);
		return { bytes, key: await payloadKey(bytes) };
	}
}

/** An input whose output is longer than what a pipe holds, and full of instructions from beginning to end. */
export function manyWindows(label: string): string {
	const items = (field: number) =>
		Array.from({ length: 100 }, (_, index) => `${label}, field ${field}, item ${index}, and some more text`);
	return JSON.stringify(
		Object.fromEntries(Array.from({ length: 800 }, (_, field) => [`field ${field}`, items(field)])),
	);
}

export function stashOf(dataDirectory: string): string {
	return path.join(dataDirectory, 'stash.db');
}

/** Those of the keys that the stash does not give back byte for byte. */
export function missing(dataDirectory: string, keys: readonly string[]): string[] {
	const store = new SqliteStash(stashOf(dataDirectory), { mode: 'read' });
	try {
		return keys.filter((key) => keyOfEntry(store.retrieve(key)) !== key);
	} finally {
		store.close();
	}
}

/** What `tokenless retrieve` prints. */
export function retrieved(key: string, dataDirectory: string): string {
	const { exitCode, stdout, stderr } = run(['retrieve', key], { dataDirectory });
	expect(stderr).toBe('');
	expect(exitCode).toBe(0);
	return stdout.toString();
}

/** Expects one line on standard error that says why. */
export function expectOneLine(stderr: string, why: RegExp): void {
	expect(stderr).toMatch(/^tokenless: [^\n]+\n$/);
	expect(stderr).toMatch(why);
}

/** Expects that all of the input came out, as it was or in compact form, and a line that says why. */
export function expectNothingDropped(
	{ exitCode, stdout, stderr }: RunResult,
	input: string | Uint8Array,
	why: RegExp,
): void {
	expectOneLine(stderr, why);
	expect(exitCode).toBe(0);
	const original = Buffer.from(input);
	if (!stdout.equals(original)) {
		const complete = JSON.stringify(JSON.parse(original.toString()));
		// Compared so, because a difference of some MiB is nothing to look at.
		expect(stdout.length).toBe(Buffer.byteLength(complete) + 1);
		expect(stdout.toString() === `${complete}\n`).toBe(true);
	}
}

/** Expects an output of numbers that names one payload, which makes it whole again. @returns the key. */
export function expectNumbersStashed(
	{ exitCode, stdout, stderr }: RunResult,
	input: string,
	dataDirectory: string,
): string {
	expect(stderr).toBe('');
	expect(exitCode).toBe(0);
	const keys = referencesIn(stdout.toString());
	expect(keys).toHaveLength(1);
	const kept = (JSON.parse(stdout.toString()) as unknown[]).slice(0, 5);
	expect(`[${kept.join()},${retrieved(keys[0], dataDirectory).slice(1)}`).toBe(input);
	return keys[0];
}

/**
 * Stores numbers with one run of the executable.
 *
 * @param options as to `run`; the data directory is the one that is given first.
 * @returns the key of what was left out. Nothing but the database stays: what a reader leaves beside it is gone.
 */
export function stashNumbers(dataDirectory: string, input: string, options: RunOptions = {}): string {
	const result = run(['compress-response', ...BOUND], { ...options, dataDirectory, input });
	const key = expectNumbersStashed(result, input, dataDirectory);
	expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
	return key;
}

/** Expects `retrieve` to fail with one line that says why. */
export function expectNotRetrieved(key: string, why: RegExp, options: RunOptions): void {
	const { exitCode, stdout, stderr } = run(['retrieve', key], options);
	expectOneLine(stderr, why);
	expect(exitCode).toBe(1);
	expect(stdout.length).toBe(0);
}
