/** Classes of bytes, as tables by byte, and loops over bytes of one class. */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const SPACE_BYTE = 0x20;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const LINE_FEED = 0x0a;
export const OPEN_OBJECT = 0x7b;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_OBJECT = 0x7d;
export const CLOSE_ARRAY = 0x5d;

/** 1 for the bytes of a string that stand for themselves and are ASCII. */
export const PLAIN = new Uint8Array(256);
for (let byte = 0x20; byte < 0x80; byte++) {
	PLAIN[byte] = byte === QUOTE || byte === BACKSLASH ? 0 : 1;
}

/** 1 for white space between lexemes. */
export const SPACE = new Uint8Array(256);
for (const character of ' \t\r\n') {
	SPACE[character.charCodeAt(0)] = 1;
}

/** 1 for 0 to 9. */
export const DIGIT = new Uint8Array(256).fill(1, 0x30, 0x3a);

/** 1 for what may stand behind a number. */
export const ENDS_NUMBER = new Uint8Array(256);
for (const character of ' \t\r\n,]}') {
	ENDS_NUMBER[character.charCodeAt(0)] = 1;
}

/** 1 for what may stand behind a backslash, u excepted. */
export const ESCAPED = new Uint8Array(256);
for (const character of '"\\/bfnrt') {
	ESCAPED[character.charCodeAt(0)] = 1;
}

/** Values of hexadecimal digits; -1 for other bytes. */
export const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
	HEX[digit.toString(16).charCodeAt(0)] = digit;
	HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** The literals, in the order of their kinds. */
export const WORDS = ['null', 'true', 'false'].map((word) => Buffer.from(word));

/** 1 for what a value may start with. */
export const STARTS_VALUE = new Uint8Array(256);
for (const character of '"{[-0123456789tfn') {
	STARTS_VALUE[character.charCodeAt(0)] = 1;
}

// Loops of their own, since small functions are compiled long before the large one that calls them.
/** @returns the offset of the first byte that is not plain. */
export function skipPlain(bytes: Uint8Array, from: number, to: number): number {
	let index = from;
	// Four at a time: most of an input is read here, and the end is looked for less often.
	for (; index < to - 3; index += 4) {
		if (PLAIN[bytes[index]] === 0) {
			return index;
		}

		if (PLAIN[bytes[index + 1]] === 0) {
			return index + 1;
		}

		if (PLAIN[bytes[index + 2]] === 0) {
			return index + 2;
		}

		if (PLAIN[bytes[index + 3]] === 0) {
			return index + 3;
		}
	}

	while (index < to && PLAIN[bytes[index]] === 1) {
		index++;
	}

	return index;
}

/** @returns the offset of the first byte that is no digit. */
export function skipDigits(bytes: Uint8Array, from: number, to: number): number {
	let index = from;
	while (index < to && DIGIT[bytes[index]] === 1) {
		index++;
	}

	return index;
}

/** Whether the whole word stands at `from`. */
function isAt(bytes: Uint8Array, from: number, word: Uint8Array): boolean {
	let index = from + word.length > bytes.length ? word.length + 1 : 0;
	while (index < word.length && bytes[from + index] === word[index]) {
		index++;
	}

	return index === word.length;
}

/** @returns the end of a plain number that something else follows; `from` where there is none. */
export function skipNumber(bytes: Uint8Array, from: number, to: number): number {
	let index = bytes[from] === 0x2d ? from + 1 : from;
	if (index < to && bytes[index] === 0x30) {
		index++;
	} else {
		const first = index;
		index = skipDigits(bytes, index, to);
		if (index === first) {
			return from;
		}
	}

	if (index + 1 < to && bytes[index] === 0x2e && DIGIT[bytes[index + 1]] === 1) {
		index = skipDigits(bytes, index + 2, to);
	}

	return index < to && ENDS_NUMBER[bytes[index]] === 1 ? index : from;
}

/** @returns the end of a literal that starts with `byte` and ends within the bytes; `from` where there is none. */
export function skipWord(bytes: Uint8Array, from: number, byte: number): number {
	const word = WORDS[byte === 0x74 ? 1 : byte === 0x66 ? 2 : 0];
	return isAt(bytes, from, word) ? from + word.length : from;
}
