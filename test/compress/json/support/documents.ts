/** Arbitrary documents: large values, values side by side, lines, and documents in strings. */

import fc from 'fast-check';
import { deep, longString, plainArray, recordArray, recordItems, small, space } from './arbitraries.js';

/** Sizes beyond those that fit a tape: strings, keys, white space, and many items. */
export const big: fc.Arbitrary<string> = fc.oneof(
	longString(20_000, 100_000),
	longString(20_000, 70_000).map((long) => `{${long}:1,"a":null}`),
	fc
		.tuple(fc.constantFrom(10, 20_000, 40_000, 70_000), longString(1, 40_000))
		.map(([width, long]) => `[${' '.repeat(width)}${long}${'\n'.repeat(width)},null]`),
	fc
		.tuple(fc.constantFrom(20_000, 60_000), longString(1, 40_000))
		.map(([width, long]) => `{"a":null,"b"${' '.repeat(width)}:${'\t'.repeat(width)}${long}}`),
	fc
		.tuple(fc.constantFrom(20_000, 60_000), longString(1, 15_000), longString(1, 40_000))
		.map(([width, name, long]) => `{${' '.repeat(width)}${name}:${long},"b":""}`),
	fc
		.tuple(small, fc.integer({ min: 500, max: 4000 }))
		.map(
			([item, times]) => `[${Array.from({ length: times }, (_, index) => `${index}, ${item}`).join(',')}]`,
		),
	fc
		.tuple(recordItems(30, 90), fc.integer({ min: 2, max: 12 }))
		.map(([items, times]) => `[${Array.from({ length: times }, () => items.join(', ')).join(',')}]`),
	fc
		.tuple(recordItems(33, 60), fc.integer({ min: 33, max: 45 }))
		.map(
			([items, times]) =>
				`[${Array.from({ length: times }, (_, index) => `{"id":${index},"rows":[${items.join(',')}]}`).join(',')}]`,
		),
	fc
		.tuple(plainArray, fc.integer({ min: 20, max: 60 }))
		.map(
			([items, times]) => `[${Array.from({ length: times }, () => `[${items},{"a":${items}}]`).join(' ,')}]`,
		),
	fc
		.tuple(small, fc.integer({ min: 500, max: 3000 }))
		.map(
			([value, times]) =>
				`{${Array.from({ length: times }, (_, index) => `"k${index % 2000}" : ${index % 3 === 0 ? value : index}`).join(',')}}`,
		),
);

/** Side by side in one document. */
export function together(...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
	return fc
		.tuple(fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 }), fc.boolean(), space)
		.map(([values, isObject, gap]) =>
			values.length === 1
				? `${gap}${values[0]}${gap}`
				: isObject
					? `{${values.map((value, index) => `"part ${index}":${gap}${value}`).join(',')}}`
					: `[${values.join(`,${gap}`)}]`,
		);
}

/** One value a line. */
export const lines: fc.Arbitrary<string> = fc
	.tuple(
		recordItems(20, 70),
		fc.array(fc.tuple(fc.nat(60), small), { maxLength: 2 }),
		fc.constantFrom('\n', '\r\n', ' \n\n'),
		fc.boolean(),
	)
	.map(([items, others, ending, isLastEnded]) => {
		const list = [...items];
		for (const [place, other] of others) {
			list.splice(place, 0, other);
		}

		return list.map((line) => line.replaceAll(/[\r\n]/gu, ' ')).join(ending) + (isLastEnded ? ending : '');
	});

/** Records, one a line. */
export const recordLines: fc.Arbitrary<string> = fc
	.tuple(recordItems(40, 90), longString(200, 400))
	.map(([items, long]) =>
		[...items, `{"id":"last","note":${long}}`]
			.filter((item) => /^\s*\{/u.test(item))
			.map((line) => line.replaceAll(/[\r\n]/gu, ' '))
			.join('\n'),
	);

/** A document that is one string which holds a document. */
export const wrapped: fc.Arbitrary<string> = fc
	.tuple(together(small, plainArray, recordArray, deep), fc.boolean())
	.map(([text, isEscaped]) => {
		const lexeme = JSON.stringify(text);
		return isEscaped
			? lexeme.replaceAll(
					/[^\u0020-\u007e]/gu,
					(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
				)
			: lexeme;
	});
