/** Text of string lexemes: decoded, counted and cut as JSON.parse would have it, in whatever pieces they come. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Compactor } from '../../lib/json/compact.js';
import { hashText, joinHash, TextHash } from '../../lib/json/hash.js';
import { decodeText, ScalarCount, TextDecoder8 } from '../../lib/json/text.js';
import { deep, plainArray, small, string } from '../compress/json/support/arbitraries.js';
import { lines, together } from '../compress/json/support/documents.js';
import { compact, parse } from '../compress/json/support/parse.js';

/** UTF-8 as it would be if halves of surrogate pairs had three bytes too. */
function wtf8(text: string): Buffer {
	const parts = text.match(/[\ud800-\udbff][\udc00-\udfff]|[^\ud800-\udfff]+|[\ud800-\udfff]/gsu) ?? [];
	return Buffer.concat(
		parts.map((part) => {
			const code = part.codePointAt(0) as number;
			return part.length === 1 && code >= 0xd800 && code < 0xe000
				? Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
				: Buffer.from(part);
		}),
	);
}

const pieces = fc.integer({ min: 1, max: 12 });

describe('TextDecoder8', () => {
	it('gives the text of a lexeme, as UTF-8', () => {
		fc.assert(
			fc.property(string, pieces, (lexeme, size) => {
				const bytes = Buffer.from(lexeme).subarray(1, -1);
				const decoder = new TextDecoder8();
				const parts: Buffer[] = [];
				for (let from = 0; from < bytes.length; from += size) {
					const to = Math.min(bytes.length, from + size);
					// Half a pair, and the escape behind it, may both have begun in earlier pieces.
					const target = new Uint8Array(to - from + 5);
					parts.push(Buffer.from(target.subarray(0, decoder.write(bytes, from, to, target, 0))));
				}

				const rest = new Uint8Array(3);
				parts.push(Buffer.from(rest.subarray(0, decoder.end(rest, 0))));
				expect(Buffer.concat(parts)).toEqual(wtf8(JSON.parse(lexeme) as string));
			}),
			{ numRuns: 500 },
		);
	});

	it('knows every short escape', () => {
		const lexeme = Buffer.from(String.raw`"\"\\\/\b\f\n\r\t\u0000\uFFFF"`);
		expect(Buffer.from(decodeText(lexeme, 0, lexeme.length)).toString()).toBe('"\\/\b\f\n\r\t\u0000\uffff');
	});

	it('does not copy what has no escape', () => {
		const lexeme = Buffer.from('["plain 漢字"]');
		expect(decodeText(lexeme, 1, lexeme.length - 1).buffer).toBe(lexeme.buffer);
	});
});

describe('TextHash', () => {
	it('is that of the text, however it is escaped', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, other) => {
				const plain = Buffer.from(JSON.stringify(text));
				const escaped = Buffer.from(
					`"${[...Array(text.length).keys()].map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`,
				);
				const { low, high } = new TextHash().takeKey(plain, 0, plain.length);
				const hash = joinHash(low, high);
				expect(Number.isSafeInteger(hash)).toBe(true);
				expect(new TextHash().takeKey(escaped, 0, escaped.length)).toEqual({ low, high });
				expect(hash).toBe(hashText(Buffer.from(text)));
				expect(hashText(Buffer.from(other)) === hash).toBe(other === text);
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		['numbers', (index: number) => String(index)],
		['a prefix and a number', (index: number) => `key_${index}`],
		['a number and a suffix', (index: number) => `${index}_count`],
		['hexadecimal ids', (index: number) => (index * 2_654_435_761).toString(16)],
		[
			'pairs of letters',
			(index: number) => String.fromCodePoint(0x4e00 + (index % 20_000), 0x61 + Math.floor(index / 20_000)),
		],
	])('tells 100,000 alike names apart: %s', (_, name) => {
		const hashes = new Set<number>();
		for (let index = 0; index < 100_000; index++) {
			hashes.add(hashText(Buffer.from(name(index))));
		}

		expect(hashes.size).toBe(100_000);
	});
});

describe('ScalarCount', () => {
	it('finds where a lexeme may be cut after so many scalar values', () => {
		fc.assert(
			fc.property(string, fc.nat(40), pieces, (lexeme, target, size) => {
				const text = JSON.parse(lexeme) as string;
				const bytes = Buffer.from(lexeme).subarray(1, -1);
				const count = new ScalarCount(target);
				for (let from = 0; from < bytes.length; from += size) {
					count.write(bytes, from, Math.min(bytes.length, from + size));
				}

				count.end();
				const scalars = [...text];
				expect(count.scalars).toBe(scalars.length);
				expect(count.loneSurrogate).toBe(!text.isWellFormed());
				if (target > scalars.length) {
					expect(count.cut).toBe(-1);
				} else {
					const kept = bytes.toString('utf8', 0, count.cut);
					expect(JSON.parse(`"${kept}"`)).toBe(scalars.slice(0, target).join(''));
				}
			}),
			{ numRuns: 800 },
		);
	});
});

describe('Compactor', () => {
	/** What it writes, and that it writes no more than it was given. */
	function compacted(text: string, size: number, keepsLines: boolean): string {
		const bytes = Buffer.from(text);
		const compactor = new Compactor(keepsLines);
		const parts: Buffer[] = [];
		for (let from = 0; from < bytes.length; from += size) {
			const to = Math.min(bytes.length, from + size);
			const target = Buffer.alloc(to - from + 1, 0xff);
			const end = compactor.write(bytes, from, to, target, 0);
			if (end > to - from + (keepsLines ? 1 : 0)) {
				expect.fail('more was written than there was');
			}

			parts.push(target.subarray(0, end));
		}

		return Buffer.concat(parts).toString();
	}

	it('leaves nothing between lexemes, and every lexeme as it is', () => {
		fc.assert(
			fc.property(together(small, plainArray, deep), pieces, (text, size) => {
				expect(compacted(text, size, false)).toBe(compact(parse(text)));
			}),
			{ numRuns: 200 },
		);
	});

	it('keeps one line feed between the values of JSON Lines', () => {
		fc.assert(
			fc.property(lines, pieces, (text, size) => {
				const values = text.split('\n').filter((line) => line.trim() !== '');
				expect(compacted(text, size, true)).toBe(values.map((line) => compact(parse(line))).join('\n'));
			}),
			{ numRuns: 100 },
		);
	});
});
