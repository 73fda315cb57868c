/** `tokenless compress-response`: from standard input or a file to standard output. */

import { JsonCompression, type JsonOutcome, type JsonResult } from '../compress/json/compress.js';
import type { JsonLimits, JsonOptions } from '../compress/json/options.js';
import type { DatabaseLocation } from '../config/database-path.js';
import { realHome } from '../config/home.js';
import { readSettings, type Settings } from '../config/settings.js';
import { JsonSyntaxError } from '../json/errors.js';
import { fdSink } from '../source/descriptor.js';
import { ClosedPipeError, SinkError, SourceError } from '../source/errors.js';
import { type Input, openInput } from '../source/input.js';
import type { Sink } from '../source/types.js';
import { StashError } from '../stash/errors.js';
import type { Payload, StashWrite } from '../stash/types.js';
import type { Invocation, Values } from './commands.js';
import { EXIT_DONE, say } from './errors.js';
import { keepHeapSmall } from './heap.js';
import { type Progress, startProgress } from './progress.js';
import { locateStash } from './stash.js';

/** Where a stream is kept if the data directory cannot take it. Not /tmp, which may be memory. */
const FALLBACK_SPOOL = '/var/tmp';

/** Bytes from which on an input is large. */
const LARGE_INPUT = 1024 * 1024;

const limitFlags = {
	strings: 'truncate-strings-at',
	arrays: 'truncate-arrays-at',
	arrayTail: 'array-tail-preserve',
	depth: 'max-depth',
} as const satisfies Record<keyof JsonLimits, keyof Values<'compress-response'>>;

/** @throws for bad input; whatever else goes wrong, the input comes out as it is. */
export async function compressResponse(invocation: Invocation<'compress-response'>): Promise<number> {
	const { values } = invocation;
	const { settings, warning } = readSettings(process.env, realHome());
	const location = locateStash(values['stash-db']);
	const remarks = [
		...(warning === undefined ? [] : [warning]),
		// Where no place is left, it is said when something would have gone there.
		...(values['no-stash'] || location.path === undefined ? [] : location.refusals),
		...(settings.compressionEnabled ? [] : ['dry-run mode (compression disabled)']),
	];
	const spoolDirectories = [
		...(location.dataDirectory === undefined ? [] : [location.dataDirectory]),
		FALLBACK_SPOOL,
	];
	const input = openInput({ file: values.file, maxInput: values['max-input'], spoolDirectories });
	const progress = startProgress();
	try {
		const stash = settings.compressionEnabled ? stasher(location, settings) : undefined;
		const compression = new JsonCompression(input.source, optionsFor(invocation), {
			spoolDirectories,
			...(stash === undefined ? {} : { stash }),
		});
		const output = watchedOutput(progress);
		const lines = await compress(input, compression, output, settings.compressionEnabled);
		progress.erase();
		// Not before: what is said of bad input is one line.
		for (const line of [...remarks, ...lines]) {
			say(line);
		}

		return EXIT_DONE;
	} finally {
		progress.erase();
		input.close();
	}
}

/**
 * Writes the output, or the original where there is no better one.
 *
 * @returns what there is to say about it.
 */
async function compress(
	input: Input,
	compression: JsonCompression,
	output: WatchedSink,
	isEnabled: boolean,
): Promise<readonly string[]> {
	let result: JsonResult;
	try {
		readAll(input, compression, output.progress);
		result = await compression.finish();
		if (isEnabled) {
			result.writeTo(output);
		}
	} catch (error) {
		if (output.isWritten || isFinal(error)) {
			throw error;
		}

		input.passThrough(output);
		return [`${error instanceof Error ? error.message : String(error)}, outputting original`];
	}

	if (isEnabled) {
		return linesAbout(result.outcome);
	}

	input.passThrough(output);
	return [];
}

function readAll(input: Input, compression: JsonCompression, progress: Progress): void {
	// A stream has no size before it is read.
	const total = input.size === 0 ? undefined : input.size;
	let done = 0;
	let isLarge = false;
	for (let chunk = input.next(); chunk !== undefined; chunk = input.next()) {
		compression.write(chunk);
		done += chunk.length;
		progress.update(done, total);
		if (!isLarge && done > LARGE_INPUT) {
			isLarge = true;
			keepHeapSmall();
		}
	}

	input.verify();
}

/** Whether the original would be no better answer: it is bad, gone, or nobody listens. */
function isFinal(error: unknown): boolean {
	return (
		error instanceof JsonSyntaxError ||
		error instanceof SourceError ||
		error instanceof SinkError ||
		error instanceof ClosedPipeError
	);
}

function linesAbout({ disposition, beforeTokens, afterTokens, notes }: JsonOutcome): readonly string[] {
	return disposition === 'no_savings'
		? [
				...notes,
				`response compression did not reduce size (${beforeTokens} -> ${afterTokens} est. tokens), outputting original`,
			]
		: notes;
}

function optionsFor({ values, given }: Invocation<'compress-response'>): JsonOptions {
	const limits: { -readonly [Name in keyof JsonLimits]?: number } = {};
	for (const [name, flag] of Object.entries(limitFlags) as [keyof JsonLimits, keyof typeof values][]) {
		// The default is a limit too, but one that yields where a complete output is small enough.
		if (given.has(flag)) {
			limits[name] = values[flag] as number;
		}
	}

	return {
		limits,
		lossy: values['no-stash'],
		origin: 'compress-response',
		...(values['session-id'] === undefined ? {} : { session: values['session-id'] }),
	};
}

/** Opens the stash when there is something to store, and not before. */
function stasher(
	{ path, refusals }: DatabaseLocation,
	settings: Settings,
): (payloads: readonly Payload[]) => Promise<readonly StashWrite[]> {
	return async (payloads) => {
		if (path === undefined) {
			throw new StashError('refused', refusals.at(-1) ?? 'there is no place for a stash');
		}

		const { SqliteStash } = await import('../stash/sqlite/store.js');
		const store = new SqliteStash(path, {
			limits: settings.stashMaxBytes === undefined ? {} : { maxBytes: settings.stashMaxBytes },
		});
		try {
			return store.stash(payloads);
		} finally {
			store.close();
		}
	};
}

/** Standard output, which tells whether anything has gone there. The progress line ends where it begins. */
interface WatchedSink extends Sink {
	readonly isWritten: boolean;
	readonly progress: Progress;
}

function watchedOutput(progress: Progress): WatchedSink {
	const sink = fdSink(1);
	let isWritten = false;
	return {
		progress,
		get isWritten() {
			return isWritten;
		},
		write(bytes) {
			progress.erase();
			isWritten = true;
			sink.write(bytes);
		},
	};
}
