/** JSON without its insignificant white space: every lexeme as it stands, nothing between them. */

const KEEP = new Uint8Array(256).fill(1);
KEEP[0x20] = 0;
KEEP[0x09] = 0;
KEEP[0x0a] = 0;
KEEP[0x0d] = 0;

/** Drops white space between lexemes, in pieces of valid JSON that may end anywhere. */
export class Compactor {
	readonly #keepsLines: boolean;
	#inString = false;
	#inEscape = false;
	#lineEnded = false;

	/** @param keepsLines whether one line feed stays between the values of JSON Lines. */
	constructor(keepsLines = false) {
		this.#keepsLines = keepsLines;
	}

	/**
	 * Copies `bytes[from…to)` into `target` at `at`, white space between lexemes left out.
	 *
	 * @returns the offset in `target` after what was written; at most `to - from` bytes are, and one where lines are kept.
	 */
	write(bytes: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
		let end = at;
		let index = from;
		if (this.#inEscape && index < to) {
			target[end++] = bytes[index++];
			this.#inEscape = false;
		}

		while (index < to) {
			const byte = bytes[index++];
			if (this.#inString) {
				target[end++] = byte;
				if (byte === 0x5c) {
					if (index === to) {
						this.#inEscape = true;
					} else {
						target[end++] = bytes[index++];
					}
				} else if (byte === 0x22) {
					this.#inString = false;
				}
			} else if (KEEP[byte] === 1) {
				if (this.#lineEnded) {
					this.#lineEnded = false;
					target[end++] = 0x0a;
				}

				target[end++] = byte;
				this.#inString = byte === 0x22;
			} else if (byte === 0x0a) {
				this.#lineEnded = this.#keepsLines;
			}
		}

		return end;
	}
}
