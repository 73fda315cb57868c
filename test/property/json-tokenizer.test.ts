/** The tokenizer against others that read the same bytes: JSON.parse, stream-json, and itself in other pieces. */

import { Readable } from 'node:stream';
import fc from 'fast-check';
import StreamParser from 'stream-json';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../lib/json/text.js';
import { deep, plainArray, small, string } from '../compress/json/support/arbitraries.js';
import { lines, together, wrapped } from '../compress/json/support/documents.js';
import { sizeOf } from '../compress/json/support/model.js';
import { isDocument, tokenize } from '../json/events.js';

const documents = fc.oneof(together(small, plainArray, deep), wrapped, fc.json({ maxDepth: 6 }));

/** Bytes of JSON with some damage: bytes replaced, left out, put in, or the end cut off. */
const damaged: fc.Arbitrary<Buffer> = fc
	.tuple(
		fc.oneof(small, fc.json(), string),
		fc.array(
			fc.tuple(
				fc.nat(),
				fc.constantFrom('replace', 'remove', 'insert', 'cut'),
				fc.oneof(fc.constantFrom(...Buffer.from('{}[]:,"\\/ \n0-1.eEnutfb')), fc.nat(255)),
			),
			{ maxLength: 3 },
		),
	)
	.map(([text, changes]) => {
		const bytes = [...Buffer.from(text)];
		for (const [place, change, byte] of changes) {
			const at = place % (bytes.length + 1);
			if (change === 'cut') {
				bytes.length = at;
			} else {
				bytes.splice(at, change === 'insert' ? 0 : 1, ...(change === 'remove' ? [] : [byte]));
			}
		}

		return Buffer.from(bytes);
	});

const chunks = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 5000 }));

interface StreamToken {
	readonly name: string;
	readonly value?: string;
}

/** The tokens of stream-json that carry a value, in its own words. */
async function streamTokens(text: string): Promise<string[]> {
	const tokens: string[] = [];
	const parser = Readable.from([Buffer.from(text)]).pipe(
		StreamParser.parser({ streamValues: false, packValues: true }),
	);
	for await (const { name, value } of parser as AsyncIterable<StreamToken>) {
		tokens.push(value === undefined ? name : `${name} ${value}`);
	}

	return tokens;
}

/** The same from our events. */
function ownTokens(bytes: Buffer): string[] {
	const literals = ['nullValue null', 'trueValue true', 'falseValue false'];
	return tokenize(bytes, { chunk: 777 }).events.map(([kind, start, end, literal]) => {
		const text = (): string =>
			Buffer.from(decodeText(bytes, start as number, end as number)).toString('utf8');
		switch (kind) {
			case '{': {
				return 'startObject';
			}

			case '}': {
				return 'endObject';
			}

			case '[': {
				return 'startArray';
			}

			case ']': {
				return 'endArray';
			}

			case 'key': {
				return `keyValue ${text()}`;
			}

			case 'string': {
				return `stringValue ${text()}`;
			}

			case 'number': {
				return `numberValue ${bytes.toString('latin1', start as number, end as number)}`;
			}

			default: {
				return literals[literal as number];
			}
		}
	});
}

describe('the tokenizer', () => {
	it('reads documents as JSON.parse does, in whatever pieces they come', () => {
		fc.assert(
			fc.property(documents, chunks, (text, chunk) => {
				const bytes = Buffer.from(text);
				const whole = tokenize(bytes);
				expect(whole.error).toBeUndefined();
				const pieces = tokenize(bytes, { chunk });
				expect(pieces.error).toBeUndefined();
				expect(pieces.events).toEqual(whole.events);
			}),
			{ numRuns: 200 },
		);
	});

	it('accepts and refuses what JSON.parse of strict UTF-8 does, and says where, in whatever pieces', () => {
		let refused = 0;
		let total = 0;
		fc.assert(
			fc.property(damaged, chunks, (bytes, chunk) => {
				const whole = tokenize(bytes);
				const pieces = tokenize(bytes, { chunk });
				expect(whole.error === undefined, bytes.toString('latin1')).toBe(isDocument(bytes));
				expect(pieces.error).toEqual(whole.error);
				expect(pieces.events).toEqual(whole.events);
				if (whole.error !== undefined) {
					refused++;
					expect(whole.error.offset).toBeLessThanOrEqual(bytes.length);
					expect(whole.error.column).toBeGreaterThanOrEqual(1);
					const before = bytes.subarray(0, whole.error.offset).toString('latin1');
					expect(whole.error.line).toBe(before.split('\n').length);
				}

				total++;
			}),
			{ numRuns: 1500 },
		);
		expect(refused / total).toBeGreaterThan(0.2);
	});

	it('refuses at the first byte that no valid document has there', () => {
		fc.assert(
			fc.property(damaged, (bytes) => {
				const { error } = tokenize(bytes);
				if (error === undefined || error.offset === 0 || error.offset === bytes.length) {
					return;
				}

				// All that stands before the offset must be the start of some document: no error lies in it.
				const before = tokenize(bytes.subarray(0, error.offset)).error;
				expect(before === undefined || before.offset === error.offset).toBe(true);
			}),
			{ numRuns: 1000 },
		);
	});

	it('finds the tokens that stream-json finds', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					fc.json(),
					small.filter((text) => !/\\u[dD]/u.test(text)),
				),
				async (text) => {
					const bytes = Buffer.from(text.trim());
					expect(ownTokens(bytes)).toEqual(await streamTokens(text.trim()));
				},
			),
			{ numRuns: 150 },
		);
	});

	it('knows of each string what its text tells', () => {
		fc.assert(
			fc.property(fc.array(string, { minLength: 1, maxLength: 5 }), chunks, (lexemes, chunk) => {
				const { events } = tokenize(Buffer.from(`[${lexemes.join(',')}]`), { chunk });
				for (const [index, lexeme] of lexemes.entries()) {
					const text = JSON.parse(lexeme) as string;
					const [, , , scalars, escaped, loneSurrogate] = events[index + 1];
					expect(scalars, lexeme).toBe([...text].length);
					expect(escaped, lexeme).toBe(lexeme.includes('\\'));
					expect(loneSurrogate, lexeme).toBe(!text.isWellFormed());
				}
			}),
			{ numRuns: 500 },
		);
	});

	it('counts characters, wide ones and white space', () => {
		fc.assert(
			fc.property(fc.oneof(documents, lines), chunks, (text, chunk) => {
				const bytes = Buffer.from(text);
				const { tokenizer, error } = tokenize(bytes, { chunk, allowSequence: true });
				expect(error).toBeUndefined();
				const characters = bytes.length - tokenizer.continuations;
				const size = sizeOf(text);
				expect(characters).toBe(size.characters);
				expect(tokenizer.wide + Math.ceil((characters - tokenizer.wide) / 4)).toBe(size.tokens);
				const between = text.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '').match(/[ \t\r\n]/gu)?.length ?? 0;
				expect(tokenizer.whitespace).toBe(between);
			}),
			{ numRuns: 150 },
		);
	});
});
