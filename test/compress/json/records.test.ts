/** Arrays of 33 to 100,000 records: what matters in them is in the output, and the whole array in the stash. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonOptions } from '../../../lib/compress/json/options.js';
import { criticalRecords, type Fields } from './support/brute.js';
import { compress } from './support/run.js';

/** How the records are written down. `key` leads to the array in the parsed output. */
interface Form {
	readonly name: string;
	write(records: readonly Fields[]): string;
	/** The array, notice included. */
	find(output: string): unknown[];
	payload(records: readonly Fields[]): string;
}

const compactArray = (records: readonly Fields[]): string => JSON.stringify(records);
const filler = (count: number): Fields[] =>
	Array.from({ length: count }, (_, index) => ({ id: -index, text: 'x'.repeat(30) }));

const FORMS: readonly Form[] = [
	{
		name: 'an array',
		write: compactArray,
		find: (output) => JSON.parse(output) as unknown[],
		payload: compactArray,
	},
	{
		name: 'a pretty-printed array in an object',
		// The list exceeds a limit that was asked for: a compact form alone does not win.
		write: (records) => JSON.stringify({ list: Array(99).fill('word'), rows: records }, undefined, 4),
		find: (output) => (JSON.parse(output) as { rows: unknown[] }).rows,
		payload: compactArray,
	},
	{
		name: 'the smaller one of two arrays',
		write: (records) => JSON.stringify({ others: filler(records.length * 12 + 40), deep: { rows: records } }),
		find: (output) => (JSON.parse(output) as { deep: { rows: unknown[] } }).deep.rows,
		payload: compactArray,
	},
	{
		name: 'an array within a record',
		write: (records) =>
			JSON.stringify([...filler(10), { id: 1, error: 'kept', rows: records }, ...filler(60)]),
		find: (output) =>
			(JSON.parse(output) as { rows?: unknown[] }[]).find(({ rows }) => rows !== undefined)
				?.rows as unknown[],
		payload: compactArray,
	},
	{
		name: 'JSON Lines',
		write: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(''),
		find: (output) =>
			output
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line) as unknown),
		payload: (records) => records.map((record) => JSON.stringify(record)).join('\n'),
	},
];

/** Deterministic numbers, good enough to scatter things. */
function chance(seed: number): (below: number) => number {
	let state = seed >>> 0;
	return (below) => {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
		return Math.floor((((state ^ (state >>> 13)) >>> 0) / 4_294_967_296) * below);
	};
}

/** Mostly alike, with errors, rare shapes and outliers among them. */
function recordsOf(count: number, seed: number): Fields[] {
	const next = chance(seed);
	const records = Array.from(
		{ length: count },
		(_, id): Record<string, unknown> => ({
			id,
			name: `item ${next(1000)}`,
			status: ['ok', 'running', 'done'][next(3)],
			duration: 100 + next(40),
			ratio: next(1000) / 1000,
			meta: { level: 'info', size: next(5000), inner: { score: next(9000), far: { deep: next(9000) } } },
			parts: [{ weight: next(9000), state: 'failed' }],
		}),
	);
	const errors: Fields[] = [
		{ status: 'FAILED' },
		{ error: 'no such file' },
		{ Exception: { type: 'IOError' } },
		{ level: 'Warning' },
		{ errors: ['a'] },
		{ severity: 'critical: disk', failure: true },
	];
	for (let index = next(6); index > 0; index--) {
		Object.assign(records[next(count)], errors[next(errors.length)]);
	}

	for (let index = next(3); index > 0; index--) {
		records[next(count)].meta = {
			level: ['WARNING', 'info'][next(2)],
			size: next(9000) - 2000,
			inner: { errors: 'some', score: -1 },
		};
	}

	for (let index = next(4); index > 0; index--) {
		records[next(count)].duration = (next(2) * 2 - 1) * (5000 + next(1000));
	}

	for (let index = next(5); index > 0; index--) {
		records[next(count)][`extra${index}`] = 'seen once';
	}

	// As many as a shape may have that is still rare: above 1,280 records more than are remembered.
	for (let index = Math.floor(count / 20); index > 0; index--) {
		const record = records[next(count)];
		if (!('rare' in record) && Object.keys(record).length === 7) {
			record.rare = index;
		}
	}

	return records;
}

async function verify(
	records: readonly Fields[],
	form: Form,
	options: JsonOptions = { limits: { arrays: 32 } },
): Promise<number> {
	const text = form.write(records);
	const { output, outcome, stash } = await compress(Buffer.from(text), options);
	expect(outcome.operations).toContain('json_record_reduction');
	const found = form.find(output.toString());
	const notice =
		/^(\d+) of (\d+) records omitted\. If needed, run in shell: tokenless retrieve ([\da-f]{24})$/u.exec(
			found.at(-1) as string,
		);
	const [, omitted, total, key] = notice ?? [];
	const kept = found.slice(0, -1) as Fields[];
	expect(Number(total)).toBe(records.length);
	expect(Number(omitted)).toBe(records.length - kept.length);
	expect(stash.payloads.get(key)?.toString()).toBe(form.payload(records));

	const ids = new Set(kept.map(({ id }) => id as number));
	expect(ids.size).toBe(kept.length);
	const critical = criticalRecords(records);
	for (const [reason, members] of Object.entries(critical) as [string, number[]][]) {
		expect(
			members.filter((index) => !ids.has(index)),
			`missing ${reason}`,
		).toEqual([]);
	}

	for (const record of kept) {
		expect(record).toEqual(records[record.id as number]);
	}

	const all = new Set(Object.values(critical).flat());
	expect(kept.length).toBeLessThanOrEqual(Math.max(32, all.size + 8));
	expect(kept.length).toBeGreaterThanOrEqual(32);
	return kept.length;
}

