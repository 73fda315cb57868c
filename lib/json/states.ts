/** The states of the tokenizer, and the table that takes it through a number. */

export const enum State {
	Start,
	ByteOrderMark,
	Value,
	FirstItem,
	FirstKey,
	Key,
	Colon,
	AfterValue,
	Done,
	String,
	Escape,
	Unicode,
	Continuation,
	Minus,
	Zero,
	Integer,
	Point,
	Fraction,
	Exponent,
	ExponentSign,
	ExponentDigits,
	Literal,
}

/** Classes of bytes in a number: none of it, 0, another digit, point, e, plus, minus. */
export const NUMBER_CLASSES = 7;
export const NUMBER_CLASS = new Uint8Array(256).fill(2, 0x31, 0x3a);
for (const [index, characters] of ['', '0', '', '.', 'eE', '+', '-'].entries()) {
	for (const character of characters) {
		NUMBER_CLASS[character.charCodeAt(0)] = index;
	}
}

/** The byte cannot stand there. */
export const NUMBER_FAILS = 255;

/** The number is over before the byte. */
export const NUMBER_ENDS = 254;

const F = NUMBER_FAILS;
const E = NUMBER_ENDS;

/** The state after a byte, by state and class of byte. */
export const NUMBER_NEXT = new Uint8Array(32 * NUMBER_CLASSES).fill(NUMBER_FAILS);
for (const [state, next] of [
	[State.Minus, [F, State.Zero, State.Integer, F, F, F, F]],
	[State.Zero, [E, F, F, State.Point, State.Exponent, E, E]],
	[State.Integer, [E, State.Integer, State.Integer, State.Point, State.Exponent, E, E]],
	[State.Point, [F, State.Fraction, State.Fraction, F, F, F, F]],
	[State.Fraction, [E, State.Fraction, State.Fraction, E, State.Exponent, E, E]],
	[
		State.Exponent,
		[F, State.ExponentDigits, State.ExponentDigits, F, F, State.ExponentSign, State.ExponentSign],
	],
	[State.ExponentSign, [F, State.ExponentDigits, State.ExponentDigits, F, F, F, F]],
	[State.ExponentDigits, [E, State.ExponentDigits, State.ExponentDigits, E, E, E, E]],
] as const) {
	NUMBER_NEXT.set(next, state * NUMBER_CLASSES);
}

/** 1 for the states between lexemes, in which white space may stand. */
export const STRUCTURAL = new Uint8Array(32);
for (const state of [
	State.Value,
	State.FirstItem,
	State.FirstKey,
	State.Key,
	State.Colon,
	State.AfterValue,
	State.Done,
]) {
	STRUCTURAL[state] = 1;
}
