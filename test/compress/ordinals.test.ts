/** Sets of record numbers, against Set. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrdinalSet } from '../../lib/compress/ordinals.js';

function setOf(members: Iterable<number>): OrdinalSet {
	const set = new OrdinalSet();
	for (const member of members) {
		set.add(member);
	}

	return set;
}

function membersOf(set: OrdinalSet): number[] {
	const members: number[] = [];
	for (let member = set.next(0); member >= 0; member = set.next(member + 1)) {
		members.push(member);
	}

	return members;
}

const ordinal = fc.oneof(fc.nat(100), fc.integer({ min: 65_500, max: 65_600 }), fc.nat(3_000_000));

describe('OrdinalSet', () => {
	it('holds what was added, once, in order', () => {
		fc.assert(
			fc.property(fc.array(ordinal), fc.array(ordinal), (members, others) => {
				const model = new Set(members);
				const set = setOf(members);
				expect(set.size).toBe(model.size);
				expect(membersOf(set)).toEqual([...model].sort((a, b) => a - b));
				for (const other of others) {
					expect(set.has(other)).toBe(model.has(other));
					const following = [...model].filter((member) => member >= other);
					expect(set.next(other)).toBe(following.length === 0 ? -1 : Math.min(...following));
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('takes in another set', () => {
		fc.assert(
			fc.property(fc.array(ordinal), fc.array(ordinal), (members, others) => {
				const set = setOf(members);
				set.addAll(setOf(others));
				expect(membersOf(set)).toEqual([...new Set([...members, ...others])].sort((a, b) => a - b));
				expect(set.size).toBe(new Set([...members, ...others]).size);
			}),
			{ numRuns: 100 },
		);
	});

	it('is empty at first', () => {
		expect(new OrdinalSet()).toMatchObject({ size: 0 });
		expect(new OrdinalSet().next(0)).toBe(-1);
		expect(new OrdinalSet().has(5)).toBe(false);
	});
});
