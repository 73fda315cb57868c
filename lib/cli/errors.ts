/** What a failure looks like from outside: one line on standard error, and an exit code. */

import { JsonSyntaxError } from '../json/errors.js';
import { fdSink } from '../source/descriptor.js';
import { ClosedPipeError, SourceError } from '../source/errors.js';

export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_BAD_INPUT = 2;

/** A command line that cannot be understood. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** An operation that could not be done, in words for its caller. */
export class OperationError extends Error {
	override readonly name = 'OperationError';
}

/** Puts one line on standard error, whatever is in it. */
export function say(message: string): void {
	try {
		fdSink(2).write(Buffer.from(`tokenless: ${oneLine(message)}\n`));
	} catch {
		// Nobody is left to hear it, and the exit code says the rest.
	}
}

/** Says what went wrong, unless there is nothing to say. @returns the exit code. */
export function report(error: unknown): number {
	if (error instanceof ClosedPipeError) {
		return EXIT_DONE;
	}

	say(error instanceof Error ? error.message || error.name : String(error));
	return isBadInput(error) ? EXIT_BAD_INPUT : EXIT_FAILED;
}

function isBadInput(error: unknown): boolean {
	return (
		error instanceof UsageError ||
		error instanceof JsonSyntaxError ||
		// A file that changed was a good one when we began.
		(error instanceof SourceError && error.kind !== 'changed')
	);
}

// Paths and flags can hold anything; none of it may break the line or steer the terminal.
function oneLine(message: string): string {
	return message.replace(
		/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
		(character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
	);
}
