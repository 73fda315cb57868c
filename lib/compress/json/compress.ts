/**
 * JSON in, less JSON out: scan, compare the candidates, stash what the better one leaves out, emit. The functions
 * here are the core; the command and the Node Transform are two ways to feed it.
 */

import { estimateTokens } from '../../measure/estimate.js';
import { copySource } from '../../source/copy.js';
import type { Spool } from '../../source/spool.js';
import type { Sink, Source } from '../../source/types.js';
import { StashError } from '../../stash/errors.js';
import { hashAhead, type KeyAhead } from '../../stash/key-ahead.js';
import { createKeyHasher, type KeyHasher } from '../../stash/keys.js';
import type { Recovery } from '../../stash/reference.js';
import type { Payload, StashWrite } from '../../stash/types.js';
import type { ScannedDocument } from './document.js';
import type { Omissions } from './omissions.js';
import { checkOptions, DEFAULT_LIMITS, type JsonLimits, type JsonOptions } from './options.js';
import { NEVER_COARSE, Reduction, type Rules } from './reduce.js';
import { DocumentScan } from './scan.js';
import { unwrap } from './unwrap.js';
import { warmUp } from './warm-up.js';
import { payloadOf, type Window } from './windows.js';
import { Writer } from './writer.js';

/** Bytes of a chunk that announce an input of some size. */
const LARGE_CHUNK = 64 * 1024;

/** Bytes of a file whose hash is begun on another thread: starting one pays from about here. */
const HASHED_AHEAD = 8 * 1024 * 1024;

/** Share of the estimate that a complete representation must save to win by itself. */
const COMPLETE_SAVING = 0.15;

/** Estimated tokens that a complete representation may have and still win by itself. */
const COMPLETE_TOKENS = 25_000;

export type Operation = 'json_cleanup' | 'json_record_reduction' | 'json_truncation';

export interface JsonOutcome {
	/** `applied`: the output differs. Otherwise it is the input, byte for byte. */
	readonly disposition: 'applied' | 'no_savings' | 'recoverability_unavailable';

	readonly operations: readonly Operation[];
	readonly recoverability: 'lossless' | 'retrievable' | 'unrecoverable';

	/** Estimated tokens of the input and of the best candidate. */
	readonly beforeTokens: number;
	readonly afterTokens: number;

	/** What the stash did, for a ledger held over several calls. The keys are those in the output, in order. */
	readonly writes: readonly StashWrite[];

	/** Remarks for the user, a line each. */
	readonly notes: readonly string[];
}

/** What the core needs besides the input. */
export interface JsonEnvironment {
	/**
	 * Stores payloads, all or none. Called at most once, and only where something is to be stored; without it
	 * nothing is left out that could be asked for.
	 *
	 * @throws {StashError}
	 */
	stash?(payloads: readonly Payload[]): readonly StashWrite[] | Promise<readonly StashWrite[]>;

	/** Directories for temporary files. */
	readonly spoolDirectories: readonly string[];
}

/** The end of a compression: what was decided, and the output to be written. */
export interface JsonResult {
	readonly outcome: JsonOutcome;

	/** Writes the output. What it leaves out is in the stash by now. */
	writeTo(sink: Sink): void;
}

/** A compression under way: give it the input, then finish, then write the result. */
export class JsonCompression {
	readonly #source: Source;
	readonly #options: JsonOptions;
	readonly #environment: JsonEnvironment;
	readonly #scan: DocumentScan;
	#inner: Spool | undefined;
	#isUnderWay = false;
	#ahead: KeyAhead | undefined;

	/**
	 * @param source gives again, at any offset, the bytes that `write` has taken.
	 * @throws {RangeError} for options that cannot be: see `checkOptions`.
	 */
	constructor(source: Source, options: JsonOptions, environment: JsonEnvironment) {
		checkOptions(options);
		this.#source = source;
		this.#options = options;
		this.#environment = environment;
		this.#scan = new DocumentScan({ source, ours: rulesFor(options, environment) });
	}

	/**
	 * Takes the next chunk of the input.
	 *
	 * @throws {JsonSyntaxError}
	 */
	write(chunk: Uint8Array): void {
		const isLargeStart = !this.#isUnderWay && chunk.length >= LARGE_CHUNK;
		this.#isUnderWay = true;
		if (isLargeStart) {
			warmUp();
		}

		this.#scan.write(chunk);
		if (isLargeStart && this.#scan.isCompactRecordArray) {
			this.#ahead = this.#hashAhead();
		}
	}

