/** Deep documents: many nests, one nest with a leaf at each level, and a million levels. */

import { writeArray } from './output.mjs';

/** Deepest level that is kept; the container below it is stored. */
const MAX_DEPTH = 8;

/** 100,000 arrays, twelve levels each, with leaves at every level. */
export function writeNestedArrays(output, { size, random, share }) {
	const total = Math.round(100_000 * share);
	const nest = (level) => {
		const leaves = `${random.below(1_000_000)},"leaf ${random.below(10 ** 9)} of what is at level ${level}",true`;
		return level === 12 ? `[${leaves}]` : `[${leaves},${nest(level + 1)}]`;
	};
	const { count, middle } = writeArray(output, size, () => nest(1), total);
	return { items: count, notice: 'items', payloads: [{ ...middle, kind: 'items' }] };
}

/** One nest, 100,000 deep, with a leaf at each level. */
export function writeDeepArray(output, { random, share }) {
	const levels = Math.round(100_000 * share);
	return writeNest(
		output,
		levels,
		(level) => {
			const note = `level ${level}: ${'all of its neighbours were visited; '.repeat(17)}`;
			return `[{"level":${level},"value":${random.below(1000)},"note":"${note}"},`;
		},
		'["the innermost"]',
		']',
	);
}

/** A million levels, and one leaf. */
export function writeMillionLevels(output, { random, share }) {
	const levels = Math.round(1_000_000 * share);
	return writeNest(
		output,
		levels,
		(level) => `{"the-level-number-of-this-object":${1_000_000 + level},"and-what-it-holds":`,
		`"leaf ${random.below(1000)}"`,
		'}',
	);
}

function writeNest(output, levels, opening, leaf, closing) {
	let from = 0;
	for (let level = 0; level < levels; level++) {
		if (level === MAX_DEPTH + 1) {
			from = output.position;
		}

		output.write(opening(level));
	}

	output.write(leaf);
	for (let level = 0; level < levels; level++) {
		output.write(closing);
	}

	return { items: levels, payloads: [{ from, to: output.position - (MAX_DEPTH + 1) * closing.length }] };
}
