/** Options that cannot be are refused at once, not found out in the output. */

import { expect, test } from 'vitest';
import { JsonCompressor } from '../../../lib/compress/json/json-compressor.js';
import type { JsonLimits } from '../../../lib/compress/json/options.js';

test.each([
	{ strings: 99.5 },
	{ arrays: -1 },
	{ arrays: Number.NaN },
	{ arrays: null },
	{ arrays: '5' },
	{ arrayTail: -3 },
	{ arrayTail: 2.5 },
	{ depth: 2 ** 53 },
] as unknown as Partial<JsonLimits>[])('limits of %j', (limits) => {
	expect(() => new JsonCompressor({ limits })).toThrow(RangeError);
});

test.each(['', 'bad name', 'a"b', 'é', 'x'.repeat(65)])('a tool called %j', (name) => {
	expect(() => new JsonCompressor({ recovery: { kind: 'tool', name } })).toThrow(RangeError);
});

test.each([{}, { strings: 0 }, { arrays: Infinity }, { depth: 8, arrayTail: 0 }])('but not %j', (limits) => {
	expect(() => new JsonCompressor({ limits }).destroy()).not.toThrow();
});
