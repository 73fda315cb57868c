/** A scan meets many arrays of objects; what it learned of one tells nothing of the next. */

import { expect, test } from 'vitest';
import { DocumentScan } from '../../../lib/compress/json/scan.js';
import type { OrdinalSet } from '../../../lib/compress/ordinals.js';
import { memorySource } from '../../../lib/source/memory.js';

function classesOf(text: string): Record<string, number[]> {
	const bytes = Buffer.from(text);
	const scan = new DocumentScan({
		source: memorySource(bytes),
		ours: { recovery: { kind: 'shell' }, isLossy: false },
	});
	scan.write(bytes);
	const { survey } = scan.end();
	expect(survey).toBeDefined();
	const classes = survey?.survey.classes(() => {
		throw new Error('no rare shape has so many records');
	});
	return Object.fromEntries(
		Object.entries(classes ?? {}).map(([name, ordinals]) => [name, members(ordinals as OrdinalSet)]),
	);
}

function members(ordinals: OrdinalSet): number[] {
	const found: number[] = [];
	for (let ordinal = ordinals.next(0); ordinal >= 0; ordinal = ordinals.next(ordinal + 1)) {
		found.push(ordinal);
	}

	return found;
}

const large = JSON.stringify(
	Array.from({ length: 900 }, (_, id) => ({
		id,
		size: id === 400 ? 1e6 : id % 7,
		status: id === 500 ? 'failed' : 'ok',
		text: 'x'.repeat(40),
		...(id === 600 ? { odd: true } : {}),
	})),
);

// Errors, extremes and shapes of their own; fields of the same names in another order, and of other kinds.
const small = [
	'[{"size":-5,"id":9e9,"status":"failed"},{"other":{"error":"x","deep":1e300}}]',
	'[{"status":7,"size":"ok","id":{"a":1}},{"error":true},"no record"]',
	`[${Array.from({ length: 40 }, (_, id) => `{"id":${-id},"odd":${id}}`).join()}]`,
	`[${Array.from({ length: 20 }, (_, id) => `{"field${id}":${id}}`).join()}]`,
];

test('what a large array of records tells is the same, whatever small ones came before it', () => {
	const alone = classesOf(large);
	expect(alone).toMatchObject({ errors: [500], outliers: [400], rareShapes: [0, 600] });
	for (const before of [...small, small.join(), [...small].reverse().join()]) {
		expect(classesOf(`{"before":[[],${before}],"records":${large}}`)).toEqual(alone);
		expect(classesOf(`[1,${before},${large}]`)).toEqual(alone);
	}
});
