/** What is known of numeric fields after one pass: spread, extremes and outliers, in constant memory a field. */

import { OrdinalSet } from './ordinals.js';

/** Samples a field needs before it counts as numeric. */
export const MIN_SAMPLES = 5;

/** Outliers kept of one field: the furthest ones. */
export const MAX_OUTLIERS = 16;

/** Fields whose outliers are looked for, in the order in which their first number came. */
export const MAX_OUTLIER_FIELDS = 64;

/** Keeps the largest values seen; of equal ones the earliest. Negate to keep the smallest. */
class Furthest {
	readonly values = new Float64Array(MAX_OUTLIERS);
	readonly ordinals = new Float64Array(MAX_OUTLIERS);
	length = 0;
	#weakest = 0;
	#threshold = 0;

	offer(value: number, ordinal: number): void {
		if (this.length === MAX_OUTLIERS && value <= this.#threshold) {
			return;
		}

		if (this.length < MAX_OUTLIERS) {
			this.values[this.length] = value;
			this.ordinals[this.length] = ordinal;
			this.length++;
			this.#findWeakest();
		} else {
			this.values[this.#weakest] = value;
			this.ordinals[this.#weakest] = ordinal;
			this.#findWeakest();
		}
	}

	#findWeakest(): void {
		let weakest = 0;
		for (let index = 1; index < this.length; index++) {
			const isWeaker =
				this.values[index] < this.values[weakest] ||
				(this.values[index] === this.values[weakest] && this.ordinals[index] > this.ordinals[weakest]);
			if (isWeaker) {
				weakest = index;
			}
		}

		this.#weakest = weakest;
		this.#threshold = this.values[weakest];
	}
}

/** Fields that have room from the start: most arrays have no more, and many arrays are small. */
const FEW_FIELDS = 16;

function lengthened(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
	const longer = new Float64Array(length);
	longer.set(column);
	return longer;
}

/** Running statistics of many fields, numbered by the caller. Values must be finite doubles. */
export class NumericFields {
	#count = new Float64Array(FEW_FIELDS);
	#mean = new Float64Array(FEW_FIELDS);
	#squares = new Float64Array(FEW_FIELDS);
	#minimum = new Float64Array(FEW_FIELDS);
	#maximum = new Float64Array(FEW_FIELDS);
	#minimumHolder = new Float64Array(FEW_FIELDS);
	#maximumHolder = new Float64Array(FEW_FIELDS);
	readonly #fields: number[] = [];
	readonly #largest = new Map<number, Furthest>();
	readonly #smallest = new Map<number, Furthest>();

	/** Forgets everything, at a cost of the fields that were seen. */
	clear(): void {
		for (const field of this.#fields) {
			this.#count[field] = 0;
			this.#mean[field] = 0;
			this.#squares[field] = 0;
		}

		this.#fields.length = 0;
		this.#largest.clear();
		this.#smallest.clear();
	}

	/** @param isRanked whether the field's outliers are looked for, besides its extremes. */
	add(field: number, value: number, ordinal: number, isRanked = true): void {
		if (field >= this.#count.length) {
			this.#grow(field);
		}

		const count = ++this.#count[field];
		if (count === 1) {
			this.#begin(field, value, ordinal, isRanked);
		}

		// Welford's recurrence: sums of squares would lose the spread of large, close values.
		const distance = value - this.#mean[field];
		const mean = this.#mean[field] + distance / count;
		this.#mean[field] = mean;
		this.#squares[field] += distance * (value - mean);

		if (value < this.#minimum[field]) {
			this.#minimum[field] = value;
			this.#minimumHolder[field] = ordinal;
		} else if (value > this.#maximum[field]) {
			this.#maximum[field] = value;
			this.#maximumHolder[field] = ordinal;
		}

		const largest = this.#largest.get(field);
		if (largest !== undefined) {
			largest.offer(value, ordinal);
			(this.#smallest.get(field) as Furthest).offer(-value, ordinal);
		}
	}

	/** First holders of the minimum and of the maximum of each numeric field. */
	extremes(): OrdinalSet {
		const holders = new OrdinalSet();
		for (const field of this.#numericFields()) {
			holders.add(this.#minimumHolder[field]);
			holders.add(this.#maximumHolder[field]);
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
			const largest = this.#largest.get(field);
			const smallest = this.#smallest.get(field);
			const deviation = Math.sqrt(this.#squares[field] / this.#count[field]);
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
					const sigmas = Math.abs(sign * furthest.values[index] - this.#mean[field]) / deviation;
					if (sigmas > 2 && this.#count[field] * complementaryError(sigmas / Math.SQRT2) < 0.5) {
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
		const length = 2 ** Math.ceil(Math.log2(field + 1));
		this.#count = lengthened(this.#count, length);
		this.#mean = lengthened(this.#mean, length);
		this.#squares = lengthened(this.#squares, length);
		this.#minimum = lengthened(this.#minimum, length);
		this.#maximum = lengthened(this.#maximum, length);
		this.#minimumHolder = lengthened(this.#minimumHolder, length);
		this.#maximumHolder = lengthened(this.#maximumHolder, length);
	}

	#numericFields(): number[] {
		return this.#fields.filter((field) => this.#count[field] >= MIN_SAMPLES);
	}

	#begin(field: number, value: number, ordinal: number, isRanked: boolean): void {
		this.#minimum[field] = value;
		this.#maximum[field] = value;
		this.#minimumHolder[field] = ordinal;
		this.#maximumHolder[field] = ordinal;
		if (isRanked && this.#largest.size < MAX_OUTLIER_FIELDS) {
			this.#largest.set(field, new Furthest());
			this.#smallest.set(field, new Furthest());
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