	/**
	 * Ends the input, decides, and stores what is left out.
	 *
	 * @throws {JsonSyntaxError}
	 */
	async finish(): Promise<JsonResult> {
		const document = this.#scan.end();
		const before: Size = {
			characters: document.characters,
			tokens: estimateTokens(document.characters, document.wide),
		};
		const { spoolDirectories } = this.#environment;
		const ours = rulesFor(this.#options, this.#environment);
		const inner = unwrap(this.#source, document, ours, spoolDirectories);
		this.#inner = inner?.source;
		return await this.#reduce(before, inner?.source ?? this.#source, inner?.document ?? document);
	}

	/** Gives back what is held beside the source. Nothing can be written afterwards. */
	close(): void {
		this.#inner?.close();
		this.#inner = undefined;
		this.#ahead?.close();
		this.#ahead = undefined;
	}

	/** Begins to find out the key of the whole array, which is what is stored of it most often, while it is scanned. */
	#hashAhead(): KeyAhead | undefined {
		const { descriptor, size } = this.#source;
		const { isLossy, mayOmit } = rulesFor(this.#options, this.#environment);
		return descriptor === undefined || size < HASHED_AHEAD || !mayOmit || isLossy
			? undefined
			: hashAhead({ descriptor, start: 0, end: endOfText(this.#source) });
	}

	async #reduce(before: Size, source: Source, document: ScannedDocument): Promise<JsonResult> {
		const rules = rulesFor(this.#options, this.#environment);
		const reduction = new Reduction(source, document, rules);
		const notes = new Set(document.notes);

		const full = measureFull(reduction, document, before);
		const isComplete =
			full !== undefined &&
			full.tokens <= before.tokens * (1 - COMPLETE_SAVING) &&
			full.characters < before.characters &&
			!(rules.mayOmit && exceedsExplicitLimits(source, document, this.#options, rules));
		const bounded = isComplete || !rules.mayOmit ? undefined : measureBounded(reduction, notes);
		for (const note of reduction.notes) {
			notes.add(note);
		}

		let isUnavailable = false;
		if (bounded !== undefined && bounded.omissions.count > 0 && isSmaller(bounded, before)) {
			try {
				const { keys, writes } = await this.#stash(source, bounded.omissions.windows);
				return {
					outcome: {
						disposition: 'applied',
						operations: operationsOf(bounded.omissions),
						recoverability: rules.isLossy ? 'unrecoverable' : 'retrievable',
						beforeTokens: before.tokens,
						afterTokens: bounded.tokens,
						writes,
						notes: [...notes],
					},
					writeTo(sink) {
						reduction.writeBounded(new Writer(sink), { coarseDepth: bounded.coarseDepth, keys });
					},
				};
			} catch (error) {
				if (!(error instanceof StashError)) {
					throw error;
				}

				notes.add(`${error.message}; nothing was left out`);
				isUnavailable = true;
			}
		}

		// Without omissions the bounded result is the full one, measured to its end.
		const complete = full ?? (bounded?.omissions.count === 0 ? bounded : measure(reduction));
		const isApplied = isSmaller(complete, before);
		return {
			outcome: {
				disposition: isApplied ? 'applied' : isUnavailable ? 'recoverability_unavailable' : 'no_savings',
				operations: isApplied ? ['json_cleanup'] : [],
				recoverability: 'lossless',
				beforeTokens: before.tokens,
				afterTokens: complete.tokens,
				writes: [],
				notes: [...notes],
			},
			writeTo: (sink) => {
				if (isApplied) {
					reduction.writeFull(new Writer(sink));
				} else {
					copySource(this.#source, sink);
				}
			},
		};
	}

	/** Stores the payloads of the windows. @returns their keys, in the order of the windows. */
	async #stash(
		source: Source,
		windows: readonly Window[],
	): Promise<{ keys: string[]; writes: readonly StashWrite[] }> {
		if (windows.length === 0) {
			return { keys: [], writes: [] };
		}

		if (this.#environment.stash === undefined) {
			throw new StashError('unavailable', 'no stash is attached');
		}

		let hasher: KeyHasher | undefined;
		const { origin = 'compress-response', session } = this.#options;
		const payloads: Payload[] = [];
		for (const window of windows) {
			const { kind, start, end, isCompact } = window;
			let key = isCompact ? await this.#ahead?.keyOf(start, end) : undefined;
			let size = end - start;
			if (key === undefined) {
				hasher ??= await createKeyHasher();
				({ key, size } = hashed(payloadOf(window, source), hasher));
			}

			payloads.push({ key, size, kind, origin, session, chunks: () => payloadOf(window, source) });
		}

		const distinct = new Map(payloads.map((payload) => [payload.key, payload]));
		const writes = await this.#environment.stash([...distinct.values()]);
		return { keys: payloads.map(({ key }) => key), writes };
	}
}

function hashed(payload: Iterable<Uint8Array>, hasher: KeyHasher): { key: string; size: number } {
	let size = 0;
	hasher.start();
	for (const chunk of payload) {
		size += chunk.length;
		hasher.update(chunk);
	}

	return { key: hasher.finish(), size };
}

/** The offset after the last byte that is no white space, as far as that can be told from the last few. */
function endOfText(source: Source): number {
	const tail = new Uint8Array(Math.min(64, source.size));
	source.read(tail, 0, tail.length, source.size - tail.length);
	let length = tail.length;
	while (length > 0 && tail[length - 1] <= 0x20) {
		length--;
	}

	return source.size - tail.length + length;
}

interface Size {
	readonly characters: number;
	readonly tokens: number;
}

interface Bounded extends Size {
	readonly omissions: Omissions;
	readonly coarseDepth: number;
}

function isSmaller(candidate: Size, original: Size): boolean {
	return candidate.characters < original.characters && candidate.tokens < original.tokens;
}

function measure(reduction: Reduction): Size {
	const writer = new Writer(undefined);
	reduction.writeFull(writer);
	return { characters: writer.characters, tokens: writer.tokens };
}

/** The size of the complete representation; undefined where it is too large to win by itself. */
function measureFull(reduction: Reduction, document: ScannedDocument, before: Size): Size | undefined {
	const limit = Math.min(COMPLETE_TOKENS, before.tokens);
	const root = document.sequence ?? document.large.get(document.start);
	// A child is a character at least, and so is what stands before the next one.
	if (root !== undefined && estimateTokens(root.survivors * 2, 0) > limit) {
		return undefined;
	}

	const writer = new Writer(undefined, { tokens: limit });
	reduction.writeFull(writer);
	return writer.isExceeded ? undefined : { characters: writer.characters, tokens: writer.tokens };
}

/**
 * The size of the bounded representation. Where it would leave out too many windows, containers are left out
 * whole instead, the deepest first.
 */
function measureBounded(reduction: Reduction, notes: Set<string>): Bounded | undefined {
	let coarseDepth = NEVER_COARSE;
	for (;;) {
		const writer = new Writer(undefined);
		const omissions = reduction.writeBounded(writer, { coarseDepth });
		if (!omissions.isOverflown) {
			if (coarseDepth !== NEVER_COARSE) {
				notes.add('too much would be left out piece by piece; whole containers were left out instead');
			}

			return { characters: writer.characters, tokens: writer.tokens, omissions, coarseDepth };
		}

		if (coarseDepth < 0) {
			return undefined;
		}

		const shallower = Math.min(omissions.deepest, coarseDepth - 1);
		coarseDepth = shallower > 8 ? Math.floor(shallower / 2) : shallower;
	}
}

function rulesFor(options: JsonOptions, environment: JsonEnvironment): Rules & { readonly mayOmit: boolean } {
	const recovery: Recovery = options.recovery ?? { kind: 'shell' };
	const isLossy = options.lossy ?? false;
	return {
		limits: { ...DEFAULT_LIMITS, ...options.limits },
		reducesRecords: !isLossy,
		recovery,
		isLossy,
		mayOmit: isLossy || (recovery.kind !== 'none' && environment.stash !== undefined),
	};
}

/** Whether a limit that the caller set would leave something out of the document. */
function exceedsExplicitLimits(
	source: Source,
	document: ScannedDocument,
	options: JsonOptions,
	rules: Rules,
): boolean {
	const { limits = {} } = options;
	const isArrayLimited = limits.arrays !== undefined || limits.arrayTail !== undefined;
	const explicit: JsonLimits = {
		strings: limits.strings ?? Infinity,
		arrays: isArrayLimited ? rules.limits.arrays : Infinity,
		arrayTail: rules.limits.arrayTail,
		depth: limits.depth ?? Infinity,
	};
	if (Math.min(explicit.strings, explicit.arrays, explicit.depth) === Infinity) {
		return false;
	}

	const reduction = new Reduction(source, document, { ...rules, limits: explicit, reducesRecords: false });
	return reduction.writeBounded(new Writer(undefined), { coarseDepth: NEVER_COARSE }).count > 0;
}

function operationsOf(omissions: Omissions): Operation[] {
	const operations: Operation[] = ['json_cleanup'];
	if (omissions.records > 0) {
		operations.push('json_record_reduction');
	}

	if (omissions.count > omissions.records) {
		operations.push('json_truncation');
	}

	return operations;
}
