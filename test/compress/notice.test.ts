/** Notices: their exact words, their price before the key is known, and which of them are our own. */

import { describe, expect, it } from 'vitest';
import {
	lossyNoticeFor,
	noticeFor,
	noticeInLexeme,
	type Omission,
	type OurNotices,
} from '../../lib/compress/notice.js';
import type { Recovery } from '../../lib/stash/reference.js';

const KEY = '0123456789abcdef01234567';
const SHELL: Recovery = { kind: 'shell' };
const TOOL: Recovery = { kind: 'tool', name: 'tokenless_retrieve' };

const OMISSIONS: readonly Omission[] = [
	{ kind: 'items', omitted: 187 },
	{ kind: 'records', omitted: 32, total: 64 },
	{ kind: 'subtree', type: 'object', depth: 9 },
	{ kind: 'text' },
];

function recognise(text: string, ours: Partial<OurNotices> = {}): string | undefined {
	const bytes = Buffer.from(`  ${JSON.stringify(text)}  `);
	return noticeInLexeme(bytes, 2, bytes.length - 2, { recovery: SHELL, isLossy: false, ...ours });
}

describe('the words of a notice', () => {
	it('for a shell', () => {
		expect(OMISSIONS.map((omission) => noticeFor(omission, SHELL, KEY))).toEqual([
			`187 items omitted. If needed, run in shell: tokenless retrieve ${KEY}`,
			`32 of 64 records omitted. If needed, run in shell: tokenless retrieve ${KEY}`,
			`object truncated at depth 9. If needed, run in shell: tokenless retrieve ${KEY}`,
			`… Truncated. If needed, run in shell: tokenless retrieve ${KEY}`,
		]);
	});

	it('for a tool', () => {
		expect(noticeFor({ kind: 'items', omitted: 1 }, TOOL, KEY)).toBe(
			`1 items omitted. If needed, call tool tokenless_retrieve with hash_or_marker=${KEY}`,
		);
	});

	it('where nothing is kept', () => {
		expect(lossyNoticeFor({ kind: 'items', omitted: 3 })).toBe('<... 3 more items truncated, not stashed>');
		expect(lossyNoticeFor({ kind: 'subtree', type: 'array', depth: 9 })).toBe('<array truncated at depth 9>');
		expect(lossyNoticeFor({ kind: 'text' })).toBe('… (truncated)');
	});

	it('are as many before the key is known as after', () => {
		for (const recovery of [SHELL, TOOL]) {
			for (const omission of OMISSIONS) {
				expect(noticeFor(omission, recovery)).toHaveLength(noticeFor(omission, recovery, KEY).length);
			}
		}
	});
});

describe('our own notices', () => {
	it('are recognised, with a key in either case', () => {
		for (const omission of OMISSIONS) {
			for (const key of [KEY, KEY.toUpperCase()]) {
				expect(recognise(noticeFor(omission, SHELL, key))).toBe(omission.kind);
				expect(recognise(noticeFor(omission, TOOL, key), { recovery: TOOL })).toBe(omission.kind);
			}
		}
	});

	it('for the shell count whoever recovers, those for a tool where it is declared now', () => {
		for (const recovery of [SHELL, TOOL, { kind: 'none' }] as const) {
			expect(recognise(noticeFor(OMISSIONS[0], SHELL, KEY), { recovery })).toBe('items');
		}

		expect(recognise(noticeFor(OMISSIONS[0], TOOL, KEY))).toBeUndefined();
		expect(
			recognise(noticeFor(OMISSIONS[0], { kind: 'tool', name: 'other' }, KEY), { recovery: TOOL }),
		).toBeUndefined();
		expect(recognise(noticeFor(OMISSIONS[0], TOOL, KEY), { recovery: { kind: 'none' } })).toBeUndefined();
	});

	it('of what is gone count where the run may make such', () => {
		const items = lossyNoticeFor({ kind: 'items', omitted: 3 });
		const subtree = lossyNoticeFor({ kind: 'subtree', type: 'object', depth: 12 });
		expect([recognise(items), recognise(subtree)]).toEqual([undefined, undefined]);
		expect([recognise(items, { isLossy: true }), recognise(subtree, { isLossy: true })]).toEqual([
			'items',
			'subtree',
		]);
		expect(recognise(noticeFor(OMISSIONS[1], SHELL, KEY), { isLossy: true })).toBe('records');
	});

	it('are recognised at the end of a text, however long', () => {
		const notice = noticeFor({ kind: 'text' }, SHELL, KEY);
		for (const length of [1, 100, 150, 200, 1000, 100_000]) {
			expect(recognise(`${'漢'.repeat(length)}${notice}`)).toBe('text');
		}
	});

	it('are recognised where only the end of a long string is at hand', () => {
		const lexeme = Buffer.from(
			JSON.stringify(`${'x'.repeat(5000)}${noticeFor({ kind: 'text' }, SHELL, KEY)}`),
		);
		const tail = lexeme.subarray(lexeme.length - 258);
		expect(noticeInLexeme(tail, 258 - lexeme.length, 258, { recovery: SHELL, isLossy: false })).toBe('text');
	});

	it('are recognised where a host has escaped the three dots', () => {
		const lexeme = Buffer.from(
			`"half${noticeFor({ kind: 'text' }, SHELL, KEY).replace('…', String.raw`\u2026`)}"`,
		);
		expect(noticeInLexeme(lexeme, 0, lexeme.length, { recovery: SHELL, isLossy: false })).toBe('text');
	});

	it.each([
		[
			'a key that is too short',
			`7 items omitted. If needed, run in shell: tokenless retrieve ${KEY.slice(1)}`,
		],
		['a key that is too long', `7 items omitted. If needed, run in shell: tokenless retrieve ${KEY}0`],
		['no key', '7 items omitted. If needed, run in shell: tokenless retrieve'],
		['more behind it', `7 items omitted. If needed, run in shell: tokenless retrieve ${KEY}.`],
		['more before it', `Note: 7 items omitted. If needed, run in shell: tokenless retrieve ${KEY}`],
		['a count we do not write', `007 items omitted. If needed, run in shell: tokenless retrieve ${KEY}`],
		[
			'a type that there is not',
			`list truncated at depth 9. If needed, run in shell: tokenless retrieve ${KEY}`,
		],
		['the instruction alone', `If needed, run in shell: tokenless retrieve ${KEY}`],
		['a marker', `<<tokenless:${KEY}>>`],
		['a bare key', KEY],
		['lines of a log', `12 passing-test lines omitted. If needed, run in shell: tokenless retrieve ${KEY}`],
	])('are not: %s', (_, text) => {
		expect(recognise(text)).toBeUndefined();
		expect(recognise(text, { isLossy: true })).toBeUndefined();
	});
});
