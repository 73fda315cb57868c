/** Extremes and outliers of numeric fields, against brute force. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrdinalSet } from '../../lib/compress/ordinals.js';
import {
	MAX_OUTLIER_FIELDS,
	MAX_OUTLIERS,
	MIN_SAMPLES,
	NumericFields,
} from '../../lib/compress/statistics.js';
import { erfc } from './json/support/brute.js';

function membersOf(set: OrdinalSet): number[] {
	const members: number[] = [];
	for (let member = set.next(0); member >= 0; member = set.next(member + 1)) {
		members.push(member);
	}

	return members;
}

function fieldOf(values: readonly number[]): NumericFields {
	const fields = new NumericFields();
	for (const [ordinal, value] of values.entries()) {
		fields.add(2, value, ordinal);
	}

	return fields;
}

/** Deviation of each value in σ, and how many of as many samples of a normal distribution lie further out. */
function deviations(values: readonly number[]): { sigmas: number; expected: number }[] {
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
	return values.map((value) => {
		const sigmas = variance > 0 ? Math.abs(value - mean) / Math.sqrt(variance) : 0;
		return { sigmas, expected: values.length * erfc(sigmas / Math.SQRT2) };
	});
}

const plain = fc.oneof(fc.integer({ min: 90, max: 110 }), fc.double({ min: 90, max: 110, noNaN: true }));
const odd = fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.double({ min: -500, max: 700, noNaN: true }));
const samples = fc
	.tuple(
		fc.array(plain, { minLength: 5, maxLength: 200 }),
		fc.array(fc.tuple(fc.nat(200), odd), { maxLength: 4 }),
	)
	.map(([values, others]) => {
		for (const [place, other] of others) {
			values.splice(place, 0, other);
		}

		return values;
	});

describe('extremes', () => {
	it('are the first holders of the minimum and of the maximum', () => {
		fc.assert(
			fc.property(fc.oneof(samples, fc.array(fc.nat(3), { minLength: 5 })), (values) => {
				const first = (wanted: number): number => values.indexOf(wanted);
				const expected = new Set([first(Math.min(...values)), first(Math.max(...values))]);
				expect(membersOf(fieldOf(values).extremes())).toEqual([...expected].sort((a, b) => a - b));
			}),
			{ numRuns: 300 },
		);
	});

	it('are not looked for in fewer samples than make a field numeric', () => {
		expect(MIN_SAMPLES).toBe(5);
		expect(fieldOf([1, 2, 3, 4]).extremes().size).toBe(0);
		expect(fieldOf([1, 2, 3, 4, 5]).extremes().size).toBe(2);
	});

	it('of many fields are kept apart', () => {
		const fields = new NumericFields();
		for (let ordinal = 0; ordinal < 50; ordinal++) {
			for (let field = 0; field < 100; field++) {
				fields.add(field, ordinal === field % 50 ? 1000 : ordinal % 7, ordinal);
			}
		}

		expect(fields.extremes().size).toBe(50);
	});
});

describe('outliers', () => {
	it('lie beyond 2σ and beyond what Chauvenet allows for that many samples', () => {
		fc.assert(
			fc.property(samples, (values) => {
				const found = new Set(membersOf(fieldOf(values).outliers()));
				for (const [ordinal, { sigmas, expected }] of deviations(values).entries()) {
					// Near the border rounding may decide.
					if (sigmas > 2.001 && expected < 0.49) {
						expect(found.has(ordinal), `${values[ordinal]} lies ${sigmas} sigmas out`).toBe(true);
					} else if (sigmas < 1.999 || expected > 0.51) {
						expect(found.has(ordinal), `${values[ordinal]} lies ${sigmas} sigmas out`).toBe(false);
					}
				}
			}),
			{ numRuns: 500 },
		);
	});

	it('are few in a large sample that is normal', () => {
		const fields = new NumericFields();
		let state = 12_345;
		const uniform = (): number => {
			state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
			return (state + 1) / 4_294_967_297;
		};
		for (let ordinal = 0; ordinal < 100_000; ordinal++) {
			fields.add(
				0,
				50 + 10 * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
				ordinal,
			);
		}

		expect(fields.outliers().size).toBeLessThan(5);
	});

	it('are the furthest ones where there are many, of either side', () => {
		const values = Array.from({ length: 20_000 }, (_, index) => index % 10);
		const far = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 1 : -1) * (5000 + index * 100));
		for (const [index, value] of far.entries()) {
			values[index * 400 + 7] = value;
		}

		const kept = membersOf(fieldOf(values).outliers());
		expect(kept).toHaveLength(MAX_OUTLIERS);
		const furthest = deviations(values)
			.map(({ sigmas }, ordinal) => ({ sigmas, ordinal }))
			.sort((a, b) => b.sigmas - a.sigmas)
			.slice(0, MAX_OUTLIERS)
			.map(({ ordinal }) => ordinal)
			.sort((a, b) => a - b);
		expect(kept).toEqual(furthest);
	});

	it('of equal distance are the earliest', () => {
		const values = Array.from({ length: 20_000 }, (_, index) => (index % 500 === 3 ? 9000 : 1));
		const expected = Array.from({ length: MAX_OUTLIERS }, (_, index) => index * 500 + 3);
		expect(membersOf(fieldOf(values).outliers())).toEqual(expected);
	});

	it('are found among large values that are close together', () => {
		const values = Array.from({ length: 200 }, (_, index) => 1e15 + (index % 3));
		values[77] = 1e15 + 90;
		expect(membersOf(fieldOf(values).outliers())).toEqual([77]);
	});

	it('are none where all values are equal, or out of all proportion', () => {
		expect(fieldOf(Array.from({ length: 50 }, () => 3)).outliers().size).toBe(0);
		expect(() => fieldOf([1e308, -1e308, 1e308, -1e308, 1e308, 0]).outliers()).not.toThrow();
	});

	it('are looked for in a bounded number of fields, the first ones', () => {
		const fields = new NumericFields();
		for (let ordinal = 0; ordinal < 200; ordinal++) {
			for (let field = 0; field < 200; field++) {
				fields.add(field, ordinal === field ? 1000 : ordinal % 5, ordinal);
			}
		}

		expect(membersOf(fields.outliers())).toEqual(
			Array.from({ length: MAX_OUTLIER_FIELDS }, (_, field) => field),
		);
	});
});
