/** Which records survive: whole classes first, then an even sample up to the budget. Serves every domain. */

import { OrdinalSet } from './ordinals.js';

/** Records kept of each end, whatever they hold. */
export const EDGE_RECORDS = 4;

/** Records kept at least, where there are that many. */
export const BASE_BUDGET = 32;

/** Records looked at for one place in the sample before it is given up: all of them may be alike. */
const MAX_PROBES = 16;

/** Classes of records that matter by themselves, the more telling first. */
export interface CriticalClasses {
	readonly errors: OrdinalSet;
	readonly rareShapes: OrdinalSet;
	readonly outliers: OrdinalSet;
	readonly extremes: OrdinalSet;
}

export interface SelectionRequest {
	/** Records in all, numbered from 0. */
	readonly count: number;

	readonly classes: CriticalClasses;

	/** A number that is equal for records of equal content. Asked in rising order within one place. */
	fingerprint(ordinal: number): number;

	/** Records kept at most; where it is given, the classes share what the edges leave of it. */
	readonly ceiling?: number;
}

/** @returns the numbers of the records to keep. */
export function selectRecords(request: SelectionRequest): OrdinalSet {
	const { count, classes, ceiling } = request;
	const kept = new OrdinalSet();
	for (let edge = 0; edge < Math.min(EDGE_RECORDS, count); edge++) {
		kept.add(edge);
		kept.add(count - 1 - edge);
	}

	const byWeight = [classes.errors, classes.rareShapes, classes.outliers, classes.extremes];
	if (ceiling === undefined) {
		for (const ordinals of byWeight) {
			kept.addAll(ordinals);
		}
	} else {
		fillQuotas(kept, byWeight, ceiling);
	}

	if (kept.size < BASE_BUDGET && kept.size < count) {
		addSample(kept, request);
	}

	return kept;
}

/** Gives each class an equal share of the room that is left; what one does not need goes to the next. */
function fillQuotas(kept: OrdinalSet, byWeight: readonly OrdinalSet[], ceiling: number): void {
	for (const [index, ordinals] of byWeight.entries()) {
		const room = Math.max(0, ceiling - kept.size);
		const quota = Math.floor(room / (byWeight.length - index));
		const step = Math.max(1, ordinals.size / Math.max(1, quota));
		let taken = 0;
		let position = 0;
		for (
			let ordinal = ordinals.next(0);
			ordinal >= 0 && taken < quota;
			ordinal = ordinals.next(ordinal + 1)
		) {
			if (position++ >= taken * step) {
				kept.add(ordinal);
				taken++;
			}
		}
	}
}

/**
 * Fills up to the base budget with records spread evenly over those not yet kept: place `slot` of `k` is
 * number (2·slot + 1)·m / 2k of `m`. A record whose content is kept already gives its place to the next.
 */
function addSample(kept: OrdinalSet, { count, ceiling = Infinity, fingerprint }: SelectionRequest): void {
	const seen = new Set<number>();
	const critical: number[] = [];
	for (let ordinal = kept.next(0); ordinal >= 0; ordinal = kept.next(ordinal + 1)) {
		critical.push(ordinal);
		seen.add(fingerprint(ordinal));
	}

	const remaining = count - critical.length;
	const places = Math.min(BASE_BUDGET, ceiling) - critical.length;
	for (let slot = 0; slot < places; slot++) {
		const first = Math.floor(((2 * slot + 1) * remaining) / (2 * places));
		const last = Math.min(
			first + MAX_PROBES,
			Math.floor(((2 * slot + 3) * remaining) / (2 * places)),
			remaining,
		);
		for (let rank = first; rank < last; rank++) {
			const ordinal = unkept(critical, rank);
			const print = fingerprint(ordinal);
			if (!seen.has(print) && !kept.has(ordinal)) {
				seen.add(print);
				kept.add(ordinal);
				break;
			}
		}
	}
}

/** @returns the record that has `rank` others before it, those in `sorted` not counted. */
function unkept(sorted: readonly number[], rank: number): number {
	let ordinal = rank;
	for (const taken of sorted) {
		if (taken > ordinal) {
			break;
		}

		ordinal++;
	}

	return ordinal;
}
