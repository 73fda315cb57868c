/** The core by example: keys, choices between candidates, and what happens where the world does not go along. */

import { describe, expect, it } from 'vitest';
import { JsonSyntaxError } from '../../../lib/json/errors.js';
import { payloadKey } from '../../../lib/stash/keys.js';
import { compress } from './support/run.js';

const numbers = (from: number, to: number): number[] =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function compressed(
	value: unknown,
	...rest: Parameters<typeof compress> extends [unknown, ...infer Rest] ? Rest : never
): Promise<string> {
	return (
		await compress(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), ...rest)
	).output.toString();
}

describe('keys', () => {
	it('of 6…200 without a tail', async () => {
		const { output, stash } = await compress(Buffer.from(JSON.stringify(numbers(1, 200))), {
			limits: { arrays: 5, arrayTail: 0 },
		});
		expect(output.toString()).toBe(
			'[1,2,3,4,5,"195 items omitted. If needed, run in shell: tokenless retrieve c30ccf5ed1125e0ed871ba8e"]\n',
		);
		expect(stash.payloads.get('c30ccf5ed1125e0ed871ba8e')?.toString()).toBe(JSON.stringify(numbers(6, 200)));
	});

	it('of 5…191 as Python writes it', async () => {
		const input = `[${numbers(0, 199).join(', ')}]\n`;
		const { output, stash } = await compress(Buffer.from(input), { limits: { arrays: 5 } });
		expect(output.toString()).toBe(
			`[0,1,2,3,4,"187 items omitted. If needed, run in shell: tokenless retrieve de82e8c6da22d8baa539f067",${numbers(192, 199).join()}]\n`,
		);
		expect(stash.payloads.get('de82e8c6da22d8baa539f067')?.toString()).toBe(JSON.stringify(numbers(5, 191)));
	});

	it('are those of the payloads, in the order of the notices', async () => {
		const long = (letter: string): string => letter.repeat(9000);
		const { output, outcome, stash } = await compress(
			Buffer.from(JSON.stringify([long('a'), long('b'), long('a'), long('c')])),
		);
		const keys = await Promise.all(['a', 'b', 'c'].map((letter) => payloadKey(Buffer.from(long(letter)))));
		expect(outcome.writes.map(({ key }) => key)).toEqual(keys);
		expect(output.toString().match(/(?<=retrieve )[\da-f]{24}/gu)).toEqual([
			keys[0],
			keys[1],
			keys[0],
			keys[2],
		]);
		expect(stash.calls).toBe(1);
	});
});

describe('clean-up', () => {
	it('removes what it says it removes, and what that empties', async () => {
		const input = {
			debug: { a: 1 },
			trace: 1,
			traces: [1],
			stack: 's',
			stacktrace: 's',
			logs: ['l'],
			logging: true,
			a: null,
			b: '',
			c: [],
			d: {},
			e: [null, '', [], {}],
			f: { debug: 1, g: [{ trace: 0 }] },
			kept: [0, false, null, ' ', [[]], { a: null, z: 1 }],
			Debug: 1,
			debugger: 2,
			log: 3,
		};
		expect(await compressed(input)).toBe('{"kept":[0,false," ",{"z":1}],"Debug":1,"debugger":2,"log":3}\n');
	});

	it('knows a name however it is escaped', async () => {
		expect(await compressed(String.raw`{"\u0064\u0065bug":12345,"a":1}`)).toBe('{"a":1}\n');
	});

	it('leaves objects with a repeated key alone, though not what is in them', async () => {
		expect(await compressed('{"a":null,"a":1,"debug":2,"b":{"c":null,"d":[null]}}  \n  \n')).toBe(
			'{"a":null,"a":1,"debug":2,"b":{}}\n',
		);
		expect(await compressed(String.raw`{"a":null,"\u0061":1,  "b":{}}           `)).toBe(
			`${String.raw`{"a":null,"\u0061":1,"b":{}}`}\n`,
		);
	});

	it('finds a repeated key among however many', async () => {
		const members = Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join();
		const input = (last: string): string =>
			`{${members},"inner":{"gone":null,${members}${last}},"gone":null}`;
		expect(await compressed(input(''))).toBe(`{${members},"inner":{${members}}}\n`);
		const repeated = String.raw`,"\u006b7":2`;
		expect(await compressed(input(repeated))).toBe(
			`{${members},"inner":{"gone":null,${members}${repeated}}}\n`,
		);
	});

	it('does not take a prototype for a repeated key', async () => {
		expect(await compressed('{"__proto__":null,"constructor":{},"toString":"","hasOwnProperty":1}')).toBe(
			'{"hasOwnProperty":1}\n',
		);
	});

	it('empties a document, and does not take it away', async () => {
		expect(await compressed('{"a":null,"debug":"a long text that nobody will miss"}')).toBe('{}\n');
		expect(await compressed('[null,null,null,null]')).toBe('[]\n');
	});

	it('empties lines, and does not take them away', async () => {
		expect(
			await compressed('{"a":null,"trace":"some text of some length"}\n{"b":1,"c":null}\nnull\n""\n'),
		).toBe('{}\n{"b":1}\nnull\n""\n');
	});
});

