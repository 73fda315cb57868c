/** The limits of the JSON reduction, and which of them somebody asked for. */

import { isToolName, type Recovery } from '../../stash/reference.js';

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

/**
 * @throws {RangeError} for a limit that is no whole number of 0 or more (Infinity is none), or a tool by a name that
 * cannot stand in an instruction.
 */
export function checkOptions({ limits = {}, recovery }: JsonOptions): void {
	for (const [name, limit] of Object.entries(limits)) {
		if (limit !== undefined && limit !== Infinity && !(Number.isSafeInteger(limit) && limit >= 0)) {
			throw new RangeError(`the limit ${name} has to be a whole number, 0 or more, not ${String(limit)}`);
		}
	}

	if (recovery?.kind === 'tool' && !isToolName(recovery.name)) {
		throw new RangeError(
			'the name of a retrieval tool has 1 to 64 ASCII letters, digits, underscores or hyphens',
		);
	}
}
