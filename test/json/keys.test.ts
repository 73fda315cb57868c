/** Keys: whatever was met before, a key has the hashes of its own bytes. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText, joinHash } from '../../lib/json/hash.js';
import { KeyTable } from '../../lib/json/keys.js';
import { tokenize } from './events.js';

function take(table: KeyTable, name: string): number {
	const lexeme = Buffer.from(`"${name}":`);
	expect(table.take(lexeme, 0, lexeme.length)).toBe(lexeme.length - 1);
	return joinHash(table.low, table.high);
}

/** The hashes of all keys of a document, and those that they should have. */
function hashesOf(text: string): { told: unknown[]; due: unknown[] } {
	const bytes = Buffer.from(text);
	const keys = tokenize(bytes).events.filter(([kind]) => kind === 'key');
	return {
		told: keys.map(([, , , hash]) => hash),
		due: keys.map(([, start, end]) => hashText(bytes.subarray((start as number) + 1, (end as number) - 1))),
	};
}

describe('a key', () => {
	it('that comes as expected is told from one that only begins or ends like it', () => {
		const table = new KeyTable();
		for (const names of [
			['id', 'name'],
			['id', 'name'],
			['id', 'names'],
			['id', 'nam'],
			['ie', 'name'],
			['', 'id'],
		]) {
			table.open(0);
			expect(names.map((name) => take(table, name))).toEqual(
				names.map((name) => hashText(Buffer.from(name))),
			);
			table.close(0);
		}
	});

	it('is not taken where it is not plain, or does not end before the limit', () => {
		const table = new KeyTable();
		take(table, 'plain');
		for (const [lexeme, to] of [
			['"plain', 6],
			['"plain":', 5],
			['"plain":', 6],
			[String.raw`"pl\u0061in":`, 13],
			['"pläin":', 9],
			['"pl\u0001in":', 8],
		] as const) {
			expect(table.take(Buffer.from(lexeme), 0, to)).toBe(0);
		}
	});

	it('is told from thousands of others, and from those that share its place in the table', () => {
		const names = Array.from({ length: 5000 }, (_, index) => `key ${index % 3000}`);
		const text = `[${names.map((name) => `{"${name}":1,"${'x'.repeat(70)}":{"${name}":2}}`).join()}]`;
		const { told, due } = hashesOf(text);
		expect(told).toHaveLength(15_000);
		expect(told).toEqual(due);
	});

	it('has its hashes although another document is read at the same time', () => {
		const [one, other] = [new KeyTable(), new KeyTable()];
		for (let turn = 0; turn < 3; turn++) {
			for (const [a, b] of [
				['id', 'key'],
				['name', 'id'],
				['size', 'name'],
			]) {
				expect(take(one, a)).toBe(hashText(Buffer.from(a)));
				expect(take(other, b)).toBe(hashText(Buffer.from(b)));
			}
		}
	});

	it('has the hashes of its bytes in any document', () => {
		const value = fc.letrec((tie) => ({
			object: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ab', 'é', '', 'a b'), tie('any')), {
				maxLength: 5,
			}),
			any: fc.oneof({ depthSize: 'small' }, fc.constant(null), tie('object')),
		}));
		const write = (node: unknown): string =>
			Array.isArray(node)
				? `{${node.map(([key, inner]) => `"${key}":${write(inner)}`).join()}}`
				: String(node);
		let keys = 0;
		fc.assert(
			fc.property(fc.array(value.object, { minLength: 1, maxLength: 6 }), (objects) => {
				const { told, due } = hashesOf(`[${objects.map(write).join()}]`);
				keys += told.length;
				expect(told).toEqual(due);
			}),
		);
		expect(keys).toBeGreaterThan(500);
	});
});
