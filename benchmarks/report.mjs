/** How figures are printed, and which claims held. */

import { MIB } from './shapes/index.mjs';

/** Claims that were checked. One that fails is printed at once, and again at the end. */
export class Checks {
	passed = 0;
	failures = [];

	/** @returns whether the claim held. */
	that(claim, holds, found = '') {
		if (holds) {
			this.passed++;
		} else {
			const failure = found === '' ? claim : `${claim}: ${found}`;
			this.failures.push(failure);
			console.log(`  FAILED ${failure}`);
		}

		return holds;
	}

	/** Prints the last lines. @returns the exit code. */
	conclude() {
		const total = this.passed + this.failures.length;
		if (this.failures.length > 0) {
			console.log(`\nFailed:\n${this.failures.map((failure) => `- ${failure}`).join('\n')}`);
		}

		console.log(`\n${this.passed} of ${total} checks passed`);
		return this.failures.length === 0 ? 0 : 1;
	}
}

export function heading(text) {
	console.log(`\n${text}\n${'-'.repeat(text.length)}`);
}

/** A table whose rows are printed as they come. Columns: `[title, width]`; a negative width aligns left. */
export class Table {
	#columns;

	constructor(columns) {
		this.#columns = columns;
		this.row(columns.map(([title]) => title));
	}

	row(cells) {
		const padded = this.#columns.map(([, width], index) =>
			width < 0 ? String(cells[index]).padEnd(-width) : String(cells[index]).padStart(width),
		);
		console.log(padded.join('  ').trimEnd());
	}
}

export const mebibytes = (bytes, digits = 1) => (bytes / MIB).toFixed(digits);

export const count = (number) => number.toLocaleString('en-US');

export function median(numbers) {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
