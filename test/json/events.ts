/** Records what a tokenizer says, and everything it knows at that moment. */

import { JsonSyntaxError } from '../../lib/json/errors.js';
import { joinHash } from '../../lib/json/hash.js';
import { type Literal, Tokenizer } from '../../lib/json/tokenizer.js';

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
		// Of a plain string the tokenizer leaves the count to the reader: a byte is a character.
		const scalars = tokenizer.scalars < 0 ? end - start - 2 : tokenizer.scalars;
		return [scalars, tokenizer.escaped, tokenizer.loneSurrogate];
	};
	const tokenizer: Tokenizer = new Tokenizer(
		{
			openObject: (start) => events.push(['{', start, tokenizer.depth]),
			closeObject: (end) => events.push(['}', end, tokenizer.depth]),
			openArray: (start) => events.push(['[', start, tokenizer.depth]),
			closeArray: (end) => events.push([']', end, tokenizer.depth]),
			key: (start, end) =>
				events.push(['key', start, end, joinHash(tokenizer.keyLow, tokenizer.keyHigh), ...known(start, end)]),
			string: (start, end) => events.push(['string', start, end, ...known(start, end)]),
			number: (start, end) => events.push(['number', start, end]),
			literal: (start, end, literal: Literal) => events.push(['literal', start, end, literal]),
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
