/** Picking lines out of chunks, whatever the chunk boundaries. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectLines } from '../../lib/cli/lines.js';

const unlimited = Number.POSITIVE_INFINITY;

function select(chunks: readonly string[], first: number, last: number): string {
	const bytes = chunks.map((chunk) => Buffer.from(chunk));
	return Buffer.concat([...selectLines(bytes, { first, last })]).toString();
}

/** Each with its newline. */
function linesOf(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

describe('selectLines', () => {
	it.each<[number, number, string]>([
		[1, 1, 'one\n'],
		[2, 3, 'two\n\n'],
		[4, unlimited, 'four'],
		[1, unlimited, 'one\ntwo\n\nfour'],
		[1, 100, 'one\ntwo\n\nfour'],
		[4, 4, 'four'],
		[5, unlimited, ''],
	])('gives lines %i to %i', (first, last, expected) => {
		expect(select(['one\ntwo\n\nfour'], first, last)).toBe(expected);
	});

	it('keeps carriage returns and bytes that are no text', () => {
		const bytes = Uint8Array.of(0xff, 0x0d, 0x0a, 0xfe, 0x00, 0x0a);
		expect(Buffer.concat([...selectLines([bytes], { first: 2, last: 2 })])).toEqual(
			Buffer.of(0xfe, 0x00, 0x0a),
		);
	});

	it('does not ask for chunks behind the last line', () => {
		function* chunks(): Generator<Uint8Array> {
			yield Buffer.from('one\ntwo\n');
			throw new Error('asked for more');
		}

		expect(() => [...selectLines(chunks(), { first: 1, last: 2 })]).not.toThrow();
	});

	it('gives the same whatever the chunks', () => {
		const chunk = fc.string({ unit: fc.constantFrom('a', '\n'), maxLength: 8 });
		fc.assert(
			fc.property(
				fc.array(chunk),
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 0, max: 12 }),
				(chunks, first, more) => {
					const expected = linesOf(chunks.join(''))
						.slice(first - 1, first + more)
						.join('');
					expect(select(chunks, first, first + more)).toBe(expected);
				},
			),
		);
	});
});
