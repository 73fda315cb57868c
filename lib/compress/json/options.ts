/** The limits of the JSON reduction, and which of them somebody asked for. */

import type { Recovery } from '../../stash/reference.js';

export interface JsonLimits {
	/** Unicode scalar values of a string's text. */
	readonly strings: number;

	/** Items kept of the start of an array that is not one of records. */
	readonly arrays: number;

	/** Items kept of its end. */
	readonly arrayTail: number;

	/** Depth of a value, the root being 0. */
	readonly depth: number;
}

/** Defaults of `compress-response`. */
export const DEFAULT_LIMITS: JsonLimits = { strings: 4096, arrays: 32, arrayTail: 8, depth: 8 };

export interface JsonOptions {
	/** Limits the caller set. They bind even where a complete representation would save enough. */
	readonly limits?: Partial<JsonLimits>;

	/**
	 * How the reader of the output can get back what is left out. With `none` nothing is, unless `lossy`.
	 * Default: the shell.
	 */
	readonly recovery?: Recovery;

	/** Leave out without keeping: the caller's explicit wish. Nothing is stored then. */
	readonly lossy?: boolean;

	/** Name of the command or tool whose output it is, kept with what is stashed. */
	readonly origin?: string;

	/** Session to which what is stashed belongs. */
	readonly session?: string;
}
