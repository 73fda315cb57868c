/** The kinds of JSON values, as numbers for columns and switches. Those before `ARRAY` are scalars. */

export const NULL = 0;
export const TRUE = 1;
export const FALSE = 2;
export const NUMBER = 3;
export const STRING = 4;
export const ARRAY = 5;
export const OBJECT = 6;

export type Scalar = typeof NULL | typeof TRUE | typeof FALSE | typeof NUMBER | typeof STRING;
export type Kind = Scalar | typeof ARRAY | typeof OBJECT;

/** The kind of a scalar by its first byte. */
export const SCALAR = new Uint8Array(256);
for (const [kind, bytes] of [
	[TRUE, 't'],
	[FALSE, 'f'],
	[NUMBER, '-0123456789'],
	[STRING, '"'],
] as const) {
	for (const byte of Buffer.from(bytes)) {
		SCALAR[byte] = kind;
	}
}
