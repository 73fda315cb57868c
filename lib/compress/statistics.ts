/** What is known of numeric fields after one pass: spread, extremes and outliers, in constant memory a field. */

import { OrdinalSet } from './ordinals.js';

/** Samples a field needs before it counts as numeric. */
export const MIN_SAMPLES = 5;

/** Outliers kept of one field: the furthest ones. */
export const MAX_OUTLIERS = 16;

/** Fields whose outliers are looked for, in the order in which their first number came. */
export const MAX_OUTLIER_FIELDS = 64;

/**
 * Keeps the largest values seen; of equal ones the earliest. Negate to keep the smallest. A heap with the weakest on
 * top: in a field that only ever grows, each value takes the place of one.
 */
class Furthest {
	readonly values = new Float64Array(MAX_OUTLIERS);
	readonly ordinals = new Float64Array(MAX_OUTLIERS);
	length = 0;

	/** @returns what a value has to exceed to be kept after this one. */
	offer(value: number, ordinal: number): number {
		if (this.length < MAX_OUTLIERS) {
			this.#rise(this.length++, value, ordinal);
		} else if (value > this.values[0]) {
			this.#sink(value, ordinal);
		}

		return this.length < MAX_OUTLIERS ? -Infinity : this.values[0];
	}

	/** Puts a value in the free place `at`, or higher up. */
	#rise(at: number, value: number, ordinal: number): void {
		const { values, ordinals } = this;
		let place = at;
		while (place > 0) {
			const above = (place - 1) >> 1;
			if (!isWeaker(value, ordinal, values[above], ordinals[above])) {
				break;
			}

			values[place] = values[above];
			ordinals[place] = ordinals[above];
			place = above;
		}

		values[place] = value;
		ordinals[place] = ordinal;
	}

	/** Puts a value in the place of the weakest, or further down. */
	#sink(value: number, ordinal: number): void {
		const { values, ordinals } = this;
		let place = 0;
		for (;;) {
			let below = place * 2 + 1;
			if (below >= MAX_OUTLIERS) {
				break;
			}

			const isRightWeaker =
				below + 1 < MAX_OUTLIERS &&
				isWeaker(values[below + 1], ordinals[below + 1], values[below], ordinals[below]);
			below += isRightWeaker ? 1 : 0;
			if (!isWeaker(values[below], ordinals[below], value, ordinal)) {
				break;
			}

			values[place] = values[below];
			ordinals[place] = ordinals[below];
			place = below;
		}

		values[place] = value;
		ordinals[place] = ordinal;
	}
}

function isWeaker(value: number, ordinal: number, than: number, thanOrdinal: number): boolean {
	return value < than || (value === than && ordinal > thanOrdinal);
}

/** Fields that have room from the start: most arrays have no more, and many arrays are small. */
const FEW_FIELDS = 16;

/** What is kept of a field stands side by side, `STRIDE` numbers. */
const COUNT = 0;
const MEAN = 1;
const SQUARES = 2;
const MINIMUM = 3;
const MINIMUM_HOLDER = 4;
const MAXIMUM = 5;
const MAXIMUM_HOLDER = 6;

/** A value beyond these is among the largest, or the smallest, so far. */
const LARGEST_BEYOND = 7;
const SMALLEST_BEYOND = 8;
const STRIDE = 9;

/** Running statistics of many fields, numbered by the caller. Values must be finite doubles. */
export class NumericFields {
	#row = new Float64Array(FEW_FIELDS * STRIDE);
	readonly #fields: number[] = [];

	/** By field, where outliers are looked for. */
	readonly #largest: (Furthest | undefined)[] = [];
	readonly #smallest: (Furthest | undefined)[] = [];
	#rankedFields = 0;

	/** Forgets everything, at a cost of the fields that were seen. */
	clear(): void {
		for (const field of this.#fields) {
			this.#row.fill(0, field * STRIDE, (field + 1) * STRIDE);
		}

		this.#fields.length = 0;
		this.#largest.length = 0;
		this.#smallest.length = 0;
		this.#rankedFields = 0;
	}

