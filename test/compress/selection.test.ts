/** Which records survive: classes whole or by quota, then an even sample. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrdinalSet } from '../../lib/compress/ordinals.js';
import {
	BASE_BUDGET,
	type CriticalClasses,
	EDGE_RECORDS,
	selectRecords,
} from '../../lib/compress/selection.js';

function setOf(members: Iterable<number> = []): OrdinalSet {
	const set = new OrdinalSet();
	for (const member of members) {
		set.add(member);
	}

	return set;
}

function membersOf(set: OrdinalSet): number[] {
	const members: number[] = [];
	for (let member = set.next(0); member >= 0; member = set.next(member + 1)) {
		members.push(member);
	}

	return members;
}

function classes(some: Partial<Record<keyof CriticalClasses, Iterable<number>>> = {}): CriticalClasses {
	return {
		errors: setOf(some.errors),
		rareShapes: setOf(some.rareShapes),
		outliers: setOf(some.outliers),
		extremes: setOf(some.extremes),
	};
}

const itself = (ordinal: number): number => ordinal;

function edgesOf(count: number): number[] {
	return [...Array(count).keys()].filter(
		(ordinal) => ordinal < EDGE_RECORDS || ordinal >= count - EDGE_RECORDS,
	);
}

describe('without a ceiling', () => {
	it('keeps the edges and every critical record, whatever that comes to', () => {
		const members = fc.array(fc.nat(499), { maxLength: 60 });
		fc.assert(
			fc.property(members, members, members, members, (errors, rareShapes, outliers, extremes) => {
				const kept = selectRecords({
					count: 500,
					classes: classes({ errors, rareShapes, outliers, extremes }),
					fingerprint: itself,
				});
				const critical = new Set([...edgesOf(500), ...errors, ...rareShapes, ...outliers, ...extremes]);
				for (const ordinal of critical) {
					expect(kept.has(ordinal)).toBe(true);
				}

				expect(kept.size).toBe(Math.max(critical.size, BASE_BUDGET));
			}),
			{ numRuns: 100 },
		);
	});

	it('keeps everything where there is little', () => {
		for (const count of [1, 5, 8, 9, 31, 32]) {
			expect(membersOf(selectRecords({ count, classes: classes(), fingerprint: itself }))).toEqual([
				...Array(count).keys(),
			]);
		}
	});

	it('samples the rest evenly: (2·slot + 1)·m / 2k', () => {
		for (const [count, errors] of [
			[33, []],
			[100, []],
			[1000, [500]],
			[100_000, [7, 50_000, 99_000]],
		] as const) {
			const critical = new Set([...edgesOf(count), ...errors]);
			const rest = [...Array(count).keys()].filter((ordinal) => !critical.has(ordinal));
			const places = BASE_BUDGET - critical.size;
			const sample = Array.from(
				{ length: places },
				(_, slot) => rest[Math.floor(((2 * slot + 1) * rest.length) / (2 * places))],
			);
			const kept = membersOf(selectRecords({ count, classes: classes({ errors }), fingerprint: itself }));
			expect(kept).toEqual([...critical, ...sample].sort((a, b) => a - b));
		}
	});

	it('gives no place in the sample to what is kept already in another record', () => {
		const kept = membersOf(
			selectRecords({ count: 1000, classes: classes(), fingerprint: (ordinal) => Math.floor(ordinal / 50) }),
		);
		const contents = kept
			.filter((ordinal) => ordinal >= 4 && ordinal < 996)
			.map((ordinal) => Math.floor(ordinal / 50));
		expect(new Set(contents).size).toBe(contents.length);
		expect(contents.length).toBeGreaterThan(8);
		expect(contents.every((content) => content !== 0 && content !== 19)).toBe(true);
	});

	it('keeps the edges alone where all records are alike, without reading them all', () => {
		let asked = 0;
		const kept = selectRecords({
			count: 1_000_000,
			classes: classes(),
			fingerprint: () => {
				asked++;
				return 1;
			},
		});
		expect(membersOf(kept)).toEqual(edgesOf(1_000_000));
		expect(asked).toBeLessThan(1000);
	});
});

describe('under a ceiling', () => {
	it('keeps the edges, no more than the ceiling, and something of every class', () => {
		const step = (from: number): number[] => [...Array(100).keys()].map((index) => from + index * 40);
		const request = {
			count: 5000,
			classes: classes({
				errors: step(100),
				rareShapes: step(110),
				outliers: step(120),
				extremes: step(130),
			}),
			fingerprint: itself,
		};
		for (const ceiling of [12, 24, 32, 60, 200]) {
			const kept = selectRecords({ ...request, ceiling });
			expect(kept.size).toBeLessThanOrEqual(ceiling);
			expect(kept.size).toBeGreaterThanOrEqual(Math.min(ceiling, 32) - 4);
			for (const edge of edgesOf(5000)) {
				expect(kept.has(edge)).toBe(true);
			}

			for (const start of [100, 110, 120, 130]) {
				const found = step(start).filter((ordinal) => kept.has(ordinal)).length;
				expect(found, `of those from ${start}`).toBeGreaterThanOrEqual(Math.floor((ceiling - 8) / 4) - 1);
			}
		}
	});

	it('gives what one class leaves to the next', () => {
		const errors = [...Array(100).keys()].map((index) => 50 + index);
		const kept = selectRecords({
			count: 1000,
			classes: classes({ errors: [500], extremes: errors }),
			fingerprint: itself,
			ceiling: 40,
		});
		expect(kept.has(500)).toBe(true);
		expect(errors.filter((ordinal) => kept.has(ordinal))).toHaveLength(31);
	});

	it('spreads a class that is too large over its records', () => {
		const errors = [...Array(900).keys()].map((index) => 50 + index);
		const kept = membersOf(
			selectRecords({ count: 1000, classes: classes({ errors }), fingerprint: itself, ceiling: 28 }),
		);
		const inner = kept.filter((ordinal) => ordinal >= 50 && ordinal < 950);
		expect(Math.min(...inner)).toBeLessThan(250);
		expect(Math.max(...inner)).toBeGreaterThan(600);
	});

	it('makes no room that is not there', () => {
		const kept = selectRecords({
			count: 100,
			classes: classes({ errors: [50] }),
			fingerprint: itself,
			ceiling: 3,
		});
		expect(membersOf(kept)).toEqual(edgesOf(100));
	});
});
