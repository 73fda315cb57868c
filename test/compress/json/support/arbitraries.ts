/** Arbitrary JSON as text: lexemes, white space and all, since what a value looks like matters as much as what it is. */

import fc from 'fast-check';

/** A key as the stash gives them, for look-alikes of notices. */
const KEY = '0123456789abcdefABCDEF01';
const SHELL = `If needed, run in shell: tokenless retrieve ${KEY}`;

/** Notices, and what almost is one. */
export const lookalike: fc.Arbitrary<string> = fc.constantFrom(
	`7 items omitted. ${SHELL}`,
	`12 of 40 records omitted. ${SHELL}`,
	`object truncated at depth 9. ${SHELL}`,
	`half a text… Truncated. ${SHELL}`,
	String.raw`half a text\u2026 Truncated. ${SHELL}`,
	`… Truncated. ${SHELL}`,
	`07 items omitted. ${SHELL}`,
	`7 items omitted. ${SHELL.slice(0, -1)}`,
	`7 items omitted. ${SHELL}0`,
	`7 items omitted. If needed, call tool tokenless_retrieve with hash_or_marker=${KEY}`,
	`7 items omitted. If needed, call tool other with hash_or_marker=${KEY}`,
	'<... 7 more items truncated, not stashed>',
	'<object truncated at depth 9>',
	'text… (truncated)',
	`<<tokenless:${KEY}>>`,
);

export const number: fc.Arbitrary<string> = fc.oneof(
	fc.integer({ min: -20, max: 2000 }).map(String),
	fc.constantFrom(
		'1.0',
		'-0',
		'0',
		'9007199254740993',
		'1e400',
		'1E-5',
		'-1.50e+3',
		'0.10',
		'123456789012345678901234567890',
	),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);

/** A piece of a string's lexeme that keeps its text well-formed. */
const piece: fc.Arbitrary<string> = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('a', 'word ', '0123456789', 'The quick brown fox. ') },
	fc.constantFrom(
		'é',
		'漢',
		'字典',
		'한글',
		'かな',
		'、',
		'😀',
		'👩‍👩‍👧',
		'𠀀',
		'\u{2028}',
		'\u007f',
		'\u{e000}',
	),
	fc.constantFrom(...[...'"\\/bfnrt'].map((letter) => `\\${letter}`)),
	fc.constantFrom('\\u0041', '\\u6f22', '\\ud83d\\ude00', '\\uD840\\uDC00', '\\u0000', '\\ufeff', '\\u2026'),
);

const half: fc.Arbitrary<string> = fc.constantFrom(
	'\\ud800',
	'\\udfff',
	'\\udc00\\ud800',
	'\\ud83dx\\ude00',
	'\\ud83d😀',
);

/** A string of pieces that repeat, so that length costs nothing. */
export function longString(minimum: number, maximum: number): fc.Arbitrary<string> {
	return fc
		.tuple(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.integer({ min: minimum, max: maximum }))
		.map(([pieces, length]) => {
			const unit = pieces.join('');
			return `"${unit.repeat(Math.ceil(length / unit.length))}"`;
		});
}

export const shortString: fc.Arbitrary<string> = fc.oneof(
	{ weight: 6, arbitrary: fc.array(piece, { maxLength: 4 }).map((pieces) => `"${pieces.join('')}"`) },
	{ weight: 1, arbitrary: fc.tuple(piece, half, piece).map((pieces) => `"${pieces.join('')}"`) },
);

/** Strings longer than most limits of the tests. */
export const longText: fc.Arbitrary<string> = longString(150, 600);

export const string: fc.Arbitrary<string> = fc.oneof(
	{ weight: 6, arbitrary: shortString },
	{ weight: 2, arbitrary: longString(60, 400) },
	{ weight: 1, arbitrary: lookalike.map((text) => `"${text}"`) },
	{
		weight: 1,
		arbitrary: fc.tuple(longString(200, 400), half).map(([long, end]) => `${long.slice(0, -1)}${end}"`),
	},
);

const key: fc.Arbitrary<string> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.constantFrom(
			'"id"',
			'"name"',
			'"value"',
			'"a"',
			'"b"',
			'"error"',
			'"status"',
			'"2"',
			'"1"',
		),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom(
			'"debug"',
			'"trace"',
			'"traces"',
			'"stack"',
			'"logs"',
			'"logging"',
			'"Debug"',
			'"stacktrace"',
		),
	},
	fc.constantFrom(
		'"__proto__"',
		'"constructor"',
		'""',
		String.raw`"\u0064ebug"`,
		String.raw`"\u0061"`,
		'"toString"',
		'"漢字"',
	),
	shortString,
);

