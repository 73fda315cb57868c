/** Picks lines out of bytes that come in chunks. */

import type { LineRange } from './commands.js';

const NEWLINE = 0x0a;

/**
 * The bytes of the lines in the range, newlines included, as views of the chunks they came in. A last line without a
 * newline counts as one.
 */
export function* selectLines(
	chunks: Iterable<Uint8Array>,
	{ first, last }: LineRange,
): Generator<Uint8Array, void> {
	let line = 1;
	for (const chunk of chunks) {
		let position = 0;
		while (line < first && position < chunk.length) {
			position = endOfLine(chunk, position);
			line += chunk[position - 1] === NEWLINE ? 1 : 0;
		}

		const start = position;
		if (last === Number.POSITIVE_INFINITY) {
			position = chunk.length;
		}

		while (line <= last && position < chunk.length) {
			position = endOfLine(chunk, position);
			line += chunk[position - 1] === NEWLINE ? 1 : 0;
		}

		if (position > start) {
			yield chunk.subarray(start, position);
		}

		if (line > last) {
			return;
		}
	}
}

/** Where the line ends, its newline included, as far as the chunk goes. */
function endOfLine(chunk: Uint8Array, position: number): number {
	const newline = chunk.indexOf(NEWLINE, position);
	return newline === -1 ? chunk.length : newline + 1;
}
