/** The thread of `key-ahead.ts`: hashes a stretch of an open file and tells its key. */

import { parentPort, workerData } from 'node:worker_threads';
import { readDescriptor } from '../source/descriptor.js';
import type { Stretch } from './key-ahead.js';
import { createKeyHasher } from './keys.js';

const BLOCK = 128 * 1024;

/** @throws {Error} which its starter hears of, where the stretch cannot be read to its end. */
async function keyOf({ descriptor, start, end }: Stretch): Promise<string> {
	const hasher = await createKeyHasher();
	const block = Buffer.allocUnsafeSlow(BLOCK);
	hasher.start();
	for (let position = start; position < end; ) {
		const length = readDescriptor(descriptor, block, 0, Math.min(BLOCK, end - position), position);
		if (length === 0) {
			throw new RangeError('the file ends before the stretch does');
		}

		hasher.update(block.subarray(0, length));
		position += length;
	}

	return hasher.finish();
}

void keyOf(workerData as Stretch).then((key) => parentPort?.postMessage(key));
