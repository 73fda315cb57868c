/** Sequences of UTF-8, against the decoder that comes with Node. */

import { expect, it } from 'vitest';
import { codePointAt } from '../../lib/json/utf8.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function expected(bytes: Uint8Array): number {
	try {
		const text = decoder.decode(bytes);
		return [...text].length === 1 ? (text.codePointAt(0) as number) : -1;
	} catch {
		return -1;
	}
}

/** Bytes at which the rules of the second and later ones change. */
const EDGES = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];

it('of two, three and four bytes are what a strict decoder takes them for', () => {
	let valid = 0;
	let invalid = 0;
	for (let first = 0x80; first < 0x100; first++) {
		const sequences = EDGES.flatMap((second) =>
			first < 0xe0
				? [[first, second]]
				: EDGES.map((last) => (first < 0xf0 ? [first, second, last] : [first, second, 0x80, last])),
		);
		for (const sequence of sequences) {
			const bytes = Uint8Array.from(sequence);
			const due = expected(bytes);
			expect(codePointAt(bytes, 0, bytes.length)).toBe(due);
			valid += due < 0 ? 0 : 1;
			invalid += due < 0 ? 1 : 0;
		}
	}

	expect(Math.min(valid, invalid)).toBeGreaterThan(500);
});

it('that are cut off are none', () => {
	const bytes = Buffer.from('😀');
	for (const to of [1, 2, 3]) {
		expect(codePointAt(bytes, 0, to)).toBe(-1);
	}

	expect(codePointAt(bytes, 0, 4)).toBe(0x1f600);
});
