/** Records what a tokenizer says, and everything it knows at that moment. */

import { JsonSyntaxError } from '../../lib/json/errors.js';
import { joinHash } from '../../lib/json/hash.js';
import { NUMBER, type Scalar, STRING } from '../../lib/json/kinds.js';
import * as run from '../../lib/json/member-run.js';
import { Tokenizer } from '../../lib/json/tokenizer.js';

export type Event = readonly unknown[];

export interface Reading {
	readonly events: Event[];
	readonly error: JsonSyntaxError | undefined;
	readonly tokenizer: Tokenizer;
}

/** @param chunk bytes given at a time. */
export function tokenize(bytes: Uint8Array, { chunk = Infinity, allowSequence = false } = {}): Reading {
	const events: Event[] = [];
	const known = (start: number, end: number): Event => {
		// Some strings the tokenizer leaves to the reader to count.
		const text = bytes.subarray(start + 1, end - 1);
		const scalars = tokenizer.scalars < 0 ? [...Buffer.from(text).toString()].length : tokenizer.scalars;
		return [scalars, tokenizer.escaped, tokenizer.loneSurrogate];
	};
	const key = (start: number, end: number, low: number, high: number): void => {
		events.push(['key', start, end, joinHash(low, high), ...known(start, end)]);
	};
	const scalar = (kind: Scalar, start: number, end: number): void => {
		if (kind === STRING) {
			events.push(['string', start, end, ...known(start, end)]);
		} else {
			events.push(kind === NUMBER ? ['number', start, end] : ['literal', start, end, kind]);
		}
	};
	const tokenizer: Tokenizer = new Tokenizer(
		{
			openObject: (start) => events.push(['{', start, tokenizer.depth]),
			closeObject: (end) => events.push(['}', end, tokenizer.depth]),
			openArray: (start) => events.push(['[', start, tokenizer.depth]),
			closeArray: (end) => events.push([']', end, tokenizer.depth]),
			key: (start, end) => key(start, end, tokenizer.keys.low, tokenizer.keys.high),
			scalar,
			members(length, base) {
				for (let index = 0; index < length; index++) {
					key(base + run.keyStart[index], base + run.keyEnd[index], run.low[index], run.high[index]);
					scalar(run.kind[index] as Scalar, base + run.start[index], base + run.end[index]);
				}
			},
		},
		allowSequence,
	);
	let error: JsonSyntaxError | undefined;
	try {
		for (let position = 0; position < bytes.length; position += chunk) {
			const piece = Uint8Array.from(bytes.subarray(position, Math.min(bytes.length, position + chunk)));
			tokenizer.write(piece);
			piece.fill(0x22);
		}

		tokenizer.end();
	} catch (thrown) {
		if (!(thrown instanceof JsonSyntaxError)) {
			throw thrown;
		}

		error = thrown;
	}

	return { events, error, tokenizer };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whether bytes are one document, as a strict reader sees it. */
export function isDocument(bytes: Uint8Array): boolean {
	try {
		JSON.parse(utf8.decode(bytes).replace(/^\u{feff}/u, ''));
		return true;
	} catch {
		return false;
	}
}
