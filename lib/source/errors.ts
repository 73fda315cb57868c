/** What can go wrong between a descriptor and a compressor. Every message is one line, fit for stderr. */

import { formatSize } from '../config/size.js';

export type SourceErrorKind =
	| 'missing'
	| 'permission'
	| 'directory'
	| 'terminal'
	| 'closed'
	| 'too-large'
	| 'changed'
	| 'unreadable';

/** Input that cannot be read. The message says what, where, and what to do about it. */
export class SourceError extends Error {
	override readonly name = 'SourceError';

	constructor(
		readonly kind: SourceErrorKind,
		message: string,
		options?: ErrorOptions,
	) {
		super(message, options);
	}
}

/** A stream that goes on beyond the limit. What was read, and the rest, can still be passed through. */
export class InputTooLargeError extends Error {
	override readonly name = 'InputTooLargeError';

	/** @param limit bytes. */
	constructor(readonly limit: number) {
		super(`input is larger than ${formatSize(limit)} (--max-input)`);
	}
}

/** No room, or no place, to keep a stream. Everything appended before is still there. */
export class SpoolFullError extends Error {
	override readonly name = 'SpoolFullError';
}

/** The reader of our output has gone. Nothing to report: whoever went knows. */
export class ClosedPipeError extends Error {
	override readonly name = 'ClosedPipeError';

	constructor(options?: ErrorOptions) {
		super('the reader of the output has closed it', options);
	}
}

/** Output that cannot be written for another reason than a reader that has gone. */
export class SinkError extends Error {
	override readonly name = 'SinkError';
}