describe.each(FORMS)('records in $name', (form) => {
	it('of 40 to 600 keep what matters', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 40, max: 600 }), fc.nat(), async (count, seed) => {
				await verify(recordsOf(count, seed), form);
			}),
			{ numRuns: 25 },
		);
	});

	it.each([1280, 4000])('%i of them keep what matters', async (count) => {
		await verify(recordsOf(count, count), form);
	});
});

describe('records in great number', () => {
	it('keep what matters: 100,000 in an array', async () => {
		await verify(recordsOf(100_000, 1), FORMS[0]);
	}, 180_000);

	it('keep what matters: 100,000 lines', async () => {
		await verify(recordsOf(100_000, 2), FORMS[4]);
	}, 180_000);
});

describe('the least that is reduced', () => {
	const padded = (count: number): Fields[] =>
		Array.from({ length: count }, (_, id) => ({ id, text: `${id} `.repeat(80) }));

	it('is 33 records', async () => {
		expect((await compress(Buffer.from(JSON.stringify(padded(32))))).outcome.disposition).toBe('no_savings');
		expect(await verify(padded(33), FORMS[0])).toBe(32);
	});

	it('is more than the notice costs', async () => {
		const small = Array.from({ length: 34 }, (_, id) => ({ id }));
		const { outcome, output } = await compress(Buffer.from(JSON.stringify(small)));
		expect(outcome.disposition).toBe('no_savings');
		expect(output.toString()).toBe(JSON.stringify(small));
	});

	it('are objects all of them, apart from what clean-up removes', async () => {
		const records = padded(60);
		const mixed = await compress(Buffer.from(JSON.stringify([...records, 1])));
		expect(mixed.outcome.operations).toEqual(['json_cleanup', 'json_truncation']);
		const holed = await compress(Buffer.from(JSON.stringify([null, ...records, {}, [], { id: null }, ''])));
		expect(holed.outcome.operations).toContain('json_record_reduction');
		// Two objects were emptied: they are absent from the output like the 28 others.
		expect(holed.output.toString()).toContain('"30 of 62 records omitted. ');
	});

	it('whatever the limits of other arrays', async () => {
		await verify(padded(50), FORMS[0], { limits: { arrays: 1000 } });
		await verify(padded(50), FORMS[0], { limits: { arrays: 1, arrayTail: 0 } });
	});

	it('is not reduced where nothing would be kept of it', async () => {
		const input = Buffer.from(JSON.stringify(padded(100)));
		for (const options of [{ lossy: true }, { recovery: { kind: 'none' } }] as const) {
			const { output, outcome } = await compress(input, options);
			expect(outcome.disposition).toBe('no_savings');
			expect(output.equals(input)).toBe(true);
		}
	});
});

describe('more fields and shapes than can be told apart', () => {
	it('are said to be so', async () => {
		const wide = Array.from({ length: 60 }, (_, id) =>
			Object.fromEntries(Array.from({ length: 30 }, (_, field) => [`f${id}_${field}`, field])),
		);
		expect((await compress(Buffer.from(JSON.stringify(wide)))).outcome.notes.join()).toMatch(/1024 fields/u);
		const varied = Array.from({ length: 3000 }, (_, id) => ({
			id,
			[`f${id % 1500}`]: 1,
			text: 'x'.repeat(20),
		}));
		const { outcome, output } = await compress(Buffer.from(JSON.stringify(varied)));
		expect(outcome.notes.join()).toMatch(/1024 .*shapes/u);
		expect(output.toString()).toMatch(/ of 3000 records omitted/u);
	});
});

describe('error signals', () => {
	const keeps = async (record: Fields): Promise<boolean> => {
		const records: Fields[] = Array.from({ length: 400 }, (_, id) => ({
			id,
			status: 'ok',
			level: 'info',
			error: null,
			failures: 'none',
			note: `text ${id}`,
			message: { text: 'all is well' },
		}));
		// A place that the even sample leaves out, and a shape that more than 5 % have.
		const place = 201;
		for (let twin = 50; twin < 300 && 'error' in record; twin += 10) {
			records[twin] = { ...records[twin], error: 'x' };
		}

		const { error: _, ...shape } = records[0];
		records[place] = { ...records[place], ...shape, id: place, ...record };
		const { output } = await compress(Buffer.from(JSON.stringify(records)));
		return (JSON.parse(output.toString()) as Fields[]).some(({ id }) => id === place);
	};

	it.each([
		{ status: 'failed' },
		{ status: 'Timeout after 30 s' },
		{ level: 'WARN' },
		{ level: 'ERROR' },
		{ status: '2 errors, 0 warnings' },
		{ status: '10 errors' },
		{ status: 'kernel panic' },
		{ error: 'disk full' },
		{ message: { level: 'error' } },
		{ message: { inner: { exception: 'x' } } },
	])('%j is one', async (record) => {
		expect(await keeps(record)).toBe(true);
	});

	it.each([
		{ status: 'ok' },
		{ status: '0 errors, 0 failures' },
		{ status: 'no errors' },
		{ level: 'without warnings' },
		{ status: 'error_rate: 0' },
		{ note: 'this text speaks of an error' },
		{ note: [{ level: 'error' }] },
	])('%j is none', async (record) => {
		expect(await keeps(record)).toBe(false);
	});
});
