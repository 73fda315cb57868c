/** UTF-8 as strings of JSON may hold it. */

/** Length of a sequence by its first byte; 0 where none of several bytes may start. */
export const SEQUENCE = new Uint8Array(256);
SEQUENCE.fill(2, 0xc2, 0xe0);
SEQUENCE.fill(3, 0xe0, 0xf0);
SEQUENCE.fill(4, 0xf0, 0xf5);

/** The least code point of a sequence by its length: a lesser one has a shorter form, which it must have. */
const LEAST = [0, 0, 0x80, 0x8_00, 0x1_00_00];

/** @returns the code point, of several bytes, whose sequence starts at `from`; -1 where none does that is well-formed and ends before `to`. */
export function codePointAt(bytes: Uint8Array, from: number, to: number): number {
	const length = SEQUENCE[bytes[from]];
	if (length === 0 || from + length > to) {
		return -1;
	}

	let codePoint = bytes[from] & (0x7f >> length);
	for (let index = from + 1; index < from + length; index++) {
		if ((bytes[index] & 0xc0) !== 0x80) {
			return -1;
		}

		codePoint = (codePoint << 6) | (bytes[index] & 0x3f);
	}

	const isSurrogate = codePoint >= 0xd8_00 && codePoint <= 0xdf_ff;
	return codePoint < LEAST[length] || codePoint > 0x10_ff_ff || isSurrogate ? -1 : codePoint;
}
