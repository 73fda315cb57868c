/** Documents that are large without being records: numbers, tiny objects, strings, members. */

import { writeArray } from './output.mjs';

const WORDS = 'the request was retried after a timeout and its answer kept for later use by callers'.split(
	' ',
);

/** Eight bytes and a bit each, comma included; many so written as `JSON.stringify` would not write them. */
export function writeNumbers(output, { size, random }) {
	const writings = [
		() => String(1_000_000 + random.below(9_000_000)),
		() => `-${100_000 + random.below(900_000)}`,
		() => `${random.below(1000)}.${String(random.below(10_000)).padEnd(4, '0')}`,
		() => `${1 + random.below(9)}.${random.below(10)}0e+${10 + random.below(80)}`,
		() => `${1000 + random.below(9000)}.50`,
	];
	const { count, middle } = writeArray(output, size, () => random.pick(writings)());
	return { items: count, notice: 'items', payloads: [{ ...middle, kind: 'items' }] };
}

export function writeTinyObjects(output, { size, random }) {
	const { count } = writeArray(output, size, () => `{"${random.pick('abc')}":${random.below(10)}}`);
	return { items: count, notice: 'records', payloads: [{ from: 0, to: output.position }] };
}

/** Longer, each of them, than a string may be. */
export function writeStrings(output, { size, random, share }) {
	const lexemes = [];
	const total = Math.round(15_000 * share);
	const { count, middle } = writeArray(
		output,
		size,
		(index) => {
			const lexeme = JSON.stringify(`${index}: ${prose(random, 4300)}`);
			const start = output.position + (index === 0 ? 0 : 1);
			if (index < 32 || index >= total - 8) {
				lexemes.push({ from: start, to: start + Buffer.byteLength(lexeme), kind: 'text' });
			}

			return lexeme;
		},
		total,
	);
	return { items: count, notice: 'items', payloads: [{ ...middle, kind: 'items' }, ...lexemes] };
}

/** One string, with escapes and characters of every length in UTF-8. */
export function writeString(output, { size, random }) {
	output.write('"');
	while (output.position < size * (60 / 64)) {
		output.write(String.raw`${prose(random, 120)}\n\"é\" \u00e9 \ud83d\ude80 🚀 漢字\t`);
	}

	output.write('"');
	return { items: 1, payloads: [{ from: 0, to: output.position, kind: 'text' }] };
}

/** Nothing of it is left out; what the clean-up removes makes it smaller. */
export function writeMembers(output, { random, share }) {
	const total = Math.round(1_000_000 * share);
	output.write('{');
	output.hash('{');
	for (let index = 0; index < total; index++) {
		const kept = `"score":${(random.below(900_000) + 100_001) / 100},"word":"${random.pick(WORDS)}"`;
		const key = `${index === 0 ? '' : ','}"order-${String(index).padStart(7, '0')}"`;
		output.write(`${key}:{${kept},"at":null,"m":[]}`);
		output.hash(`${key}:{${kept}}`);
	}

	output.write('}');
	output.hash('}\n');
	return { items: total, payloads: [], complete: output.digest() };
}

function prose(random, length) {
	let text = '';
	while (text.length < length) {
		text += `${random.pick(WORDS)} `;
	}

	return text.slice(0, length);
}
