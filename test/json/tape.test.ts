/** The tape: small values side by side, as JSON.parse sees them, and never half a value. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARRAY, FALSE, NULL, NUMBER, OBJECT, STRING, TRUE } from '../../lib/json/kinds.js';
import { kindOf, STRETCH, Tape } from '../../lib/json/tape.js';
import { memorySource } from '../../lib/source/memory.js';
import { deep, plainArray, recordArray, small } from '../compress/json/support/arbitraries.js';
import { type Node, parse } from '../compress/json/support/parse.js';

function bytesOf({ bytes }: Tape): Buffer {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** A value on the tape as a tree of lexemes, with every column looked at. */
function treeOf(tape: Tape, node: number, depth: number, parent: number): Node {
	const bytes = bytesOf(tape);
	const kind = kindOf(bytes[tape.start[node]]);
	if (tape.depth[node] !== depth || tape.parent[node] !== parent || tape.kind[node] !== kind) {
		expect.fail(`value ${node}: ${tape.depth[node]}, ${tape.parent[node]}, ${tape.kind[node]}`);
	}

	const lexeme = bytes.toString('utf8', tape.start[node], tape.end[node]);
	const children: number[] = [];
	for (let child = node + 1; child < tape.next[node]; child = tape.next[child]) {
		children.push(child);
	}

	switch (tape.kind[node]) {
		case ARRAY: {
			expect(tape.items[node]).toBe(children.length);
			return { type: 'array', items: children.map((child) => treeOf(tape, child, depth + 1, node)) };
		}

		case OBJECT: {
			expect(tape.items[node]).toBe(children.length);
			return {
				type: 'object',
				members: children.map((child) => [
					bytes.toString('utf8', tape.keyStart[child], tape.keyEnd[child]),
					treeOf(tape, child, depth + 1, node),
				]),
			};
		}

		default: {
			return { type: tape.kind[node] === STRING ? 'string' : 'scalar', lexeme };
		}
	}
}

/** The values at the top of the tape, and their keys. */
function topOf(tape: Tape, depth: number): [string | undefined, Node][] {
	const values: [string | undefined, Node][] = [];
	for (let node = 0; node < tape.length; node = tape.next[node]) {
		const key =
			tape.keyStart[node] < 0
				? undefined
				: bytesOf(tape).toString('utf8', tape.keyStart[node], tape.keyEnd[node]);
		values.push([key, treeOf(tape, node, depth, -1)]);
	}

	return values;
}

/** Reads the content of a container stretch by stretch. @returns its values, and where one did not fit. */
function readAll(
	text: string,
	areMembers: boolean,
	stretch = STRETCH,
): { values: [string | undefined, Node][]; stuck: number } {
	const bytes = Buffer.from(text);
	const source = memorySource(bytes);
	const tape = new Tape();
	const values: [string | undefined, Node][] = [];
	const limit = bytes.length - 1;
	for (let position = 1; position < limit; ) {
		const next = tape.load(source, position, limit, 1, areMembers, 1000, stretch);
		values.push(...topOf(tape, 1));
		if (next === position) {
			return { values, stuck: position };
		}

		expect(next).toBeGreaterThan(position);
		position = next;
	}

	return { values, stuck: -1 };
}

describe('Tape', () => {
	it('holds a document as it was written', () => {
		const tape = new Tape();
		fc.assert(
			fc.property(fc.oneof(small, plainArray, recordArray, deep), fc.nat(5), (text, shift) => {
				const bytes = Buffer.from(`${' '.repeat(shift)}${text}`);
				const limit = bytes.length;
				fc.pre(limit <= STRETCH);
				expect(tape.load(memorySource(bytes), shift, limit, 0, false, 1000)).toBe(limit);
				expect(tape.origin).toBe(shift);
				expect(topOf(tape, 0)).toEqual([[undefined, parse(text)]]);
			}),
			{ numRuns: 150 },
		);
	});

	it('takes a container in stretches, whole values at a time', () => {
		fc.assert(
			fc.property(fc.oneof(plainArray, recordArray), fc.integer({ min: 50, max: 3000 }), (text, stretch) => {
				const document = parse(text);
				const items = document.type === 'array' ? document.items : [];
				const { values, stuck } = readAll(text, false, stretch);
				expect(values).toEqual(items.slice(0, values.length).map((item) => [undefined, item]));
				expect(values.length === items.length).toBe(stuck < 0);
				if (stuck >= 0) {
					// Only a value that is longer than a stretch stops it.
					const length = Buffer.from(text).length - stuck;
					expect(length).toBeGreaterThan(stretch);
				}
			}),
			{ numRuns: 100 },
		);
	});

	it('takes members with their keys', () => {
		const members = Array.from(
			{ length: 9000 },
			(_, index) => `"key ${index}\\"" : ${index % 2 ? `[${index}]` : '"x"'}`,
		);
		const { values, stuck } = readAll(`{${members.join(' , ')}}`, true);
		expect(stuck).toBe(-1);
		expect(values).toHaveLength(9000);
		expect(values[8999]).toEqual(['"key 8999\\""', parse('[8999]')]);
	});

	it('stops before a value that does not fit', () => {
		const big = `"${'x'.repeat(STRETCH)}"`;
		expect(readAll(`[1,2, ${big},3]`, false)).toMatchObject({ values: { length: 2 }, stuck: 6 });
		expect(readAll(`{"a":1,"b":${big}}`, true)).toMatchObject({ values: { length: 1 }, stuck: 7 });
		expect(readAll(`{"a":1,${big}:1}`, true)).toMatchObject({ values: { length: 1 }, stuck: 7 });
	});

	it('goes on behind white space that is longer than a stretch', () => {
		const gap = ' \n'.repeat(STRETCH);
		const { values, stuck } = readAll(`[1${gap},${gap}"two"${gap}]`, false);
		expect(stuck).toBe(-1);
		expect(values.map(([, value]) => value)).toEqual(
			parse('[1,"two"]').type === 'array' ? [parse('1'), parse('"two"')] : [],
		);
	});

	it('does not take the start of a number for the number', () => {
		const text = `[${'1234567 ,'.repeat(8000)}89]`;
		for (const stretch of [STRETCH, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008]) {
			const { values } = readAll(text, false, stretch);
			expect(values).toHaveLength(8001);
			expect(new Set(values.map(([, value]) => (value.type === 'scalar' ? value.lexeme : '')))).toEqual(
				new Set(['1234567', '89']),
			);
		}
	});

	it('leaves unread what lies too deep', () => {
		const bytes = Buffer.from('[[["]",{"}":[1]}]],[2]]');
		const tape = new Tape();
		expect(tape.load(memorySource(bytes), 0, bytes.length, 0, false, 1)).toBe(bytes.length);
		const deepest = 2;
		expect(tape.items[deepest]).toBe(-1);
		expect(tape.next[deepest]).toBe(3);
		expect(bytes.toString('utf8', tape.start[deepest], tape.end[deepest])).toBe('["]",{"}":[1]}]');
		expect(tape.items[0]).toBe(2);
	});

	it('knows the kind of a value by its first byte', () => {
		const kinds = {
			null: NULL,
			true: TRUE,
			false: FALSE,
			'-1': NUMBER,
			'0': NUMBER,
			'""': STRING,
			'[]': ARRAY,
			'{}': OBJECT,
		};
		for (const [text, kind] of Object.entries(kinds)) {
			expect(kindOf(text.charCodeAt(0)), text).toBe(kind);
		}
	});
});
