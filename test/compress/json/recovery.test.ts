/** What is left out has a way back: where the stash fails, where there is none, and where there would be too much. */

import { describe, expect, it } from 'vitest';
import { keepsItsPromise } from './support/promise.js';
import { compress, FailingStash, MapStash } from './support/run.js';

const numbers = (from: number, to: number): number[] =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a stash that does not work', () => {
	it('leaves nothing out: the complete form, or the input', async () => {
		const pretty = Buffer.from(JSON.stringify({ a: null, list: numbers(1, 40_000) }, undefined, 2));
		const { output, outcome } = await compress(pretty, {}, { stash: new FailingStash() });
		expect(output.toString()).toBe(`${JSON.stringify({ list: numbers(1, 40_000) })}\n`);
		expect(outcome).toMatchObject({
			disposition: 'applied',
			operations: ['json_cleanup'],
			recoverability: 'lossless',
			writes: [],
		});
		expect(outcome.notes.join()).toContain('the stash is locked by another process');

		const dense = Buffer.from(JSON.stringify(numbers(1, 40_000)));
		const whole = await compress(dense, {}, { stash: new FailingStash() });
		expect(whole.output.equals(dense)).toBe(true);
		expect(whole.outcome).toMatchObject({
			disposition: 'recoverability_unavailable',
			operations: [],
			writes: [],
		});
		expect(whole.outcome.notes.join()).toContain('the stash is locked by another process');
	});

	it('is not asked where nothing is to be stored', async () => {
		const stash = new FailingStash();
		await compress(Buffer.from('[1,   2,   3,   null]'), {}, { stash });
		expect(stash.calls).toBe(0);
	});

	it('and breaks otherwise than a stash may, is not taken for one', async () => {
		class Broken extends MapStash {
			override stash(): never {
				throw new TypeError('a fault of ours');
			}
		}
		await expect(
			compress(Buffer.from(JSON.stringify(numbers(1, 400))), {}, { stash: new Broken() }),
		).rejects.toThrow(TypeError);
	});
});

describe('nothing is left out without a way back', () => {
	const deep = `${'['.repeat(1100)}"${'x'.repeat(9000)}"${']'.repeat(1100)}`;

	it.each([
		['no stash', {}, { stash: false as const }],
		['no recovery', { recovery: { kind: 'none' as const } }, {}],
	])('with %s, at any depth and length', async (_, options, circumstances) => {
		for (const input of [deep, JSON.stringify(numbers(1, 50_000)), JSON.stringify(['x'.repeat(100_000)])]) {
			const run = await compress(
				Buffer.from(input),
				{ limits: { strings: 100, arrays: 3, depth: 2 }, ...options },
				circumstances,
			);
			expect(run.output.toString()).toBe(input);
			expect(run.outcome.disposition).toBe('no_savings');
			expect(run.stash.calls).toBe(0);
		}
	});
});

describe('too many windows', () => {
	it('become one of the container around them', async () => {
		const text = (index: number): string => String(index).padEnd(5000, 'text ');
		const members = Object.fromEntries(numbers(1, 3000).map((index) => [`k${index}`, text(index)]));
		const input = Buffer.from(
			JSON.stringify({ first: { members }, second: [text(0)], third: numbers(1, 99) }),
		);
		const seen = await keepsItsPromise(input);
		expect(seen.keys.length).toBeLessThanOrEqual(1000);
		expect(seen).toMatchObject({ subtree: 1, text: 1, items: 1 });
		const { outcome } = await compress(input);
		expect(outcome.notes.join()).toMatch(/whole containers/u);
	}, 120_000);

	it('at several depths', async () => {
		const list = numbers(1, 150);
		const rows = Array.from({ length: 10 }, () => Array.from({ length: 40 }, () => [list, 'x']));
		const input = Buffer.from(JSON.stringify({ a: rows, b: [rows, rows] }));
		const seen = await keepsItsPromise(input, { limits: { arrays: 40, arrayTail: 5 } });
		expect(seen.keys.length).toBeLessThanOrEqual(1000);
		expect(seen.omissions).toBeGreaterThan(0);
	}, 120_000);

	it('of JSON Lines', async () => {
		const input = numbers(1, 1500)
			.map((index) => JSON.stringify([index, 'y'.repeat(5000)]))
			.join('\n');
		const seen = await keepsItsPromise(Buffer.from(input));
		expect(seen.keys.length).toBeLessThanOrEqual(1000);
		expect(seen.omissions).toBeGreaterThan(0);
	}, 120_000);
});
