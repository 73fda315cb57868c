/** What a reader of JSON says when the bytes are not JSON. */

/** Bytes that are not JSON, and where. The message is one line. */
export class JsonSyntaxError extends Error {
	override readonly name = 'JsonSyntaxError';

	/**
	 * @param problem what is wrong, in words.
	 * @param offset byte offset from the start of the input, 0-based.
	 * @param line 1-based.
	 * @param column 1-based, in characters.
	 */
	constructor(
		readonly problem: string,
		readonly offset: number,
		readonly line: number,
		readonly column: number,
	) {
		super(`invalid JSON at byte ${offset} (line ${line}, column ${column}): ${problem}`);
	}
}
