/** The tokenizer: what it accepts, what it says of each lexeme, and where it says that something is wrong. */

import { describe, expect, it } from 'vitest';
import { hashText } from '../../lib/json/hash.js';
import { FALSE, NULL, TRUE } from '../../lib/json/kinds.js';
import { MAX_NESTING } from '../../lib/json/tokenizer.js';
import { isDocument, tokenize } from './events.js';

/** Every state of the machine, most of them twice. */
const EVERY_STATE = [
	'\t {"":[0,-0,1.5,-10.25e+3,1E-2,12e5] ,"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00b": "漢字é😀𠀀",\r\n',
	'"__proto__" : {"lone":"\\ud800x\\udc00","x":null,"y":true,"z":false},"é漢😀":[[],{},[{}],""]}',
	' \n',
].join('');

const UTF_16 = /UTF-16/u;

function refused(
	text: string | Uint8Array,
	allowSequence = false,
): { offset: number; line: number; column: number; problem: string } {
	const { error } = tokenize(Buffer.from(text as string), { allowSequence });
	if (error === undefined) {
		throw new Error(`accepted: ${text}`);
	}

	const { offset, line, column, problem } = error;
	return { offset, line, column, problem };
}

function accepts(text: string | Uint8Array, allowSequence = false): boolean {
	return tokenize(Buffer.from(text as string), { allowSequence }).error === undefined;
}

describe('chunks', () => {
	it.each([1, 2, 3, 5, 7, 64])('of %i bytes tell the same as the whole', (chunk) => {
		const bytes = Buffer.from(EVERY_STATE);
		expect(isDocument(bytes)).toBe(true);
		const whole = tokenize(bytes);
		const pieces = tokenize(bytes, { chunk });
		expect(whole.error).toBeUndefined();
		expect(pieces.error).toBeUndefined();
		expect(pieces.events).toEqual(whole.events);
		for (const count of ['continuations', 'wide', 'whitespace', 'roots', 'depth'] as const) {
			expect(pieces.tokenizer[count], count).toBe(whole.tokenizer[count]);
		}
	});

	it('may end at any one byte', () => {
		const bytes = Buffer.from(EVERY_STATE);
		const { events } = tokenize(bytes);
		for (let first = 1; first < bytes.length; first++) {
			expect(tokenize(bytes, { chunk: first }).events, `chunks of ${first}`).toEqual(events);
		}
	});

	it('may be empty', () => {
		expect(tokenize(new Uint8Array(0)).error?.problem).toBe('the input is empty');
	});
});

describe('what is told of a lexeme', () => {
	it('where it starts and ends, its quotation marks included', () => {
		const text = ' {"a" : [1.0, "b", true, false, null]} ';
		const { events } = tokenize(Buffer.from(text));
		const lexemes = events
			.filter(([kind]) => !'{}[]'.includes(kind as string))
			.map(([, start, end]) => text.slice(start as number, end as number));
		expect(lexemes).toEqual(['"a"', '1.0', '"b"', 'true', 'false', 'null']);
		const literals = events.filter(([kind]) => kind === 'literal').map(([, , , literal]) => literal);
		expect(literals).toEqual([TRUE, FALSE, NULL]);
	});

	it('the length of a text, in Unicode scalar values, and whether it is one', () => {
		const facts = (lexeme: string): unknown[] =>
			tokenize(Buffer.from(`[${lexeme}]`), { chunk: 3 }).events[1].slice(3) as unknown[];
		expect(facts('"abc"')).toEqual([3, false, false]);
		expect(facts('"漢😀é"')).toEqual([3, false, false]);
		expect(facts(String.raw`"\n\u6f22\ud83d\ude00"`)).toEqual([3, true, false]);
		expect(facts(String.raw`"\ud83d"`)).toEqual([1, true, true]);
		expect(facts(String.raw`"\ude00\ud83d"`)).toEqual([2, true, true]);
		expect(facts(String.raw`"\ud83dx\ude00"`)).toEqual([3, true, true]);
		expect(facts(String.raw`"\ud83d\ud83d\ude00"`)).toEqual([2, true, true]);
	});

	it('a hash of a key that depends on its bytes alone', () => {
		const bytes = Buffer.from('{"a long enough key, 漢字 and 😀":1}');
		const hash = hashText(Buffer.from('a long enough key, 漢字 and 😀'));
		for (const chunk of [Infinity, 1, 2, 5]) {
			expect(tokenize(bytes, { chunk }).events[1][3]).toBe(hash);
		}
	});
});