	/** @param isRanked whether the field's outliers are looked for, besides its extremes. */
	add(field: number, value: number, ordinal: number, isRanked = true): void {
		const at = field * STRIDE;
		if (at >= this.#row.length) {
			this.#grow(field);
		}

		const row = this.#row;
		const count = row[at + COUNT] + 1;
		row[at + COUNT] = count;
		if (count === 1) {
			this.#begin(field, value, ordinal, isRanked);
		}

		// Welford's recurrence: sums of squares would lose the spread of large, close values.
		const distance = value - row[at + MEAN];
		const mean = row[at + MEAN] + distance / count;
		row[at + MEAN] = mean;
		row[at + SQUARES] += distance * (value - mean);

		if (value < row[at + MINIMUM]) {
			row[at + MINIMUM] = value;
			row[at + MINIMUM_HOLDER] = ordinal;
		} else if (value > row[at + MAXIMUM]) {
			row[at + MAXIMUM] = value;
			row[at + MAXIMUM_HOLDER] = ordinal;
		}

		if (value > row[at + LARGEST_BEYOND]) {
			row[at + LARGEST_BEYOND] = this.#largest[field]?.offer(value, ordinal) ?? Infinity;
		}

		if (value < row[at + SMALLEST_BEYOND]) {
			row[at + SMALLEST_BEYOND] = -(this.#smallest[field]?.offer(-value, ordinal) ?? Infinity);
		}
	}

	/** First holders of the minimum and of the maximum of each numeric field. */
	extremes(): OrdinalSet {
		const holders = new OrdinalSet();
		for (const field of this.#numericFields()) {
			holders.add(this.#row[field * STRIDE + MINIMUM_HOLDER]);
			holders.add(this.#row[field * STRIDE + MAXIMUM_HOLDER]);
		}

		return holders;
	}

	/**
	 * Holders of values further from the mean than two population standard deviations and further than
	 * Chauvenet's criterion allows for that many samples.
	 */
	outliers(): OrdinalSet {
		const holders = new OrdinalSet();
		for (const field of this.#numericFields()) {
			const largest = this.#largest[field];
			const smallest = this.#smallest[field];
			const at = field * STRIDE;
			const count = this.#row[at + COUNT];
			const deviation = Math.sqrt(this.#row[at + SQUARES] / count);
			if (largest === undefined || smallest === undefined || !(deviation > 0 && deviation < Infinity)) {
				continue;
			}

			// The furthest from any centre are among the largest and the smallest.
			const found = new Map<number, number>();
			for (const [furthest, sign] of [
				[largest, 1],
				[smallest, -1],
			] as const) {
				for (let index = 0; index < furthest.length; index++) {
					const sigmas = Math.abs(sign * furthest.values[index] - this.#row[at + MEAN]) / deviation;
					if (sigmas > 2 && count * complementaryError(sigmas / Math.SQRT2) < 0.5) {
						found.set(furthest.ordinals[index], sigmas);
					}
				}
			}

			const furthestFirst = [...found].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
			for (const [ordinal] of furthestFirst.slice(0, MAX_OUTLIERS)) {
				holders.add(ordinal);
			}
		}

		return holders;
	}

	#grow(field: number): void {
		const larger = new Float64Array(2 ** Math.ceil(Math.log2(field + 1)) * STRIDE);
		larger.set(this.#row);
		this.#row = larger;
	}

	#numericFields(): number[] {
		return this.#fields.filter((field) => this.#row[field * STRIDE + COUNT] >= MIN_SAMPLES);
	}

	#begin(field: number, value: number, ordinal: number, isRanked: boolean): void {
		const at = field * STRIDE;
		this.#row[at + MINIMUM] = value;
		this.#row[at + MINIMUM_HOLDER] = ordinal;
		this.#row[at + MAXIMUM] = value;
		this.#row[at + MAXIMUM_HOLDER] = ordinal;
		this.#row[at + LARGEST_BEYOND] = -Infinity;
		this.#row[at + SMALLEST_BEYOND] = Infinity;
		if (isRanked && this.#rankedFields < MAX_OUTLIER_FIELDS) {
			this.#rankedFields++;
			this.#largest[field] = new Furthest();
			this.#smallest[field] = new Furthest();
		}

		this.#fields.push(field);
	}
}

/**
 * erfc(x) for x ≥ 0: the share of a normal distribution further than x·√2 standard deviations from the mean.
 * Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: absolute error below 1.5e-7. Beyond
 * x = 3.5, where that error would matter, the asymptotic bound exp(-x²)/(x√π) stands in.
 */
function complementaryError(x: number): number {
	if (x > 3.5) {
		return Math.exp(-x * x) / (x * Math.sqrt(Math.PI));
	}

	const t = 1 / (1 + 0.327_591_1 * x);
	const polynomial =
		t *
		(0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
	return polynomial * Math.exp(-x * x);
}