describe('lexemes', () => {
	it('come out as they went in', async () => {
		const kept = String.raw`[1.0,-0,1e400,9007199254740993,1E+2,0.10,"\u0041\/\ud83d\ude00","é","\ud800",{"2":1,"1":2,"__proto__":{"x":1.50}}]`;
		expect(await compressed(`{"gone":null,"kept" : ${kept.replaceAll(',', ' ,\n\t')}}`)).toBe(
			`{"kept":${kept}}\n`,
		);
	});
});

describe('the choice', () => {
	const wide = (count: number): string => JSON.stringify({ list: numbers(1, count) }, undefined, 8);

	it('is the complete form where that saves enough', async () => {
		const { output, outcome, stash } = await compress(Buffer.from(wide(300)));
		expect(output.toString()).toBe(`${JSON.stringify({ list: numbers(1, 300) })}\n`);
		expect(outcome).toMatchObject({
			disposition: 'applied',
			operations: ['json_cleanup'],
			recoverability: 'lossless',
		});
		expect(stash.calls).toBe(0);
	});

	it('is the bounded form where an explicit limit binds', async () => {
		for (const limits of [{ arrays: 32 }, { arrayTail: 8 }]) {
			expect((await compress(Buffer.from(wide(300)), { limits })).outcome.operations).toEqual([
				'json_cleanup',
				'json_truncation',
			]);
		}

		// A limit that nothing exceeds does not matter.
		expect(
			(await compress(Buffer.from(wide(300)), { limits: { strings: 100, depth: 9 } })).outcome.recoverability,
		).toBe('lossless');
	});

	it('turns at 15 %', async () => {
		// 151 tokens complete: 85 % of 177.6.
		const items = JSON.stringify(Array(100).fill(12_345));
		const operations = async (length: number): Promise<readonly string[]> =>
			(await compress(Buffer.from(items.padEnd(length)))).outcome.operations;
		expect(await operations(709)).toEqual(['json_cleanup']);
		expect(await operations(708)).toEqual(['json_cleanup', 'json_truncation']);
	});

	it('is the bounded form where the complete one is too large to be read', async () => {
		const { outcome } = await compress(Buffer.from(wide(40_000)));
		expect(outcome.operations).toEqual(['json_cleanup', 'json_truncation']);
		expect(outcome.afterTokens).toBeLessThan(200);
	});

	it('is the input where nothing is saved, byte for byte', async () => {
		for (const input of [
			'[1,2,3]',
			'{"a":"b"}\n',
			' [1]',
			'"text"',
			'5',
			'\u{feff}[1]',
			'null',
			'""',
			'1\n2\n',
			'[1,2]  ',
		]) {
			const { output, outcome, stash } = await compress(Buffer.from(input));
			expect(output.toString(), input).toBe(input);
			expect(outcome).toMatchObject({ disposition: 'no_savings', operations: [], writes: [] });
			expect(stash.calls).toBe(0);
		}
	});

	it('is the input where characters fall and the estimate does not', async () => {
		// Seven characters and a line feed are two tokens, and so are five.
		expect(await compressed('[ 1,  2]')).toBe('[ 1,  2]');
	});

	it('ends in one line feed where it is applied', async () => {
		expect(await compressed('[1,   2,   3,   null]\n\n\n')).toBe('[1,2,3]\n');
	});
});

