/**
 * A validating tokenizer over bytes: the full grammar of RFC 8259, UTF-8 included, in chunks that may end
 * anywhere. It makes no object and no string for a token; a handler is told where each lexeme starts and ends.
 */

import { isWide } from '../measure/estimate.js';
import {
	BACKSLASH,
	CLOSE_ARRAY,
	CLOSE_OBJECT,
	COLON,
	COMMA,
	ESCAPED,
	HEX,
	LINE_FEED,
	OPEN_ARRAY,
	OPEN_OBJECT,
	QUOTE,
	SPACE,
	SPACE_BYTE,
	STARTS_VALUE,
	skipNumber,
	skipPlain,
	skipWord,
	WORDS,
} from './bytes.js';
import { JsonSyntaxError } from './errors.js';
import { HASH_SEED_HIGH, HASH_SEED_LOW, HASH_STEP } from './hash.js';
import { KeyTable } from './keys.js';
import { FALSE, NULL, NUMBER, SCALAR, type Scalar, STRING, TRUE } from './kinds.js';
import * as run from './member-run.js';
import { MAX_RUN } from './member-run.js';
import {
	NUMBER_CLASS,
	NUMBER_CLASSES,
	NUMBER_ENDS,
	NUMBER_FAILS,
	NUMBER_NEXT,
	STRUCTURAL,
	State,
} from './states.js';
import { codePointAt, SEQUENCE } from './utf8.js';

/** Bytes of a string that is short, its quotation marks included. */
const MAX_SHORT = 1024;

/** Levels of nesting that are followed; one bit of memory each. */
export const MAX_NESTING = 1 << 24;

/**
 * Told of each token. `start` and `end` are byte offsets from the start of the input, `end` exclusive.
 * Quotation marks belong to the lexeme. What else is known of a token stands in the tokenizer's fields.
 */
export interface TokenHandler {
	openObject(start: number): void;
	closeObject(end: number): void;
	openArray(start: number): void;
	closeArray(end: number): void;
	key(start: number, end: number): void;
	scalar(kind: Scalar, start: number, end: number): void;

	/**
	 * What `key` and `scalar` would tell of each member of a run, which stands in the columns of `member-run.ts`.
	 *
	 * @param base what its offsets count from.
	 */
	members(length: number, base: number): void;
}

export class Tokenizer {
	/** Containers that are open. */
	depth = 0;

	/** UTF-8 continuation bytes so far: bytes less these are characters. */
	continuations = 0;

	/** Wide characters so far, in the sense of the estimate. */
	wide = 0;

	/** Bytes of insignificant white space so far. */
	whitespace = 0;

	/** Root values that have begun. More than one makes a sequence. */
	roots = 0;

	/**
	 * Of the last string or key: its length as decoded text, in Unicode scalar values. -1 where it is not counted: it
	 * has no escapes then and is short, 1,024 bytes at most, or all ASCII.
	 */
	scalars = -1;

	/** Of the last string or key: whether it holds an escape. */
	escaped = false;

	/** Of the last string or key: whether it holds half a surrogate pair, which has no UTF-8 text. */
	loneSurrogate = false;

	/** The last key's hashes. */
	readonly keys = new KeyTable();

	readonly #handler: TokenHandler;
	readonly #allowSequence: boolean;
	#state: State = State.Start;
	#offset = 0;
	#line = 1;
	#lineStart = 0;
	#lineContinuations = 0;
	#containers = new Uint8Array(128);
	#isInObject = false;
	#tokenStart = 0;
	#isKey = false;
	#hashLow = 0;
	#hashHigh = 0;
	#startContinuations = 0;
	#escapeBytes = 0;
	#escapeStart = 0;
	#hexLeft = 0;
	#code = 0;
	#highEnd = -1;
	#sequenceLeft = 0;
	#codePoint = 0;
	#lowest = 0x80;
	#highest = 0xbf;
	#word = WORDS[0];
	#wordIndex = 0;
	#literal: typeof NULL | typeof TRUE | typeof FALSE = NULL;
	#rootLine = 0;
	#rootSpansLines = false;
	#lineEnded = false;

