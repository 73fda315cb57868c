/** Both stores against a plain model, over any sequence of calls, steps of the clock and reopenings. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStash } from '../../lib/stash/memory.js';
import { SqliteStash } from '../../lib/stash/sqlite/store.js';
import type { StashStore } from '../../lib/stash/types.js';
import { payloadOf, textOf } from '../stash/support/payloads.js';

const limits = { timeToLive: 100, maxEntries: 4, maxBytes: 100 };
const payloads = [
	'',
	'b',
	'cc'.repeat(5),
	'ddd'.repeat(10),
	'eee'.repeat(13),
	'f'.repeat(60),
	'g'.repeat(100),
	'h'.repeat(101),
].map((text) => ({ text, ...payloadOf(text) }));

interface ModelEntry {
	readonly text: string;
	readonly generation: bigint;
	readonly expires: number;
}

/** What the contract says, in as few words as possible: a queue of entries, oldest first. */
class Model {
	queue: ModelEntry[] = [];
	last = 0n;

	stash(texts: readonly string[], now: number): object[] | 'too-large' {
		const own = new Set(texts);
		if (own.size > limits.maxEntries || lengthOf([...own]) > limits.maxBytes) {
			return 'too-large';
		}

		this.queue = this.queue.filter(({ expires }) => expires >= now - limits.timeToLive);
		const writes = texts.map((text) => {
			const known = this.queue.find((entry) => entry.text === text && entry.expires >= now);
			const generation = ++this.last;
			this.queue = this.queue.filter((entry) => entry.text !== text);
			this.queue.push({ text, generation, expires: now + limits.timeToLive });
			return known === undefined
				? { generation, created: true }
				: { generation, created: false, previousGeneration: known.generation };
		});

		while (
			this.queue.length > limits.maxEntries ||
			lengthOf(this.queue.map(({ text }) => text)) > limits.maxBytes
		) {
			const others = this.queue.filter(({ text }) => !own.has(text));
			const victim = others.find(({ expires }) => expires < now) ?? others[0];
			this.queue.splice(this.queue.indexOf(victim), 1);
		}

		return writes;
	}

	delete(text: string, generation: bigint): boolean {
		const index = this.queue.findIndex((entry) => entry.text === text && entry.generation === generation);
		return index >= 0 && this.queue.splice(index, 1).length > 0;
	}

	evictExpired(now: number): number {
		const before = this.queue.length;
		this.queue = this.queue.filter(({ expires }) => expires >= now);
		return before - this.queue.length;
	}

	read(text: string, now: number): string {
		const entry = this.queue.find((each) => each.text === text);
		return entry === undefined ? '(unknown)' : entry.expires < now ? '(expired)' : text;
	}
}

function lengthOf(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + text.length, 0);
}

type Step =
	| { readonly do: 'stash'; readonly which: readonly number[] }
	| { readonly do: 'wait'; readonly time: number }
	| { readonly do: 'delete'; readonly which: number; readonly age: number }
	| { readonly do: 'evict' }
	| { readonly do: 'reopen' };

const index = fc.nat(payloads.length - 1);
const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		{
			weight: 6,
			arbitrary: fc.record({ do: fc.constant('stash' as const), which: fc.array(index, { maxLength: 6 }) }),
		},
		// A clock may be put back, too.
		{
			weight: 3,
			arbitrary: fc.record({ do: fc.constant('wait' as const), time: fc.integer({ min: -40, max: 160 }) }),
		},
		{ weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), which: index, age: fc.nat(2) }) },
		{ weight: 1, arbitrary: fc.constant({ do: 'evict' as const }) },
		{ weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
	),
	{ maxLength: 25 },
);

/** Takes all steps with the store and with the model, and compares all there is to see after each one. */
function compare(
	sequence: readonly Step[],
	open: (now: () => number, before?: StashStore) => StashStore,
): void {
	const model = new Model();
	const clock = { now: 1_000_000 };
	const now = () => clock.now;
	let store = open(now);
	try {
		for (const step of sequence) {
			switch (step.do) {
				case 'stash': {
					const chosen = step.which.map((each) => payloads[each]);
					const expected = model.stash(
						chosen.map(({ text }) => text),
						clock.now,
					);
					if (expected === 'too-large') {
						expect(() => store.stash(chosen)).toThrow(expect.objectContaining({ kind: 'too-large' }));
					} else {
						expect(store.stash(chosen)).toEqual(
							expected.map((write, each) => ({ key: chosen[each].key, ...write })),
						);
					}

					break;
				}

				case 'wait':
					clock.now += step.time;
					break;
				case 'delete': {
					const { text, key } = payloads[step.which];
					const current = model.queue.find((entry) => entry.text === text)?.generation ?? model.last;
					const generation = current - BigInt(step.age);
					expect(store.deleteAtGeneration(key, generation)).toBe(model.delete(text, generation));
					break;
				}

				case 'evict':
					expect(store.evictExpired()).toBe(model.evictExpired(clock.now));
					break;
				case 'reopen':
					store = open(now, store);
					break;
			}

			expect(payloads.map(({ key }) => textOf(store, key))).toEqual(
				payloads.map(({ text }) => model.read(text, clock.now)),
			);
			expect(store.count()).toBe(model.queue.filter(({ expires }) => expires >= clock.now).length);
		}
	} finally {
		store.close();
	}
}

test('MemoryStash does what the model does', () => {
	fc.assert(
		fc.property(steps, (sequence) =>
			compare(sequence, (now, before) => before ?? new MemoryStash({ limits, now })),
		),
	);
});

test('SqliteStash does what the model does, reopened at any time', () => {
	fc.assert(
		fc.property(steps, (sequence) => {
			const directory = mkdtempSync(join(tmpdir(), 'stash-model-'));
			try {
				compare(sequence, (now, before) => {
					before?.close();
					return new SqliteStash(join(directory, 'stash.db'), { limits, now });
				});
			} finally {
				rmSync(directory, { recursive: true });
			}
		}),
	);
});
