/**
 * A progress line on standard error for work that takes a while. The pipeline is synchronous, so nothing of this runs
 * by itself (which is what the libraries for it count on): it draws when it is told of progress.
 */

import { isatty } from 'node:tty';
import { fdSink } from '../source/descriptor.js';

/** Milliseconds. */
const PATIENCE = 1000;

/** Milliseconds. */
const REDRAW_INTERVAL = 100;

const ERASE_LINE = '\r\u001B[K';
const MEBIBYTE = 1024 * 1024;

export interface Progress {
	/**
	 * @param done bytes.
	 * @param total bytes, where it is known.
	 */
	update(done: number, total: number | undefined): void;

	/** Leaves the line as it was before. Call before anything else is written to the terminal. */
	erase(): void;
}

export interface ProgressTerminal {
	/** Milliseconds, from any point in time. */
	now(): number;
	isTerminal(): boolean;
	write(text: string): void;
}

const standardError: ProgressTerminal = {
	// Not `performance`, which is a module that has to be loaded first.
	now: Date.now,
	isTerminal: () => isatty(2),
	write(text) {
		try {
			fdSink(2).write(Buffer.from(text));
		} catch {
			// A line that nobody can see is no reason to stop the work.
		}
	},
};

/** Starts the clock. Nothing is drawn within the first second, nor where standard error is no terminal. */
export function startProgress(terminal: ProgressTerminal = standardError): Progress {
	let nextDrawing = terminal.now() + PATIENCE;
	let isShown = false;
	return {
		update(done, total) {
			const now = terminal.now();
			if (now < nextDrawing) {
				return;
			}

			isShown ||= terminal.isTerminal();
			nextDrawing = isShown ? now + REDRAW_INTERVAL : Number.POSITIVE_INFINITY;
			if (isShown) {
				terminal.write(`${ERASE_LINE}tokenless: ${describe(done, total)}`);
			}
		},
		erase() {
			if (isShown) {
				isShown = false;
				terminal.write(ERASE_LINE);
			}
		},
	};
}

function describe(done: number, total: number | undefined): string {
	const amount = (done / MEBIBYTE).toFixed(1);
	return total === undefined || total === 0
		? `${amount} MiB read`
		: `${amount} of ${(total / MEBIBYTE).toFixed(1)} MiB read (${Math.floor((done / total) * 100)} %)`;
}