	/**
	 * @param handler told of every token.
	 * @param allowSequence whether one value a line (JSON Lines) is accepted beside a single document.
	 */
	constructor(handler: TokenHandler, allowSequence: boolean) {
		this.#handler = handler;
		this.#allowSequence = allowSequence;
	}

	/**
	 * Takes the next chunk.
	 *
	 * Short plain lexemes that end within the chunk, which most do, are taken in one go here; whatever else goes
	 * byte by byte through `#step`. The split is what makes this loop fast: it holds no branch that is rarely
	 * taken, so it is compiled once, early, and stays so.
	 *
	 * @throws {JsonSyntaxError} at the first byte that cannot belong to JSON.
	 */
	write(bytes: Uint8Array): void {
		const handler = this.#handler;
		const base = this.#offset;
		const to = bytes.length;
		let index = 0;
		while (index < to) {
			const byte = bytes[index];
			switch (this.#state) {
				case State.AfterValue: {
					if (byte === COMMA) {
						index++;
						this.#state = this.#isInObject ? State.Key : State.Value;
						continue;
					}

					if (byte === (this.#isInObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
						index++;
						this.#state = this.#close(this.#isInObject, base + index);
						continue;
					}

					break;
				}

				case State.FirstKey:
				case State.Key: {
					const end = byte === QUOTE ? this.#takeMembers(bytes, index) : index;
					if (end === index) {
						break;
					}

					index = end;
					continue;
				}

				case State.Colon: {
					if (byte === COLON) {
						index++;
						this.#state = State.Value;
						continue;
					}

					break;
				}

				case State.FirstItem:
				case State.Value: {
					if (this.depth === 0) {
						break;
					}

					if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
						this.#state = this.#startValue(byte, base + index);
						index++;
						continue;
					}

					const end = this.#skipScalar(bytes, index);
					if (end === index) {
						break;
					}

					handler.scalar(SCALAR[byte] as Scalar, base + index, base + end);
					if (end < to && bytes[end] === COMMA) {
						this.#state = this.#isInObject ? State.Key : State.Value;
						index = end + 1;
					} else {
						this.#state = State.AfterValue;
						index = end;
					}

					continue;
				}

				default:
			}

			index =
				SPACE[byte] === 1 && STRUCTURAL[this.#state] === 1
					? this.#skipSpace(bytes, index)
					: this.#step(bytes, index);
		}

		this.#offset = base + to;
	}

	/**
	 * Takes members with plain keys and plain scalars, as many as there are, and a plain key after them.
	 *
	 * @returns the offset after what was taken; `from` where no plain key stands there.
	 */
	#takeMembers(bytes: Uint8Array, from: number): number {
		const { keys } = this;
		const base = this.#offset;
		const to = bytes.length;
		let index = from;
		let length = 0;
		while (length < MAX_RUN) {
			const keyEnd = index < to && bytes[index] === QUOTE ? keys.take(bytes, index, to) : index;
			if (keyEnd === index) {
				break;
			}

			let start = keyEnd;
			if (start < to && bytes[start] === COLON) {
				start++;
				if (start < to && bytes[start] === SPACE_BYTE) {
					this.whitespace++;
					start++;
				}
			}

			const end = start > keyEnd && start < to ? this.#skipScalar(bytes, start) : start;
			if (end === start) {
				this.#tellRun(length);
				this.#handler.key(base + index, base + keyEnd);
				this.#state = start > keyEnd ? State.Value : State.Colon;
				return start;
			}

			run.keyStart[length] = index;
			run.keyEnd[length] = keyEnd;
			run.low[length] = keys.low;
			run.high[length] = keys.high;
			run.kind[length] = SCALAR[bytes[start]];
			run.start[length] = start;
			run.end[length] = end;
			length++;
			if (end === to || bytes[end] !== COMMA) {
				this.#tellRun(length);
				this.#state = State.AfterValue;
				return end;
			}

			index = end + 1;
			if (index < to && SPACE[bytes[index]] === 1) {
				index = this.#skipSpace(bytes, index);
			}
		}

		if (length > 0) {
			this.#tellRun(length);
			this.#state = State.Key;
		}

		return index;
	}

