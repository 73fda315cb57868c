/** Characters and estimated tokens (`heuristic-v1`), counted on UTF-8 bytes. */

/** Name of the estimate on the wire. */
export const ESTIMATOR = 'heuristic-v1';

/**
 * Whether the estimate counts a code point as one whole token: the CJK ranges of `heuristic-v1`.
 */
export function isWide(codePoint: number): boolean {
	if (codePoint < 0x30_40) {
		return false;
	}

	if (codePoint <= 0xd7_af) {
		return (
			codePoint >= 0xac_00 ||
			codePoint <= 0x30_ff ||
			(codePoint >= 0x31_00 && codePoint <= 0x31_2f) ||
			(codePoint >= 0x34_00 && codePoint <= 0x4d_bf) ||
			(codePoint >= 0x4e_00 && codePoint <= 0x9f_ff)
		);
	}

	return (
		(codePoint >= 0xf9_00 && codePoint <= 0xfa_ff) ||
		(codePoint >= 0x2_00_00 &&
			(codePoint <= 0x2_a6_df ||
				(codePoint >= 0x2_a7_00 && codePoint <= 0x2_ce_af) ||
				(codePoint >= 0x2_ce_b0 && codePoint <= 0x2_eb_ef) ||
				(codePoint >= 0x3_00_00 && codePoint <= 0x3_13_4f)))
	);
}

/**
 * Estimated tokens of a text: one per wide character, the others four to one, rounded up once.
 *
 * @param characters Unicode scalar values in all.
 * @param wide how many of them are wide.
 */
export function estimateTokens(characters: number, wide: number): number {
	return wide + Math.ceil((characters - wide) / 4);
}

/** A running count over well-formed UTF-8, in pieces that may end anywhere. */
export class TextCount {
	/** Unicode scalar values so far. */
	characters = 0;

	/** Wide characters so far. */
	wide = 0;

	#codePoint = 0;
	#pending = 0;

	get tokens(): number {
		return estimateTokens(this.characters, this.wide);
	}

	/** Counts `bytes[from…to)`. */
	add(bytes: Uint8Array, from: number, to: number): void {
		let characters = 0;
		for (let index = from; index < to; index++) {
			const byte = bytes[index];
			if (byte < 0x80) {
				characters++;
			} else if (byte < 0xc0) {
				this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
				if (--this.#pending === 0 && isWide(this.#codePoint)) {
					this.wide++;
				}
			} else {
				characters++;
				if (byte < 0xe0) {
					this.#pending = 1;
					this.#codePoint = byte & 0x1f;
				} else if (byte < 0xf0) {
					this.#pending = 2;
					this.#codePoint = byte & 0x0f;
				} else {
					this.#pending = 3;
					this.#codePoint = byte & 0x07;
				}
			}
		}

		this.characters += characters;
	}
}
