/** The key of a payload. */

import { expect, test } from 'vitest';
import { createKeyHasher, payloadKey } from '../../lib/stash/keys.js';

function numbers(first: number, last: number): Buffer {
	return Buffer.from(JSON.stringify(Array.from({ length: last - first + 1 }, (_, index) => first + index)));
}

test('the key is the one that was promised for known bytes', async () => {
	await expect(payloadKey(numbers(6, 200))).resolves.toBe('c30ccf5ed1125e0ed871ba8e');
	await expect(payloadKey(numbers(5, 191))).resolves.toBe('de82e8c6da22d8baa539f067');
});

test('no bytes have a key too', async () => {
	await expect(payloadKey(Buffer.alloc(0))).resolves.toBe('af1349b9f5f9a1a6a0404dea');
});

test('the key depends on the bytes, not on where they are cut', async () => {
	const bytes = Buffer.alloc(300_000, 'some text, ');
	const hasher = await createKeyHasher();
	for (const length of [1, 63, 1024, 16_385, 299_999]) {
		hasher.start();
		for (let from = 0; from < bytes.length; from += Math.max(length, 1000)) {
			const piece = bytes.subarray(from, from + Math.max(length, 1000));
			hasher.update(piece.subarray(0, length));
			hasher.update(piece.subarray(length));
		}

		expect(hasher.finish()).toBe(hasher.keyOf([bytes]));
	}
});

test('a payload that was begun and not finished leaves no trace in the next one', async () => {
	const hasher = await createKeyHasher();
	hasher.start();
	hasher.update(Buffer.from('forgotten'));
	expect(hasher.keyOf([numbers(6, 200)])).toBe('c30ccf5ed1125e0ed871ba8e');
});
