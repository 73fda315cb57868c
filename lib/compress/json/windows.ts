/** What a reduction leaves out, as byte ranges of the source, and the payload that each stands for. */

import { Compactor } from '../../json/compact.js';
import { TextDecoder8 } from '../../json/text.js';
import type { Source } from '../../source/types.js';

/**
 * A stretch of the source between two absolute offsets.
 * `records`, `subtree`: one value. `items`: neighbours in an array. `text`: one string. `lines`: JSON Lines.
 */
export interface Window {
	readonly kind: 'records' | 'subtree' | 'items' | 'text' | 'lines';
	readonly start: number;
	readonly end: number;

	/** Whether the payload is the range as it stands. */
	readonly isCompact: boolean;
}

const BLOCK = 128 * 1024;
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/**
 * The payload of a window: lexemes without white space between them; of a text, the text itself; of items, an
 * array of them. A chunk is valid until the next one is asked for.
 */
export function* payloadOf(window: Window, source: Source): Generator<Uint8Array> {
	switch (window.kind) {
		case 'items': {
			yield OPEN;
			yield* compacted(window, source, new Compactor());
			yield CLOSE;
			break;
		}

		case 'text': {
			yield* decoded(window, source);
			break;
		}

		default: {
			yield* window.isCompact
				? ranges(source, window.start, window.end)
				: compacted(window, source, new Compactor(window.kind === 'lines'));
		}
	}
}

/** The bytes between two absolute offsets as they stand. */
function* ranges(source: Source, start: number, end: number): Generator<Uint8Array> {
	const block = new Uint8Array(Math.min(BLOCK, end - start));
	for (let position = start; position < end; ) {
		const length = source.read(block, 0, Math.min(block.length, end - position), position);
		yield block.subarray(0, length);
		position += length;
	}
}

function* compacted(window: Window, source: Source, compactor: Compactor): Generator<Uint8Array> {
	const target = new Uint8Array(BLOCK + 1);
	for (const bytes of ranges(source, window.start, window.end)) {
		yield target.subarray(0, compactor.write(bytes, 0, bytes.length, target, 0));
	}
}

function* decoded(window: Window, source: Source): Generator<Uint8Array> {
	const decoder = new TextDecoder8();
	const target = new Uint8Array(BLOCK + 4);
	for (const bytes of ranges(source, window.start + 1, window.end - 1)) {
		yield target.subarray(0, decoder.write(bytes, 0, bytes.length, target, 0));
	}
}