describe('nesting', () => {
	it('of a million levels needs no stack', () => {
		const levels = 1_000_000;
		const bytes = Buffer.from(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
		const { events, error } = tokenize(bytes);
		expect(error).toBeUndefined();
		expect(events).toHaveLength(2 * levels + 1);
		expect(events[levels]).toEqual(['number', levels, levels + 1]);
	});

	it('of a million levels that never end is refused at the end', () => {
		expect(refused('[{"":'.repeat(500_000)).offset).toBe(2_500_000);
	});

	it('keeps arrays and objects apart', () => {
		expect(refused('[{"a":[1}]').offset).toBe(8);
		expect(refused('{"a":[1]]').offset).toBe(8);
		expect(refused(`${'[{"a":'.repeat(1000)}1${'}]'.repeat(999)}]}`)).toMatchObject({ offset: 7999 });
	});

	it('has a limit far beyond any document', () => {
		expect(MAX_NESTING).toBeGreaterThanOrEqual(1 << 24);
	});
});

describe('UTF-8', () => {
	const inString = (...bytes: number[]): Buffer => Buffer.from([0x5b, 0x22, ...bytes, 0x22, 0x5d]);

	it.each([
		['a stray continuation byte', [0x80], 2],
		['two overlong bytes', [0xc0, 0xaf], 2],
		['three overlong bytes', [0xe0, 0x80, 0xaf], 3],
		['four overlong bytes', [0xf0, 0x80, 0x80, 0xaf], 3],
		['a surrogate', [0xed, 0xa0, 0x80], 3],
		['a code point past U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 3],
		['a byte that never occurs', [0xf5, 0x80, 0x80, 0x80], 2],
		['a sequence that is cut short', [0xe6, 0xbc], 4],
		['a sequence with a letter in it', [0xf0, 0x9f, 0x41, 0x80], 4],
	])('refuses %s', (_, bytes, offset) => {
		expect(isDocument(inString(...bytes))).toBe(false);
		for (const chunk of [Infinity, 1]) {
			expect(tokenize(inString(...bytes), { chunk }).error?.offset).toBe(offset);
		}
	});

	it('accepts the first and the last code point of each length', () => {
		for (const codePoint of [0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
			const bytes = Buffer.from(JSON.stringify([String.fromCodePoint(codePoint)]));
			expect(tokenize(bytes, { chunk: 1 }).error).toBeUndefined();
			expect(tokenize(bytes).events[1][3], 'scalars').toBe(1);
		}
	});

	it('refuses a sequence that the input ends in', () => {
		expect(refused(Buffer.from([0x22, 0xe6, 0xbc]))).toMatchObject({ offset: 3 });
	});

	it('skips a byte order mark, once', () => {
		expect(accepts('\u{feff}[1]')).toBe(true);
		expect(tokenize(Buffer.from('\u{feff}[1]')).events[0]).toEqual(['[', 3, 1]);
		expect(refused('\u{feff}\u{feff}[1]').offset).toBe(3);
		expect(refused('[\u{feff}1]').offset).toBe(1);
		expect(refused(Buffer.from([0xef, 0xbb, 0x41]))).toMatchObject({ offset: 0, line: 1, column: 1 });
	});

	it.each([
		['little-endian with a mark', Buffer.from('\u{feff}{"a":1}', 'utf16le')],
		['big-endian with a mark', Buffer.from('\u{feff}{"a":1}', 'utf16le').swap16()],
		['little-endian', Buffer.from('{"a":1}', 'utf16le')],
		['big-endian', Buffer.from('{"a":1}', 'utf16le').swap16()],
		['a number', Buffer.from('12', 'utf16le')],
	])('names UTF-16: %s', (_, bytes) => {
		for (const chunk of [Infinity, 1]) {
			const { error } = tokenize(bytes, { chunk });
			expect(error?.problem).toMatch(UTF_16);
			expect(error?.offset).toBe(0);
		}
	});
});

describe('grammar', () => {
	it.each([
		'',
		' ',
		'\n',
		'01',
		'-',
		'+1',
		'.5',
		'1.',
		'1.e1',
		'1e',
		'1e+',
		'-a',
		'0x1',
		'NaN',
		'Infinity',
		'-Infinity',
		'nul',
		'nulll',
		'True',
		'[1,]',
		'[,1]',
		'[1 2]',
		'{"a"}',
		'{"a":}',
		'{"a":1,}',
		'{,}',
		'{a:1}',
		"{'a':1}",
		'{"a":1 "b":2}',
		'[1',
		'{"a":1',
		'"a',
		'"\\x"',
		'"\\u12"',
		'"\\u12g4"',
		'"\t"',
		'"\u0000"',
		'[1]]',
		'[1]}',
		'{}{}',
		'1 2',
		'[1] x',
		'// x\n1',
		'[1]//x',
		'\f1',
		'[\u00a01]',
		'\u0000',
	])('refuses %j', (text) => {
		expect(isDocument(Buffer.from(text))).toBe(false);
		expect(accepts(text)).toBe(false);
		expect(accepts(text, true)).toBe(false);
	});

	it.each([
		'0',
		'-0',
		'1e400',
		'-1.5E-10',
		'"\\u0000"',
		'"\u007f"',
		'[[]]',
		' {"a":{"a":1}}\r\n',
		'null',
		'""',
		'"/\\/"',
	])('accepts %j', (text) => {
		expect(isDocument(Buffer.from(text))).toBe(true);
		expect(accepts(text)).toBe(true);
		expect(accepts(text, true)).toBe(true);
	});
});

describe('JSON Lines', () => {
	it('are one value a line, and whole', () => {
		for (const text of ['1\n2', '{}\r\n[]\r\n', '{"a":1}\n\n \n"b"\n', '\n1\n2\n', '\u{feff}1\n2']) {
			expect(accepts(text, true), text).toBe(true);
			expect(accepts(text), text).toBe(false);
		}
	});

	it('are counted', () => {
		expect(tokenize(Buffer.from('1\n[2\t]\n"3"'), { allowSequence: true }).tokenizer.roots).toBe(3);
	});

	it.each([
		['two values on a line', '1 2', 2],
		['two on a later line', '1\n2 3', 4],
		['values that touch', '{}\n{}{}', 5],
		['a second value of several lines', '1\n[\n2]', 4],
		['a first value of several lines before a second', '[\n1]\n2', 5],
		['a carriage return alone', '1\r2', 2],
		['a comma', '1,\n2', 1],
		['a last line that is cut short', '{"a":1}\n{"a":', 13],
	])('are not: %s', (_, text, offset) => {
		expect(refused(text, true).offset).toBe(offset);
	});
});

describe('errors', () => {
	it.each([
		['[1,\n 2,\n x]', 9, 3, 2],
		['{"漢字é😀" 1}', 16, 1, 9],
		['["漢",\n"é" x]', 13, 2, 5],
		['[1,\r\n}', 5, 2, 1],
		['[tru]', 4, 1, 5],
		['1\n["a",\n"é"]', 8, 3, 1],
	])('of %j are at byte %i, line %i, column %i', (text, offset, line, column) => {
		for (const chunk of [Infinity, 1, 3]) {
			const { error } = tokenize(Buffer.from(text), { chunk, allowSequence: true });
			expect(error).toMatchObject({ offset, line, column });
			expect(error?.message).toMatch(new RegExp(`byte ${offset} \\(line ${line}, column ${column}\\)`, 'u'));
			expect(error?.message).not.toMatch(/[\r\n]/u);
		}
	});

	it('say what stood there and what was expected', () => {
		expect(refused('[1 2]').problem).toMatch(/'2'.*, or \]/u);
		expect(refused('{"a" 1}').problem).toMatch(/'1'.*:/u);
		expect(refused('{1}').problem).toMatch(/'1'.*key/u);
		expect(refused('"a\nb"').problem).toMatch(/control character 0x0a/u);
		expect(refused('nul1').problem).toMatch(/null/u);
		expect(refused('[1').problem).toMatch(/ends inside/u);
		expect(refused('  ').problem).toMatch(/blank/u);
	});
});
