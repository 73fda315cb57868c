/** How long and how much every store keeps, and what goes first. */

import { describe, expect, test } from 'vitest';
import { MEMORY_LIMITS, SQLITE_LIMITS } from '../../lib/stash/limits.js';
import { payloadOf, textOf } from './support/payloads.js';
import { openAt, stashOne, stores } from './support/stores.js';

test('the limits are those of the documentation', () => {
	expect(stores.MemoryStash().limits).toEqual({
		timeToLive: 5 * 60_000,
		maxEntries: 1000,
		maxBytes: 64 * 2 ** 20,
	});
	expect(stores.SqliteStash().limits).toEqual({
		timeToLive: 3_600_000,
		maxEntries: 10_000,
		maxBytes: 2 ** 30,
	});
	expect(MEMORY_LIMITS).toEqual(stores.MemoryStash().limits);
	expect(SQLITE_LIMITS).toEqual(stores.SqliteStash().limits);
});

describe.each(Object.entries(stores))('%s', (_, open) => {
	test('an entry lives up to the last millisecond of its time, then it has expired, and later it is forgotten', () => {
		const { clock, store } = openAt(open, 1_000_000, { timeToLive: 500 });
		const { key } = stashOne(store, payloadOf('mortal'));
		clock.now += 500;
		expect(textOf(store, key)).toBe('mortal');
		expect(store.count()).toBe(1);
		clock.now += 1;
		expect(store.retrieve(key)).toBe('expired');
		expect(store.count()).toBe(0);
		clock.now += 499;
		stashOne(store, payloadOf('later'));
		expect(store.retrieve(key)).toBe('expired');
		clock.now += 1;
		stashOne(store, payloadOf('much later'));
		expect(store.retrieve(key)).toBe('unknown');
	});

	test('a refresh begins a new life', () => {
		const { clock, store } = openAt(open, 0, { timeToLive: 500 });
		const { key } = stashOne(store, payloadOf('again'));
		clock.now = 400;
		stashOne(store, payloadOf('again'));
		clock.now = 900;
		expect(textOf(store, key)).toBe('again');
	});

	test('what comes again after it expired is created, not refreshed', () => {
		const { clock, store } = openAt(open, 0, { timeToLive: 500 });
		const { key } = stashOne(store, payloadOf('again'));
		clock.now = 501;
		expect(stashOne(store, payloadOf('again'))).toEqual({ key, generation: 2n, created: true });
		expect(textOf(store, key)).toBe('again');
	});

	test('expired entries can be removed at any time, and are counted', () => {
		const { clock, store } = openAt(open, 0, { timeToLive: 500 });
		const [{ key }] = store.stash([payloadOf('a'), payloadOf('b')]);
		clock.now = 300;
		stashOne(store, payloadOf('c'));
		clock.now = 501;
		expect(store.evictExpired()).toBe(2);
		expect(store.evictExpired()).toBe(0);
		expect(store.retrieve(key)).toBe('unknown');
		expect(store.count()).toBe(1);
	});

	test('too many entries: the oldest go, and a refreshed one is not old', () => {
		const store = open({ limits: { maxEntries: 3 } });
		const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => payloadOf(text));
		store.stash([a, b, c]);
		store.stash([a]);
		store.stash([d]);
		expect([a, b, c, d].map(({ key }) => textOf(store, key))).toEqual(['a', '(unknown)', 'c', 'd']);
	});

	test('too many bytes: the oldest go, no more than needed', () => {
		const store = open({ limits: { maxBytes: 10 } });
		const [a, b, c, d] = ['aaaa', 'bb', 'ccc', 'ddd'].map((text) => payloadOf(text));
		store.stash([a, b, c]);
		store.stash([d]);
		expect([a, b, c, d].map(({ key }) => textOf(store, key))).toEqual(['(unknown)', 'bb', 'ccc', 'ddd']);
	});

	test('the expired go before the oldest', () => {
		const { clock, store } = openAt(open, 100, { timeToLive: 500, maxEntries: 2 });
		const [a, b, c] = ['a', 'b', 'c'].map((text) => payloadOf(text));
		store.stash([a]);
		// A clock that was put back lets the younger one expire first.
		clock.now = 0;
		store.stash([b]);
		clock.now = 501;
		store.stash([c]);
		expect([a, b, c].map(({ key }) => textOf(store, key))).toEqual(['a', '(unknown)', 'c']);
	});

	test('a call never evicts what it wrote or refreshed itself', () => {
		const store = open({ limits: { maxEntries: 3, maxBytes: 9 } });
		const [a, b, c, d] = ['aaa', 'bbb', 'ccc', 'ddd'].map((text) => payloadOf(text));
		store.stash([a, b, c]);
		store.stash([a, b, d]);
		expect([a, b, c, d].map(({ key }) => textOf(store, key))).toEqual(['aaa', 'bbb', '(unknown)', 'ddd']);
	});

	test.each([
		['entries', { maxEntries: 2 }],
		['bytes', { maxBytes: 5 }],
	])('payloads that exceed the limit of %s by themselves are refused, and nothing changes', (_, limits) => {
		const store = open({ limits });
		const { key } = stashOne(store, payloadOf('kept'));
		const tooMuch = ['xxx', 'yyy', 'zzz'].map((text) => payloadOf(text));
		expect(() => store.stash(tooMuch)).toThrow(expect.objectContaining({ kind: 'too-large' }));
		expect(textOf(store, key)).toBe('kept');
		expect(store.count()).toBe(1);
		expect(stashOne(store, payloadOf('next')).generation).toBe(2n);
	});

	test('a payload that repeats counts once against the limits', () => {
		const store = open({ limits: { maxEntries: 1, maxBytes: 4 } });
		expect(store.stash([payloadOf('same'), payloadOf('same')])).toHaveLength(2);
	});
});
