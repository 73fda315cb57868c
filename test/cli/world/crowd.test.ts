/** Several processes on one stash, at the same time or one upon another. */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { referencesIn } from '../../../lib/stash/reference.js';
import { SqliteStash } from '../../../lib/stash/sqlite/store.js';
import { integrityOf, withDatabase } from '../../stash/support/databases.js';
import { run, temporaryDirectory } from '../run.js';
import { start, until } from './children.js';
import {
	BOUND,
	expectNotRetrieved,
	MEBIBYTE,
	manyWindows,
	missing,
	numbers,
	Records,
	retrieved,
	stashNumbers,
	stashOf,
} from './inputs.js';

const THREE_HOURS = 10_800_000;

describe('16 processes that stash at once', () => {
	it('into a new database lose nothing, what is their own and what they share', async () => {
		const dataDirectory = temporaryDirectory();
		const shared = numbers(1, 200);
		const inputs = Array.from({ length: 16 }, (_, index) => {
			const own = numbers(1000 * (index + 1), 1000 * (index + 1) + 200);
			return { own, text: `{"own":${own},"shared":${shared}}` };
		});
		// All are under way and wait for the end of their input before the first one gets it.
		const children = inputs.map(() => start(['compress-response', ...BOUND], { dataDirectory }));
		for (const [index, { text }] of inputs.entries()) {
			children[index].process.stdin?.write(text);
		}

		await sleep(1500);
		for (const child of children) {
			child.process.stdin?.end();
		}

		const results = await Promise.all(children.map((child) => child.result()));
		const sharedKeys = new Set<string>();
		for (const [index, { exitCode, stdout, stderr }] of results.entries()) {
			expect(stderr).toBe('');
			expect(exitCode).toBe(0);
			const output = JSON.parse(stdout.toString()) as { own: unknown[]; shared: unknown[] };
			const [own, other] = [output.own, output.shared].map((items) => referencesIn(String(items.at(-1)))[0]);
			expect(`[${output.own.slice(0, 5).join()},${retrieved(own, dataDirectory).slice(1)}`).toBe(
				inputs[index].own,
			);
			sharedKeys.add(other);
		}

		expect(sharedKeys.size).toBe(1);
		expect(retrieved([...sharedKeys][0], dataDirectory)).toBe(numbers(6, 200));
		expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
		expect(generations(dataDirectory)).toHaveLength(17);
	});

	it('with a MiB each lose nothing', async () => {
		const dataDirectory = temporaryDirectory();
		const records = new Records(MEBIBYTE);
		const keys: string[] = [];
		const children = [];
		for (let index = 0; index < 16; index++) {
			const { bytes, key } = await records.keyed(`crowd ${index}`);
			const child = start(['compress-response'], { dataDirectory });
			child.process.stdin?.write(Buffer.from(bytes));
			children.push(child);
			keys.push(key);
		}

		await sleep(1500);
		for (const child of children) {
			child.process.stdin?.end();
		}

		const results = await Promise.all(children.map((child) => child.result()));
		expect(results.map(({ stderr }) => stderr)).toEqual(results.map(() => ''));
		expect(results.map(({ stdout }) => referencesIn(stdout.toString()))).toEqual(keys.map((key) => [key]));
		expect(missing(dataDirectory, keys)).toEqual([]);
		expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
	});
});

describe('what a second process refreshed and printed', () => {
	it.each<[string, (first: ReturnType<typeof start>) => void]>([
		['is killed', (first) => first.process.kill('SIGKILL')],
		['is interrupted', (first) => first.process.kill('SIGINT')],
		['has lost its reader', (first) => first.process.stdout?.destroy()],
		['comes to its end', () => {}],
	])('stays when the first one %s', async (_, end) => {
		const dataDirectory = temporaryDirectory();
		const input = manyWindows('shared');
		const first = start(['compress-response', ...BOUND], { dataDirectory, input });
		// It has stored everything, and waits in the midst of its output.
		await until(() => (first.process.stdout?.readableLength ?? 0) > 0, first);
		expect(first.isRunning()).toBe(true);

		const second = run(['compress-response', ...BOUND], { dataDirectory, input });
		expect(second.stderr).toBe('');
		const keys = referencesIn(second.stdout.toString());
		expect(keys).toHaveLength(800);

		expect(first.isRunning()).toBe(true);
		end(first);
		const { stderr } = await first.result();
		expect(stderr).toBe('');
		expect(missing(dataDirectory, keys)).toEqual([]);
		// Refreshed, not stored a second time.
		expect(generations(dataDirectory)).toEqual(Array.from({ length: 800 }, (_, index) => 801 + index));
	});
});

/** The generations in the stash, in order. */
function generations(dataDirectory: string): number[] {
	return withDatabase(stashOf(dataDirectory), (database) =>
		database.prepare('SELECT generation FROM stash_entry ORDER BY generation').pluck().all(),
	) as number[];
}

describe('a generation is never given again', () => {
	it('after every entry was evicted', () => {
		const dataDirectory = temporaryDirectory();
		const environment = { TOKENLESS_STASH_MAX_BYTES: '1KiB' };
		const keys = [200, 201, 202].map((last) =>
			stashNumbers(dataDirectory, numbers(1, last), { environment }),
		);
		expect(generations(dataDirectory)).toEqual([3]);
		expectNotRetrieved(keys[0], /is not in '.*stash\.db': it was removed/, { dataDirectory });
		expect(missing(dataDirectory, keys.slice(2))).toEqual([]);
	});

	it('after every entry expired', () => {
		const dataDirectory = temporaryDirectory();
		const [first] = [200, 201].map((last) => stashNumbers(dataDirectory, numbers(1, last)));
		const later = new SqliteStash(stashOf(dataDirectory), { now: () => Date.now() + THREE_HOURS });
		expect(later.evictExpired()).toBe(2);
		expect(later.count()).toBe(0);
		later.close();
		expectNotRetrieved(first, /is not in '.*stash\.db': it was removed/, { dataDirectory });
		expect(stashNumbers(dataDirectory, numbers(1, 200))).toBe(first);
		expect(generations(dataDirectory)).toEqual([3]);
	});
});
