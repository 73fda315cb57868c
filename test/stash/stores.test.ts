/** What every store promises of payloads and generations, whichever store it is. */

import { describe, expect, test } from 'vitest';
import { MAX_GENERATION } from '../../lib/stash/limits.js';
import { keyOfEntry, largePayload, payloadOf, textOf } from './support/payloads.js';
import { openAt, stashOne, stores } from './support/stores.js';

describe.each(Object.entries(stores))('%s', (_, open) => {
	test('gives back what it was given, byte for byte', () => {
		const store = open();
		const bytes = Buffer.from([0, 255, 13, 10, 195, 40, 0]);
		const { key } = stashOne(store, payloadOf(bytes));
		const entry = store.retrieve(key);
		expect(entry).toMatchObject({ key, size: 7 });
		expect(keyOfEntry(entry)).toBe(key);
	});

	test.each([0, 1, 262_143, 262_144, 262_145, 524_288, 3_000_001])('keeps a payload of %i bytes', (size) => {
		const store = open();
		const payload = largePayload('size', size);
		stashOne(store, payload);
		expect(store.retrieve(payload.key)).toMatchObject({ size });
		expect(keyOfEntry(store.retrieve(payload.key))).toBe(payload.key);
	});

	test('keeps a payload whose chunks share one buffer', () => {
		const store = open();
		const buffer = Buffer.alloc(3);
		function* chunks() {
			for (const text of ['one', 'two', 'six']) {
				buffer.write(text);
				yield buffer;
			}
		}

		const { key } = stashOne(store, payloadOf('onetwosix', { chunks }));
		expect(textOf(store, key)).toBe('onetwosix');
	});

	test('a payload can be read more than once, by two readers in turns, and while the store is written', () => {
		const store = open();
		const payload = largePayload('twice', 700_000);
		stashOne(store, payload);
		const entry = store.retrieve(payload.key);
		if (typeof entry === 'string') {
			throw new Error(entry);
		}

		const first = entry.chunks()[Symbol.iterator]();
		const before = Buffer.from(first.next().value);
		stashOne(store, payloadOf('meanwhile'));
		expect(keyOfEntry(entry)).toBe(payload.key);
		const bytes = [before, ...Array.from({ [Symbol.iterator]: () => first }, (chunk) => Buffer.from(chunk))];
		expect(keyOfEntry({ ...entry, chunks: () => bytes })).toBe(payload.key);
	});

	test('does not know what it was never given', () => {
		expect(open().retrieve('0'.repeat(24))).toBe('unknown');
	});

	test('a call without payloads does nothing', () => {
		const store = open();
		expect(store.stash([])).toEqual([]);
		expect(store.count()).toBe(0);
	});

	test('numbers every write, and says what it created and what it refreshed', () => {
		const store = open();
		const [a, b] = [payloadOf('a'), payloadOf('b')];
		expect(store.stash([a, b])).toEqual([
			{ key: a.key, generation: 1n, created: true },
			{ key: b.key, generation: 2n, created: true },
		]);
		expect(store.stash([b])).toEqual([
			{ key: b.key, generation: 3n, created: false, previousGeneration: 2n },
		]);
		expect(store.count()).toBe(2);
	});

	test('a payload that comes twice in one call is written once and numbered twice', () => {
		const store = open();
		const payload = largePayload('same', 600_000);
		expect(store.stash([payload, payload])).toEqual([
			{ key: payload.key, generation: 1n, created: true },
			{ key: payload.key, generation: 2n, created: false, previousGeneration: 1n },
		]);
		expect(store.count()).toBe(1);
		expect(keyOfEntry(store.retrieve(payload.key))).toBe(payload.key);
	});

	test.each([
		['fewer', ['four']],
		['more', ['four', 'four', 'four']],
	])('a payload of %s bytes than announced is refused, and nothing changes', (_, texts) => {
		const store = open();
		const { key } = stashOne(store, payloadOf('kept'));
		const liar = payloadOf('fourfour', { chunks: () => texts.map((text) => Buffer.from(text)) });
		const honest = payloadOf('honest');
		expect(() => store.stash([honest, payloadOf('kept'), liar])).toThrow(
			expect.objectContaining({ kind: 'mismatch' }),
		);
		expect([key, honest.key, liar.key].map((each) => textOf(store, each))).toEqual([
			'kept',
			'(unknown)',
			'(unknown)',
		]);
		expect(stashOne(store, payloadOf('kept'))).toEqual({
			key,
			generation: 2n,
			created: false,
			previousGeneration: 1n,
		});
	});

	test('two payloads that claim one key for different sizes are refused', () => {
		const store = open();
		const payload = payloadOf('four');
		expect(() => store.stash([payload, { ...payload, size: 5 }])).toThrow(
			expect.objectContaining({ kind: 'mismatch' }),
		);
		expect(store.count()).toBe(0);
	});

	test('a payload that cannot be read fails the call in its own words, and nothing changes', () => {
		const store = open();
		const broken = payloadOf('broken', {
			chunks() {
				throw new RangeError('the source is gone');
			},
		});
		expect(() => store.stash([payloadOf('good'), broken])).toThrow(new RangeError('the source is gone'));
		expect(store.count()).toBe(0);
		expect(stashOne(store, payloadOf('good')).generation).toBe(1n);
	});

	test('a live entry of the same key and another size is replaced', () => {
		const store = open();
		const { key } = stashOne(store, payloadOf('the wrong bytes', { key: payloadOf('right').key }));
		expect(stashOne(store, payloadOf('right'))).toEqual({
			key,
			generation: 2n,
			created: false,
			previousGeneration: 1n,
		});
		expect(textOf(store, key)).toBe('right');
		expect(store.count()).toBe(1);
	});

	test('an entry is deleted at its own generation only', () => {
		const store = open();
		const { key, generation } = stashOne(store, payloadOf('contested'));
		const refreshed = stashOne(store, payloadOf('contested'));
		expect(store.deleteAtGeneration(key, generation)).toBe(false);
		expect(textOf(store, key)).toBe('contested');
		expect(store.deleteAtGeneration(key, refreshed.generation)).toBe(true);
		expect(store.deleteAtGeneration(key, refreshed.generation)).toBe(false);
		expect(store.retrieve(key)).toBe('unknown');
	});

	test('no generation is given twice, whatever becomes of the entries', () => {
		const { clock, store } = openAt(open, 0, { timeToLive: 500, maxEntries: 2 });
		const { key, generation } = stashOne(store, payloadOf('a'));
		store.deleteAtGeneration(key, generation);
		expect(stashOne(store, payloadOf('a')).generation).toBe(2n);
		clock.now = 501;
		store.evictExpired();
		expect(store.count()).toBe(0);
		expect(stashOne(store, payloadOf('a')).generation).toBe(3n);
		store.stash([payloadOf('b'), payloadOf('c')]);
		expect(stashOne(store, payloadOf('a'))).toMatchObject({ generation: 6n, created: true });
	});

	test('the last generation of the range can be given, and then a write fails without a change', () => {
		const store = open({ lastGeneration: MAX_GENERATION - 2n });
		const [a, b, c] = ['a', 'b', 'c'].map((text) => payloadOf(text));
		expect(() => store.stash([a, b, c])).toThrow(expect.objectContaining({ kind: 'exhausted' }));
		expect(store.count()).toBe(0);
		expect(store.stash([a, b]).map(({ generation }) => generation)).toEqual([
			MAX_GENERATION - 1n,
			MAX_GENERATION,
		]);
		expect(() => store.stash([a])).toThrow(expect.objectContaining({ kind: 'exhausted' }));
		expect(textOf(store, a.key)).toBe('a');
		expect(store.deleteAtGeneration(b.key, MAX_GENERATION)).toBe(true);
	});

	test('a closed store says so', () => {
		const store = open();
		const { key, generation } = stashOne(store, payloadOf('a'));
		store.close();
		store.close();
		const closed = expect.objectContaining({ kind: 'closed' });
		expect(() => store.stash([payloadOf('b')])).toThrow(closed);
		expect(() => store.retrieve(key)).toThrow(closed);
		expect(() => store.deleteAtGeneration(key, generation)).toThrow(closed);
		expect(() => store.evictExpired()).toThrow(closed);
		expect(() => store.count()).toThrow(closed);
	});
});