const nothing: fc.Arbitrary<string> = fc.constantFrom(
	'null',
	'""',
	'[]',
	'{}',
	'[null]',
	'{"x":""}',
	'[[],{}]',
	'{"debug":1}',
);

export const scalar: fc.Arbitrary<string> = fc.oneof(
	{ weight: 3, arbitrary: number },
	{ weight: 4, arbitrary: string },
	{ weight: 1, arbitrary: fc.constantFrom('true', 'false') },
	{ weight: 2, arbitrary: nothing },
);

/** White space between two lexemes, mostly none. */
export const space: fc.Arbitrary<string> = fc.oneof(
	{ weight: 5, arbitrary: fc.constant('') },
	{ weight: 2, arbitrary: fc.constantFrom(' ', '\n\t', '\r\n  ', '          ') },
);

function arrayOf(items: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
	return fc.tuple(items, space).map(([list, gap]) => `[${gap}${list.join(`${gap},${gap}`)}${gap}]`);
}

function objectOf(members: fc.Arbitrary<[string, string][]>): fc.Arbitrary<string> {
	return fc
		.tuple(members, space)
		.map(
			([list, gap]) =>
				`{${gap}${list.map(([name, value]) => `${name}${gap}:${gap}${value}`).join(`${gap},${gap}`)}${gap}}`,
		);
}

/** Containers within containers, small ones. */
export const small: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, depthSize: 'small' },
		{ weight: 4, arbitrary: scalar },
		{ weight: 2, arbitrary: arrayOf(fc.array(tie('value'), { maxLength: 5 })) },
		{ weight: 3, arbitrary: objectOf(fc.array(fc.tuple(key, tie('value')), { maxLength: 5 })) },
	),
})).value;

/** An array that may well be longer than its limit; a short pattern repeats, and some items are of their own. */
export const plainArray: fc.Arbitrary<string> = arrayOf(
	fc
		.tuple(
			fc.array(small, { minLength: 1, maxLength: 4 }),
			fc.integer({ min: 0, max: 90 }),
			fc.array(fc.tuple(fc.nat(90), small), { maxLength: 4 }),
		)
		.map(([pattern, length, others]) => {
			const items = Array.from({ length }, (_, index) =>
				index % 3 === 0 ? String(index) : pattern[index % pattern.length],
			);
			for (const [place, other] of others) {
				items.splice(place, 0, other);
			}

			return items;
		}),
);

const status: fc.Arbitrary<string> = fc.constantFrom(
	'"ok"',
	'"running"',
	'"FAILED"',
	'"0 errors"',
	'"warning: disk"',
	'null',
	'200',
);

const record: fc.Arbitrary<string> = objectOf(
	fc
		.tuple(number, shortString, fc.option(fc.tuple(key, small)), fc.option(status), fc.boolean())
		.map(([value, name, other, state, isPadded]) => [
			['"value"', value],
			['"name"', name],
			...(isPadded ? ([['"note"', '"some words that take room in a record"']] as [string, string][]) : []),
			...(state === null ? [] : ([['"status"', state]] as [string, string][])),
			...(other === null ? [] : [other]),
		]),
);

/** Records, mostly alike, some with something about them, some that the clean-up takes away. */
export function recordItems(least: number, most: number): fc.Arbitrary<string[]> {
	return fc
		.tuple(
			fc.array(record, { minLength: 1, maxLength: 4 }),
			fc.integer({ min: least, max: most }),
			fc.array(
				fc.tuple(fc.nat(most), fc.oneof({ weight: 4, arbitrary: record }, { weight: 1, arbitrary: nothing })),
				{ maxLength: 6 },
			),
		)
		.map(([pattern, length, others]) => {
			const items = Array.from({ length }, (_, index) =>
				index % 2 === 0
					? `{"id":${index},"name":"record ${index}","status":"ok"}`
					: pattern[index % pattern.length],
			);
			for (const [place, other] of others) {
				items.splice(place, 0, other);
			}

			return items;
		});
}

export const recordArray: fc.Arbitrary<string> = arrayOf(recordItems(28, 90));

/** A value far down. */
export const deep: fc.Arbitrary<string> = fc
	.tuple(
		fc.oneof(small, plainArray, longString(50, 300)),
		fc.array(fc.constantFrom('[', '{'), { maxLength: 14 }),
	)
	.map(([leaf, levels]) =>
		levels.reduce((inner, level) => (level === '[' ? `[1,${inner}]` : `{"k":${inner},"z":0}`), leaf),
	);
