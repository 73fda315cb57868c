/** Where a string may be cut: after how many bytes of its lexeme a number of characters of its text is over. */

import type { Tape } from '../../json/tape.js';
import { ScalarCount } from '../../json/text.js';
import type { Source } from '../../source/types.js';
import type { Value } from './walk.js';

const BLOCK = 64 * 1024;

/** Counts the text of a string, and finds the place after `target` Unicode scalar values of it. */
export function measureText(source: Source, tape: Tape, value: Value, target: number): ScalarCount {
	const count = new ScalarCount(target);
	if (typeof value === 'number') {
		count.write(tape.bytes, tape.start[value] + 1, tape.end[value] - 1);
		count.end();
		return count;
	}

	// The scan has counted a large string; only the place is missing.
	const block = new Uint8Array(BLOCK);
	for (let position = value.start + 1; position < value.end - 1 && count.cut < 0; ) {
		const length = source.read(block, 0, Math.min(BLOCK, value.end - 1 - position), position);
		count.write(block, 0, length);
		position += length;
	}

	count.scalars = value.scalars;
	count.loneSurrogate = value.loneSurrogate;
	return count;
}
