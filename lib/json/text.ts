/** The text of a string lexeme: what stands between the quotation marks once its escapes are resolved. */

const BACKSLASH = 0x5c;

const UNESCAPED = new Uint8Array(256);
UNESCAPED[0x22] = 0x22;
UNESCAPED[0x5c] = 0x5c;
UNESCAPED[0x2f] = 0x2f;
UNESCAPED[0x62] = 0x08;
UNESCAPED[0x66] = 0x0c;
UNESCAPED[0x6e] = 0x0a;
UNESCAPED[0x72] = 0x0d;
UNESCAPED[0x74] = 0x09;

/**
 * Resolves escapes in pieces that may end anywhere. The text is never longer than the lexeme, in bytes.
 * Half a surrogate pair comes out as the three bytes UTF-8 would give it, which are not well-formed: ask first.
 */
export class TextDecoder8 {
	#inEscape = false;
	#hexLeft = 0;
	#code = 0;
	#high = 0;

	/**
	 * Decodes `lexeme[from…to)`, which leaves out the quotation marks, into `target` at `at`.
	 *
	 * @returns the offset in `target` after what was written. Up to 5 bytes may come from earlier pieces.
	 */
	write(lexeme: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
		let end = at;
		for (let index = from; index < to; index++) {
			const byte = lexeme[index];
			if (this.#hexLeft > 0) {
				this.#code = (this.#code << 4) | (byte <= 0x39 ? byte - 0x30 : (byte & 0xdf) - 0x37);
				if (--this.#hexLeft === 0) {
					end = this.#endUnicode(target, end);
				}
			} else if (this.#inEscape) {
				this.#inEscape = false;
				if (byte === 0x75) {
					this.#hexLeft = 4;
					this.#code = 0;
				} else {
					end = this.#flush(target, end);
					target[end++] = UNESCAPED[byte];
				}
			} else if (byte === BACKSLASH) {
				this.#inEscape = true;
			} else {
				end = this.#flush(target, end);
				target[end++] = byte;
			}
		}

		return end;
	}

	/** Ends the string: half a pair that waited for its other half comes out. */
	end(target: Uint8Array, at: number): number {
		return this.#flush(target, at);
	}

	#endUnicode(target: Uint8Array, at: number): number {
		const code = this.#code;
		if (code >= 0xdc00 && code < 0xe000 && this.#high !== 0) {
			const codePoint = 0x1_00_00 + ((this.#high - 0xd800) << 10) + (code - 0xdc00);
			this.#high = 0;
			target[at] = 0xf0 | (codePoint >> 18);
			target[at + 1] = 0x80 | ((codePoint >> 12) & 0x3f);
			target[at + 2] = 0x80 | ((codePoint >> 6) & 0x3f);
			target[at + 3] = 0x80 | (codePoint & 0x3f);
			return at + 4;
		}

		const end = this.#flush(target, at);
		if (code >= 0xd800 && code < 0xdc00) {
			this.#high = code;
			return end;
		}

		return writeUnit(code, target, end);
	}

	#flush(target: Uint8Array, at: number): number {
		if (this.#high === 0) {
			return at;
		}

		const high = this.#high;
		this.#high = 0;
		return writeUnit(high, target, at);
	}
}

function writeUnit(code: number, target: Uint8Array, at: number): number {
	if (code < 0x80) {
		target[at] = code;
		return at + 1;
	}

	if (code < 0x8_00) {
		target[at] = 0xc0 | (code >> 6);
		target[at + 1] = 0x80 | (code & 0x3f);
		return at + 2;
	}

	target[at] = 0xe0 | (code >> 12);
	target[at + 1] = 0x80 | ((code >> 6) & 0x3f);
	target[at + 2] = 0x80 | (code & 0x3f);
	return at + 3;
}

/** The text of the string lexeme `bytes[start…end)`, quotation marks included, as UTF-8. */
export function decodeText(bytes: Uint8Array, start: number, end: number): Uint8Array {
	const inner = bytes.subarray(start + 1, end - 1);
	if (!inner.includes(BACKSLASH)) {
		return inner;
	}

	const text = new Uint8Array(inner.length);
	const decoder = new TextDecoder8();
	return text.subarray(0, decoder.end(text, decoder.write(inner, 0, inner.length, text, 0)));
}

/** Where a string lexeme may be cut, and whether it may be. */
export class ScalarCount {
	/** Unicode scalar values of the text so far. */
	scalars = 0;

	/** Whether half a surrogate pair stands in it: it has no UTF-8 text then. */
	loneSurrogate = false;

	/** Bytes of the lexeme before the scalar value numbered `target`; -1 until it is reached. */
	cut = -1;

	readonly #target: number;
	#position = 0;
	#escape = 0;
	#code = 0;
	#afterHigh = false;

	/** @param target scalar values after which the cut falls. */
	constructor(target: number) {
		this.#target = target;
	}

	/** Counts `lexeme[from…to)`, which leaves out the quotation marks; pieces may end anywhere. */
	write(lexeme: Uint8Array, from: number, to: number): void {
		for (let index = from; index < to; index++) {
			const byte = lexeme[index];
			const position = this.#position++;
			if (this.#escape > 1) {
				this.#code = (this.#code << 4) | (byte <= 0x39 ? byte - 0x30 : (byte & 0xdf) - 0x37);
				if (--this.#escape === 1) {
					this.#escape = 0;
					this.#endUnicode(position - 5);
				}
			} else if (this.#escape === 1) {
				if (byte === 0x75) {
					this.#escape = 5;
					this.#code = 0;
				} else {
					this.#escape = 0;
					this.#count(position - 1);
				}
			} else if (byte === BACKSLASH) {
				this.#escape = 1;
			} else if (byte < 0x80 || byte >= 0xc0) {
				this.#count(position);
			}
		}
	}

	/** Ends the string. */
	end(): void {
		this.loneSurrogate ||= this.#afterHigh;
		if (this.cut < 0 && this.scalars === this.#target) {
			this.cut = this.#position;
		}
	}

	#endUnicode(start: number): void {
		const isLow = this.#code >= 0xdc00 && this.#code < 0xe000;
		if (isLow && this.#afterHigh) {
			this.#afterHigh = false;
			return;
		}

		this.loneSurrogate ||= isLow;
		this.#count(start);
		this.#afterHigh = this.#code >= 0xd800 && this.#code < 0xdc00;
	}

	#count(start: number): void {
		this.loneSurrogate ||= this.#afterHigh;
		this.#afterHigh = false;
		if (this.scalars === this.#target) {
			this.cut = start;
		}

		this.scalars++;
	}
}