	/** @returns the end of a number, a literal or a string without escapes; `from` where none ends within the chunk. */
	#skipScalar(bytes: Uint8Array, from: number): number {
		const to = bytes.length;
		const byte = bytes[from];
		if (byte !== QUOTE) {
			return byte >= 0x61 ? skipWord(bytes, from, byte) : skipNumber(bytes, from, to);
		}

		const end = skipPlain(bytes, from + 1, to);
		if (end === to || bytes[end] === BACKSLASH) {
			return from;
		}

		return bytes[end] === QUOTE ? end + 1 : this.#skipText(bytes, from, end);
	}

	/** As `#skipScalar`, for a string that is plain up to `plainEnd`. One that is long is left to `#stepString`. */
	#skipText(bytes: Uint8Array, from: number, plainEnd: number): number {
		const to = Math.min(bytes.length, from + MAX_SHORT);
		let continuations = 0;
		let wide = 0;
		let index = plainEnd;
		while (index < to && bytes[index] !== QUOTE) {
			const codePoint = codePointAt(bytes, index, to);
			if (codePoint < 0) {
				return from;
			}

			const length = SEQUENCE[bytes[index]];
			continuations += length - 1;
			wide += isWide(codePoint) ? 1 : 0;
			index = skipPlain(bytes, index + length, to);
		}

		if (index >= to) {
			return from;
		}

		this.continuations += continuations;
		this.wide += wide;
		return index + 1;
	}

	#tellRun(length: number): void {
		if (length > 0) {
			this.#handler.members(length, this.#offset);
		}
	}

	/** Takes at least one byte in whatever state. @returns the offset after what was taken. */
	#step(bytes: Uint8Array, index: number): number {
		if (bytes[index] === 0 && this.#offset + index === 1) {
			this.#fail(0, UTF_16);
		}

		switch (this.#state) {
			case State.String: {
				return this.#stepString(bytes, index);
			}

			case State.Continuation: {
				this.#stepContinuation(bytes[index], this.#offset + index);
				return index + 1;
			}

			case State.Escape:
			case State.Unicode: {
				this.#stepEscape(bytes[index], this.#offset + index);
				return index + 1;
			}

			case State.Minus:
			case State.Zero:
			case State.Integer:
			case State.Point:
			case State.Fraction:
			case State.Exponent:
			case State.ExponentSign:
			case State.ExponentDigits: {
				return this.#stepNumber(bytes, index);
			}

			case State.Literal: {
				this.#stepLiteral(bytes[index], this.#offset + index);
				return index + 1;
			}

			case State.Start: {
				return this.#start(bytes, index);
			}

			case State.ByteOrderMark: {
				this.#stepByteOrderMark(bytes[index]);
				return index + 1;
			}

			default: {
				this.#state = this.#stepStructure(bytes[index], this.#offset + index);
				return index + 1;
			}
		}
	}

	#skipSpace(bytes: Uint8Array, from: number): number {
		const to = bytes.length;
		let index = from;
		while (index < to && SPACE[bytes[index]] === 1) {
			if (bytes[index] === LINE_FEED) {
				this.#line++;
				this.#lineStart = this.#offset + index + 1;
				this.#lineContinuations = this.continuations;
				this.#lineEnded = true;
			}

			index++;
		}

		this.whitespace += index - from;
		return index;
	}

	#start(bytes: Uint8Array, index: number): number {
		const byte = bytes[index];
		if (byte === 0xff || byte === 0xfe || byte === 0) {
			this.#fail(index, UTF_16);
		}

		if (byte !== 0xef) {
			this.#state = State.Value;
			return index;
		}

		this.#wordIndex = 1;
		this.#state = State.ByteOrderMark;
		return index + 1;
	}

	#stepByteOrderMark(byte: number): void {
		if (byte !== (this.#wordIndex === 1 ? 0xbb : 0xbf)) {
			this.#fail(0, 'the input is not UTF-8');
		}

		this.continuations++;
		if (++this.#wordIndex === 3) {
			this.#state = State.Value;
		}
	}

	#stepString(bytes: Uint8Array, from: number): number {
		const to = bytes.length;
		const base = this.#offset;
		let index = from;
		while (index < to) {
			const end = skipPlain(bytes, index, to);
			if (this.#isKey) {
				this.#hash(bytes, index, end);
			}

			index = end;
			if (index === to) {
				return to;
			}

			const byte = bytes[index];
			if (byte === QUOTE) {
				this.#state = this.#endString(base + index + 1);
				return index + 1;
			}

			if (byte === BACKSLASH) {
				this.#escapeStart = base + index;
				this.escaped = true;
				this.#state = State.Escape;
				return index + 1;
			}

			const length = SEQUENCE[byte];
			if (length === 0) {
				const problem =
					byte < 0x20
						? `control character 0x${byte.toString(16).padStart(2, '0')} in a string; it must be escaped`
						: 'invalid UTF-8 in a string';
				this.#fail(base + index, problem);
			}

			// The bounds of the second byte rule out overlong forms, surrogates and what lies past U+10FFFF.
			this.#lowest = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
			this.#highest = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
			this.#sequenceLeft = length - 1;
			this.#codePoint = byte & (0x7f >> length);
			this.#state = State.Continuation;
			if (this.#isKey) {
				this.#hash(bytes, index, index + 1);
			}

			index++;
			while (index < to && this.#sequenceLeft > 0) {
				this.#stepContinuation(bytes[index], base + index);
				index++;
			}
		}

		return to;
	}

	#stepContinuation(byte: number, offset: number): void {
		if (byte < this.#lowest || byte > this.#highest) {
			this.#fail(offset, 'invalid UTF-8 in a string');
		}

		if (this.#isKey) {
			this.#hashLow = Math.imul(this.#hashLow ^ byte, HASH_STEP);
			this.#hashHigh = ((this.#hashHigh << 5) + this.#hashHigh) ^ byte;
		}

		this.#lowest = 0x80;
		this.#highest = 0xbf;
		this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
		this.continuations++;
		if (--this.#sequenceLeft === 0) {
			this.#state = State.String;
			if (isWide(this.#codePoint)) {
				this.wide++;
			}
		}
	}

	#stepEscape(byte: number, offset: number): void {
		if (this.#state === State.Escape) {
			if (byte === 0x75) {
				this.#hexLeft = 4;
				this.#code = 0;
				this.#state = State.Unicode;
			} else if (ESCAPED[byte] === 1) {
				this.#escapeBytes++;
				this.#state = State.String;
			} else {
				this.#fail(offset, `invalid escape ${show(byte)} in a string`);
			}

			return;
		}

		const digit = HEX[byte];
		if (digit < 0) {
			this.#fail(offset, `${show(byte)} is not a hexadecimal digit of a \\u escape`);
		}

		this.#code = (this.#code << 4) | digit;
		if (--this.#hexLeft === 0) {
			this.#endUnicode(offset + 1);
			this.#state = State.String;
		}
	}

	/** Numbers that are long, have an exponent, or end with a chunk. */
	#stepNumber(bytes: Uint8Array, from: number): number {
		let state: number = this.#state;
		let index = from;
		while (index < bytes.length) {
			const next = NUMBER_NEXT[state * NUMBER_CLASSES + NUMBER_CLASS[bytes[index]]];
			if (next === NUMBER_ENDS) {
				this.#state = this.#endNumber(this.#offset + index);
				return index;
			}

			if (next === NUMBER_FAILS) {
				const problem =
					state === State.Zero
						? 'a number may not start with 0'
						: `unexpected ${show(bytes[index])} in a number`;
				this.#fail(this.#offset + index, problem);
			}

			state = next;
			index++;
		}

		this.#state = state as State;
		return index;
	}

	#stepLiteral(byte: number, offset: number): void {
		if (byte !== this.#word[this.#wordIndex]) {
			this.#fail(offset, `unexpected ${show(byte)}, expected ${this.#word.toString()}`);
		}

		if (++this.#wordIndex === this.#word.length) {
			this.#handler.scalar(this.#literal, this.#tokenStart, offset + 1);
			this.#state = this.#afterValue();
		}
	}

	/** Brackets, separators, and the first byte of every lexeme. */
	#stepStructure(byte: number, offset: number): State {
		switch (this.#state) {
			case State.AfterValue: {
				return this.#fail(offset, `unexpected ${show(byte)}, expected , or ${this.#isInObject ? '}' : ']'}`);
			}

			case State.FirstKey:
			case State.Key: {
				if (byte === QUOTE) {
					this.#startString(offset, true);
					return State.String;
				}

				if (byte === CLOSE_OBJECT && this.#state === State.FirstKey) {
					return this.#close(true, offset + 1);
				}

				const expected = this.#state === State.FirstKey ? 'a key or }' : 'a key';
				return this.#fail(offset, `unexpected ${show(byte)}, expected ${expected}`);
			}

			case State.Colon: {
				return this.#fail(offset, `unexpected ${show(byte)}, expected : after a key`);
			}

			case State.FirstItem: {
				return byte === CLOSE_ARRAY ? this.#close(false, offset + 1) : this.#startValue(byte, offset);
			}

			case State.Done: {
				const isNextLine =
					this.#allowSequence && this.#lineEnded && !this.#rootSpansLines && STARTS_VALUE[byte] === 1;
				return isNextLine
					? this.#startValue(byte, offset)
					: this.#fail(offset, 'text after the end of the document');
			}

			default: {
				return this.#startValue(byte, offset);
			}
		}
	}

	/**
	 * Says that the input is over.
	 *
	 * @throws {JsonSyntaxError} where it ended inside a value, or held none.
	 */
	end(): void {
		const offset = this.#offset;
		const isNumberOver =
			this.#state === State.Zero ||
			this.#state === State.Integer ||
			this.#state === State.Fraction ||
			this.#state === State.ExponentDigits;
		if (isNumberOver && this.depth === 0) {
			this.#state = this.#endNumber(offset);
		}

		if (this.#state === State.Start) {
			this.#fail(offset, 'the input is empty');
		}

		if (this.#state === State.Value && this.roots === 0) {
			this.#fail(offset, 'the input is blank');
		}

		if (this.#state !== State.Done) {
			this.#fail(offset, 'the input ends inside a value');
		}
	}

	#fail(offset: number, problem: string): never {
		throw new JsonSyntaxError(
			problem,
			offset,
			this.#line,
			// What is wrong may lie before the byte that showed it.
			Math.max(1, offset - this.#lineStart - (this.continuations - this.#lineContinuations) + 1),
		);
	}

	#startValue(byte: number, start: number): State {
		if (this.depth === 0) {
			this.roots++;
			this.#rootLine = this.#line;
		}

		switch (byte) {
			case QUOTE: {
				this.#startString(start, false);
				return State.String;
			}

			case OPEN_OBJECT: {
				this.#open(true, start);
				this.#handler.openObject(start);
				return State.FirstKey;
			}

			case OPEN_ARRAY: {
				this.#open(false, start);
				this.#handler.openArray(start);
				return State.FirstItem;
			}

			case 0x2d: {
				this.#tokenStart = start;
				return State.Minus;
			}

			case 0x74: {
				return this.#startLiteral(TRUE, start);
			}

			case 0x66: {
				return this.#startLiteral(FALSE, start);
			}

			case 0x6e: {
				return this.#startLiteral(NULL, start);
			}

			default: {
				if (byte >= 0x30 && byte <= 0x39) {
					this.#tokenStart = start;
					return byte === 0x30 ? State.Zero : State.Integer;
				}

				return this.#fail(start, `unexpected ${show(byte)}, expected a value`);
			}
		}
	}

	#startLiteral(literal: typeof NULL | typeof TRUE | typeof FALSE, start: number): State {
		this.#tokenStart = start;
		this.#literal = literal;
		this.#word = WORDS[literal];
		this.#wordIndex = 1;
		return State.Literal;
	}

	#startString(start: number, isKey: boolean): void {
		this.#tokenStart = start;
		this.#isKey = isKey;
		this.#startContinuations = this.continuations;
		this.#escapeBytes = 0;
		this.#highEnd = -1;
		this.escaped = false;
		this.loneSurrogate = false;
		if (isKey) {
			this.#hashLow = HASH_SEED_LOW;
			this.#hashHigh = HASH_SEED_HIGH;
		}
	}

	#hash(bytes: Uint8Array, from: number, to: number): void {
		let low = this.#hashLow;
		let high = this.#hashHigh;
		for (let index = from; index < to; index++) {
			low = Math.imul(low ^ bytes[index], HASH_STEP);
			high = ((high << 5) + high) ^ bytes[index];
		}

		this.#hashLow = low;
		this.#hashHigh = high;
	}

	#endUnicode(end: number): void {
		const code = this.#code;
		this.#escapeBytes += 5;
		if (code >= 0xd800 && code < 0xdc00) {
			this.loneSurrogate ||= this.#highEnd >= 0;
			this.#highEnd = end;
		} else if (code >= 0xdc00 && code < 0xe000) {
			if (this.#highEnd === this.#escapeStart) {
				this.#escapeBytes++;
			} else {
				this.loneSurrogate = true;
			}

			this.#highEnd = -1;
		}
	}

	#endString(end: number): State {
		const start = this.#tokenStart;
		this.scalars = end - start - 2 - (this.continuations - this.#startContinuations) - this.#escapeBytes;
		this.loneSurrogate ||= this.#highEnd >= 0;
		if (this.#isKey) {
			this.keys.takeUnnumbered(this.#hashLow, this.#hashHigh);
			this.#handler.key(start, end);
		} else {
			this.#handler.scalar(STRING, start, end);
		}

		// As they are for the plain strings to come.
		this.scalars = -1;
		this.escaped = false;
		this.loneSurrogate = false;
		return this.#isKey ? State.Colon : this.#afterValue();
	}

	#endNumber(end: number): State {
		this.#handler.scalar(NUMBER, this.#tokenStart, end);
		return this.#afterValue();
	}

	#open(isObject: boolean, start: number): void {
		this.#isInObject = isObject;
		const level = this.depth++;
		if (level === MAX_NESTING) {
			this.#fail(start, `nested more than ${MAX_NESTING} levels deep`);
		}

		const slot = level >>> 3;
		if (slot === this.#containers.length) {
			const larger = new Uint8Array(slot * 2);
			larger.set(this.#containers);
			this.#containers = larger;
		}

		const bit = 1 << (level & 7);
		if (isObject) {
			this.keys.open(level);
			this.#containers[slot] |= bit;
		} else {
			this.#containers[slot] &= ~bit;
		}
	}

	#close(isObject: boolean, end: number): State {
		const level = --this.depth - 1;
		this.#isInObject = level >= 0 && (this.#containers[level >>> 3] & (1 << (level & 7))) !== 0;
		if (isObject) {
			this.keys.close(this.depth);
			this.#handler.closeObject(end);
		} else {
			this.#handler.closeArray(end);
		}

		return this.#afterValue();
	}

	#afterValue(): State {
		if (this.depth > 0) {
			return State.AfterValue;
		}

		this.#lineEnded = false;
		if (this.#line !== this.#rootLine) {
			this.#rootSpansLines = true;
			if (this.roots > 1) {
				this.#fail(this.#lineStart, 'a value of JSON Lines must stand on one line');
			}
		}

		return State.Done;
	}
}

function show(byte: number): string {
	return byte > 0x20 && byte < 0x7f
		? `'${String.fromCharCode(byte)}'`
		: `byte 0x${byte.toString(16).padStart(2, '0')}`;
}

const UTF_16 = 'the input is UTF-16, not UTF-8; convert it first, for example with iconv -f UTF-16 -t UTF-8';
