/** Names from outside, in one line and without power over the terminal. */

import { expect, test } from 'vitest';
import { quote } from '../../lib/config/quote.js';

test.each([
	['/plain/path', "'/plain/path'"],
	['', "''"],
	['with space', "'with space'"],
	['größe/日本', "'größe/日本'"],
	['a\nb\r\t', "'a\\u{a}b\\u{d}\\u{9}'"],
	['\u001b[31mred\u009b', "'\\u{1b}[31mred\\u{9b}'"],
	['x\u202egnp.exe', "'x\\u{202e}gnp.exe'"],
	['\u2028', "'\\u{2028}'"],
	['\ud800', "'\\u{d800}'"],
])('%j', (name, quoted) => {
	expect(quote(name)).toBe(quoted);
});

test('a very long name loses its middle', () => {
	const quoted = quote(`${'a'.repeat(5000)}end`);
	expect(quoted.length).toBeLessThan(310);
	expect(quoted).toMatch(/^'a+…a+end'$/);
});
