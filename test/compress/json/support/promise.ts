/** One arbitrary document, and all that is promised of it, whatever it holds. */

import fc from 'fast-check';
import { expect } from 'vitest';
import type { JsonOptions } from '../../../../lib/compress/json/options.js';
import { check, type Seen } from './check.js';
import { type Circumstances, compress } from './run.js';

/** What a run can be seen to have done. */
export type Feat = 'isCleaned' | 'items' | 'records' | 'text' | 'subtree' | 'isUnwrapped' | 'isSequence';

/** Share of the runs in which each operation must have been at work, or the test has tested nothing. */
const SHARE = 0.2;

export async function keepsItsPromise(
	input: Uint8Array,
	options: JsonOptions = {},
	circumstances: Circumstances = {},
): Promise<Seen> {
	const run = await compress(input, options, circumstances);
	const seen = check(input, options, run, circumstances.stash !== false);

	const chunk = Math.max(1, Math.ceil(input.length / 41));
	const inPieces = await compress(input, options, { ...circumstances, chunk });
	expect(inPieces.output.equals(run.output), 'the same bytes, however they come').toBe(true);
	expect(inPieces.outcome).toEqual(run.outcome);

	const second = await compress(run.output, options, circumstances);
	check(run.output, options, second, circumstances.stash !== false);
	if (seen.omissions > 0) {
		expect(second.output.equals(run.output), 'output that holds a notice is a fixed point').toBe(true);
	} else {
		const third = await compress(second.output, options, circumstances);
		expect(third.output.equals(second.output), 'a fixed point is reached in two runs').toBe(true);
	}

	return seen;
}

/** Limits that bind, small and large, some of them left to their defaults. */
export const limits: fc.Arbitrary<JsonOptions> = fc
	.record(
		{
			strings: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 100, max: 300 })),
			arrays: fc.nat(12),
			arrayTail: fc.nat(6),
			depth: fc.nat(6),
		},
		{ requiredKeys: [] },
	)
	.map((some) => ({ limits: some }));

/** Arbitrary options of the four ways to run: with a shell, with a tool, without recovery, without a stash. */
export const ways: fc.Arbitrary<JsonOptions> = fc
	.tuple(
		fc.oneof(fc.constant({}), limits),
		fc.constantFrom<JsonOptions>(
			{},
			{},
			{ recovery: { kind: 'tool', name: 'tokenless_retrieve' } },
			{ recovery: { kind: 'none' } },
			{ lossy: true },
			{ lossy: true, recovery: { kind: 'none' } },
		),
	)
	.map(([some, way]) => ({ ...some, ...way }));

/** Runs the property, and fails where a feat was seen in too few of the runs. */
export async function keepsItsPromises(
	documents: fc.Arbitrary<string>,
	options: fc.Arbitrary<JsonOptions>,
	{
		runs,
		feats,
		circumstances = {},
	}: { runs: number; feats: readonly Feat[]; circumstances?: Circumstances },
): Promise<void> {
	const counts = new Map<string, number>();
	let total = 0;
	await fc.assert(
		fc.asyncProperty(documents, options, async (text, some) => {
			const seen = await keepsItsPromise(Buffer.from(text), some, circumstances);
			total++;
			for (const feat of feats) {
				counts.set(feat, (counts.get(feat) ?? 0) + (seen[feat] ? 1 : 0));
			}
		}),
		{ numRuns: runs },
	);
	for (const feat of feats) {
		const share = (counts.get(feat) ?? 0) / total;
		expect(share, `share of the runs with ${feat}`).toBeGreaterThanOrEqual(SHARE);
		if (process.env.TOKENLESS_SHOW_SHARES) {
			console.log(`${feat}: ${Math.round(share * 100)} % of ${total}`);
		}
	}
}
