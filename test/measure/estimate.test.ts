/** Characters and the estimate, against the ranges of `heuristic-v1` written down a second time. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ESTIMATOR, estimateTokens, isWide, TextCount } from '../../lib/measure/estimate.js';
import { sizeOf } from '../compress/json/support/model.js';

const RANGES = [
	[0x3040, 0x30ff],
	[0x3100, 0x312f],
	[0x3400, 0x4dbf],
	[0x4e00, 0x9fff],
	[0xac00, 0xd7af],
	[0xf900, 0xfaff],
	[0x20000, 0x2a6df],
	[0x2a700, 0x2b81f],
	[0x2b820, 0x2ceaf],
	[0x2ceb0, 0x2ebef],
	[0x30000, 0x3134f],
] as const;

describe('the estimate', () => {
	it('has the name that goes over the wire', () => {
		expect(ESTIMATOR).toBe('heuristic-v1');
	});

	it('takes just the CJK ranges for one token a character', () => {
		for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
			const expected = RANGES.some(([first, last]) => codePoint >= first && codePoint <= last);
			if (isWide(codePoint) !== expected) {
				expect.fail(`U+${codePoint.toString(16)}`);
			}
		}
	});

	it.each([
		[0, 0, 0],
		[1, 0, 1],
		[4, 0, 1],
		[5, 0, 2],
		[4, 4, 4],
		[5, 4, 5],
		[9, 1, 3],
	])('of %i characters, %i of them wide, is %i', (characters, wide, tokens) => {
		expect(estimateTokens(characters, wide)).toBe(tokens);
	});

	it('is rounded up once, not for each piece', () => {
		const count = new TextCount();
		for (let index = 0; index < 8; index++) {
			count.add(Buffer.from('a'), 0, 1);
		}

		expect(count.tokens).toBe(2);
	});

	it('does not depend on the pieces in which a text comes', () => {
		const unit = fc.constantFrom('a', 'é', '漢', '한', '😀', '𠀀', '\u{30000}', '\n', '、');
		fc.assert(
			fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (text, size) => {
				const bytes = Buffer.from(text);
				const count = new TextCount();
				for (let from = 0; from < bytes.length; from += size) {
					count.add(bytes, from, Math.min(bytes.length, from + size));
				}

				expect({ characters: count.characters, tokens: count.tokens }).toEqual(sizeOf(text));
			}),
			{ numRuns: 500 },
		);
	});
});