describe('limits', () => {
	it('of a string hold the notice too, and count scalar values', async () => {
		for (const letter of ['x', '漢', '😀', '\n']) {
			const output = JSON.parse(await compressed([letter.repeat(5000)])) as string[];
			expect([...output[0]]).toHaveLength(4096);
			expect(output[0]).toMatch(/… Truncated\. If needed, run in shell: tokenless retrieve [\da-f]{24}$/u);
			expect(await compressed([letter.repeat(4096), 1])).toBe(JSON.stringify([letter.repeat(4096), 1]));
		}
	});

	it('of a string that has no UTF-8 text do not apply', async () => {
		const lexeme = String.raw`["${'x'.repeat(5000)}\ud800"]`;
		expect(await compressed(lexeme)).toBe(lexeme);
	});

	it('of an array cut only where there is more than head and tail', async () => {
		const items = (count: number): string[] =>
			numbers(1, count).map((item) => `item number ${item} of the list`);
		expect(await compressed(items(40))).toBe(JSON.stringify(items(40)));
		const output = JSON.parse(await compressed(items(60))) as string[];
		expect(output).toHaveLength(41);
		expect(output[32]).toMatch(/^20 items omitted\. /u);
		expect([output[31], output[33]]).toEqual([items(60)[31], items(60)[52]]);
	});

	it('of depth replace what lies deeper, where that is shorter', async () => {
		const leaf = {
			text: 'a text that is longer than the notice which would stand in its place, by a good deal, and then some',
		};
		const nested = (levels: number, inner: unknown): unknown =>
			levels === 0 ? inner : [nested(levels - 1, inner)];
		expect(await compressed(nested(8, leaf))).toBe(
			JSON.stringify(nested(8, JSON.parse(JSON.stringify(leaf)))),
		);
		const output = await compressed(nested(9, leaf));
		expect(output).toMatch(
			/^\[{9}"object truncated at depth 9\. If needed, run in shell: tokenless retrieve [\da-f]{24}"\]{9}\n$/u,
		);
		expect(await compressed(nested(9, { a: 1 }))).toBe(JSON.stringify(nested(9, { a: 1 })));
	});

	it('leave our own notices whole, whatever their size and depth', async () => {
		const notice = '7 items omitted. If needed, run in shell: tokenless retrieve 0123456789abcdef01234567';
		const records = [...numbers(1, 40).map((id) => ({ id })), notice.replace('items', 'of 47 records')];
		const input = JSON.stringify({
			a: [[[['x', notice]]]],
			debug: notice.replace('7 items omitted', 'object truncated at depth 3'),
			records,
		});
		for (const limits of [{ strings: 10, depth: 1, arrays: 0, arrayTail: 0 }, { strings: 50 }]) {
			expect(await compressed(input, { limits })).toBe(input);
		}
	});
});

describe('a document in a string', () => {
	it('is unwrapped, once', async () => {
		const inner = { a: null, b: [1, '漢\n'] };
		expect(await compressed(JSON.stringify(JSON.stringify(inner)))).toBe('{"b":[1,"漢\\n"]}\n');
		const twice = JSON.stringify(JSON.stringify(JSON.stringify(inner)));
		expect(await compressed(twice)).toBe(twice);
	});

	it.each([
		['a number', '"12345678"'],
		['text that starts like one', '"[1, 2, 3, 4, 5, 6 and so on"'],
		['two documents', String.raw`"[1, 2, 3, 4]   \n[5, 6, 7]"`],
		['half a surrogate pair behind it', String.raw`"[1, 2, 3, 4]    \ud800"`],
		[
			'half a surrogate pair in a string that is not escaped twice',
			String.raw`"[1,   2,   3,   \"\ud800\"]"`,
		],
		['a byte order mark', String.raw`"\ufeff[1,  2,  3,  4]"`],
	])('is not where the string holds %s', async (_, input) => {
		expect(await compressed(input)).toBe(input);
	});

	it('may be longer than any block, with escapes at every border', async () => {
		for (const shift of [0, 1, 2, 3, 4, 5, 6, 11]) {
			const inner = { pad: 'x'.repeat(65_520 + shift), text: '\u0001😀漢"'.repeat(20_000), gone: null };
			const lexeme = JSON.stringify(JSON.stringify(inner)).replaceAll('😀', String.raw`\ud83d\ude00`);
			const { output, stash } = await compress(Buffer.from(lexeme));
			const parsed = JSON.parse(output.toString()) as Record<string, string>;
			expect(Object.keys(parsed)).toEqual(['pad', 'text']);
			const texts = new Set([...stash.payloads.values()].map(String));
			expect(texts).toEqual(new Set([inner.pad, inner.text]));
		}
	});
});

describe('what is not JSON', () => {
	it.each(['', '  ', '[1,', '[1] x', 'NaN', '{"a":1}\n{"a":', '\u0000'])('%j is refused', async (input) => {
		await expect(compress(Buffer.from(input))).rejects.toThrow(JsonSyntaxError);
	});
});
