/** Sizes read and written. */

import { expect, test } from 'vitest';
import { formatSize, parseSize } from '../../lib/config/size.js';

test.each([
	['0', 0],
	['1', 1],
	['007', 7],
	['500b', 500],
	['64MiB', 64 * 1024 ** 2],
	['64mib', 64 * 1024 ** 2],
	['64 MiB', 64 * 1024 ** 2],
	[' 4GiB\n', 4 * 1024 ** 3],
	['10K', 10 * 1024],
	['10k', 10 * 1024],
	['3M', 3 * 1024 ** 2],
	['2g', 2 * 1024 ** 3],
	['1T', 1024 ** 4],
	['1TiB', 1024 ** 4],
	['5KiB', 5 * 1024],
	['10kB', 10_000],
	['10KB', 10_000],
	['3MB', 3_000_000],
	['2GB', 2_000_000_000],
	['1tb', 1_000_000_000_000],
	['9007199254740991', Number.MAX_SAFE_INTEGER],
	['8191TiB', 8191 * 1024 ** 4],
])('%j is %i bytes', (text, bytes) => {
	expect(parseSize(text)).toBe(bytes);
});

test.each([
	'',
	' ',
	'-1',
	'-0',
	'+5',
	'1.5GiB',
	'1e3',
	'0x10',
	'NaN',
	'Infinity',
	'MiB',
	'64MiBs',
	'64 Mi B',
	'64  MiB',
	'1,000',
	'1_000',
	'٣',
	'5constructor',
	'5__proto__',
	'9007199254740992',
	'8192TiB',
	`1${'0'.repeat(400)}`,
])('%j is no size', (text) => {
	expect(parseSize(text)).toBeUndefined();
});

test.each([
	[0, '0 bytes'],
	[1, '1 bytes'],
	[1000, '1000 bytes'],
	[1024, '1KiB'],
	[64 * 1024 ** 2, '64MiB'],
	[1536 * 1024, '1536KiB'],
	[4 * 1024 ** 3, '4GiB'],
	[1024 ** 4, '1TiB'],
])('%i bytes are written %s', (bytes, text) => {
	expect(formatSize(bytes)).toBe(text);
});
