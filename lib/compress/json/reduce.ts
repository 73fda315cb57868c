/**
 * The reduction itself: walks a scanned document and writes what is left of it, cleaned and, where asked for,
 * bounded. It is run to measure, to list the windows, and once more to emit; the same rules give the same result.
 */

import { ARRAY, FALSE, type Kind, NULL, NUMBER, OBJECT, STRING, TRUE } from '../../json/kinds.js';
import { Tape } from '../../json/tape.js';
import type { Source } from '../../source/types.js';
import type { Recovery } from '../../stash/reference.js';
import { lossyNoticeFor, noticeFor, type Omission } from '../notice.js';
import { measureText } from './cut.js';
import { type ContainerFacts, type LargeValue, MAX_DEPTH, type ScannedDocument } from './document.js';
import { MAX_WINDOWS, newOmissions, type Omissions } from './omissions.js';
import type { JsonLimits } from './options.js';
import { RecordSelection } from './records.js';
import { MIN_RECORDS } from './scan.js';
import { between, only, outside, type Value, Walker } from './walk.js';
import type { Window } from './windows.js';
import { Writer } from './writer.js';

/** No container is replaced whole because it would hold too many windows. */
export const NEVER_COARSE = Infinity;

/** Replaces a whole sequence by one notice. */
const WHOLE_SEQUENCE = -1;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LINE_FEED = 0x0a;

export interface Rules {
	/** Infinity where a limit is not to be applied. */
	readonly limits: JsonLimits;

	/** Whether arrays of records are reduced. */
	readonly reducesRecords: boolean;

	/** How what is left out can be had again. */
	readonly recovery: Recovery;

	/** What is left out is gone: nothing is stashed. */
	readonly isLossy: boolean;
}

export interface Bounds {
	/** Depth at which containers that would hold windows become one window each. */
	readonly coarseDepth: number;

	/** Keys of the windows, in order, once they are known. */
	readonly keys?: readonly string[];
}

export class Reduction {
	readonly #source: Source;
	readonly #document: ScannedDocument;
	readonly #rules: Rules;
	readonly #walker: Walker;
	readonly #tape = new Tape();
	readonly #selection: RecordSelection;
	readonly #scratch = new Writer(undefined);

	#writer = this.#scratch;
	#bounds: Bounds | undefined;
	#omissions: Omissions = newOmissions();
	#isProbing = false;
	#isHalted = false;

	constructor(source: Source, document: ScannedDocument, rules: Rules) {
		this.#source = source;
		this.#document = document;
		this.#rules = rules;
		this.#walker = new Walker(source, document, this.#tape, rules);
		this.#selection = new RecordSelection(source, document, this.#walker, rules, (value, depth, writer) => {
			this.#aside(writer, () => this.#value(value, depth));
		});
	}

	/** Remarks for the user on what was met so far. */
	get notes(): Iterable<string> {
		return this.#selection.notes;
	}

	/** Writes the document cleaned and without white space; stops where the writer's bound is exceeded. */
	writeFull(writer: Writer): void {
		this.#bounds = undefined;
		this.#walker.thresholds = undefined;
		this.#run(writer);
	}

	/** Writes the document cleaned and bounded, and tells what was left out. */
	writeBounded(writer: Writer, bounds: Bounds): Omissions {
		const { limits, reducesRecords } = this.#rules;
		this.#bounds = bounds;
		this.#walker.thresholds = {
			strings: limits.strings,
			arrays: reducesRecords
				? Math.min(limits.arrays + limits.arrayTail, MIN_RECORDS - 1)
				: limits.arrays + limits.arrayTail,
			depth: Math.min(limits.depth, MAX_DEPTH),
		};
		this.#omissions = newOmissions();
		this.#run(writer);
		return this.#omissions;
	}

	#run(writer: Writer): void {
		this.#writer = writer;
		this.#isHalted = false;
		const { sequence } = this.#document;
		if (sequence === undefined) {
			this.#value(this.#walker.root(), 0);
		} else {
			this.#sequence(sequence);
		}

		writer.byte(LINE_FEED);
		writer.flush();
	}

	get #isStopped(): boolean {
		return this.#isHalted || this.#writer.isExceeded;
	}

	#sequence(sequence: LargeValue): void {
		if (this.#bounds?.coarseDepth === WHOLE_SEQUENCE) {
			const omission: Omission = { kind: 'items', omitted: sequence.items };
			this.#notice(omission, this.#window('lines', sequence.start, sequence.end, false, WHOLE_SEQUENCE));
			return;
		}

		const kept = this.#bounds === undefined ? undefined : this.#keptRecords(sequence, sequence, 0);
		let isFirst = true;
		this.#walker.children(sequence, 0, kept, (line) => {
			if (!isFirst) {
				this.#writer.byte(LINE_FEED);
			}

			isFirst = false;
			this.#value(line, 0);
			return !this.#isStopped;
		});
		if (kept !== undefined) {
			this.#writer.byte(LINE_FEED);
			this.#recordsNotice(sequence, kept.size, this.#window('lines', sequence.start, sequence.end, false, 0));
		}
	}

	#value(value: Value, depth: number): void {
		const bounds = this.#bounds;
		if (typeof value === 'number') {
			const { facts } = this.#walker;
			if (
				facts.isUnchanged(value) &&
				(bounds === undefined || (facts.isUnbounded(value) && bounds.coarseDepth !== depth))
			) {
				this.#lexemes(value);
				return;
			}
		} else if (bounds === undefined && !value.isChanged) {
			this.#lexemes(value);
			return;
		}

		if (bounds !== undefined) {
			if (this.#isCoarse(value, depth, bounds)) {
				return;
			}

			if (depth > Math.min(this.#rules.limits.depth, MAX_DEPTH) && !this.#holdsNotice(value)) {
				this.#tooDeep(value, depth);
				return;
			}
		}

		switch (this.#kind(value)) {
			case OBJECT: {
				this.#object(value, depth);
				break;
			}

			case ARRAY: {
				this.#array(value, depth);
				break;
			}

			case STRING: {
				this.#string(value, depth);
				break;
			}

			default: {
				this.#lexemes(value);
			}
		}
	}

	#object(value: Value, depth: number): void {
		if (this.#isOpaque(value)) {
			this.#lexemes(value);
			return;
		}

		const writer = this.#writer;
		writer.byte(0x7b);
		let isFirst = true;
		this.#walker.children(value, depth + 1, undefined, (member) => {
			if (!isFirst) {
				writer.byte(COMMA);
			}

			isFirst = false;
			if (typeof member === 'number') {
				writer.bytes(this.#tape.bytes, this.#tape.keyStart[member], this.#tape.keyEnd[member]);
			} else {
				writer.bytesFrom(this.#source, this.#walker.keyStart, this.#walker.keyEnd);
			}

			writer.byte(COLON);
			this.#value(member, depth + 1);
			return !this.#isStopped;
		});
		writer.byte(0x7d);
	}

	#array(value: Value, depth: number): void {
		if (this.#isOpaque(value)) {
			this.#lexemes(value);
			return;
		}

		if (this.#bounds === undefined) {
			this.#items(value, depth, undefined);
			return;
		}

		const { limits } = this.#rules;
		const facts = this.#facts(value);
		const kept = this.#keptRecords(value, facts, depth + 1);
		if (kept !== undefined) {
			this.#items(value, depth, kept, () => {
				const window = this.#window('records', this.#start(value), this.#end(value), isCompact(value), depth);
				this.#recordsNotice(facts, kept.size, window);
			});
		} else if (
			!facts.holdsNotice &&
			!isRecords(facts) &&
			facts.survivors > limits.arrays + limits.arrayTail
		) {
			this.#plainArray(value, facts, depth);
		} else {
			this.#items(value, depth, undefined);
		}
	}

	/** The records to keep, or undefined where the array is none of records or not worth reducing. */
	#keptRecords(
		value: Value,
		facts: ContainerFacts,
		depth: number,
	): ReturnType<RecordSelection['keep']> | undefined {
		if (!this.#rules.reducesRecords || facts.holdsNotice || !isRecords(facts)) {
			return undefined;
		}

		const kept = this.#selection.keep(value, facts, depth);
		// Priced with the numbers of the cleaned array, so that a second run comes to the same decision.
		const omitted = facts.survivors - kept.size;
		const notice = noticeFor({ kind: 'records', omitted, total: facts.survivors }, this.#rules.recovery);
		const isWorthIt =
			kept.size < facts.survivors &&
			this.#costsMoreThan(notice.length + 3, () => {
				this.#measureItems(value, depth, outside(kept, facts.survivors));
			});
		return isWorthIt ? kept : undefined;
	}

	#plainArray(value: Value, facts: ContainerFacts, depth: number): void {
		const { arrays, arrayTail } = this.#rules.limits;
		const first = this.#locate(value, depth + 1, arrays);
		const last = this.#locate(value, depth + 1, facts.survivors - arrayTail - 1);
		const omission: Omission = { kind: 'items', omitted: last.item - first.item + 1 };
		const price = this.#noticeLength({ kind: 'items', omitted: facts.survivors - arrayTail - arrays });
		const isWorthIt = this.#costsMoreThan(price + 3, () => {
			this.#measureItems(value, depth + 1, between(arrays, facts.survivors - arrayTail));
		});
		if (!isWorthIt) {
			this.#items(value, depth, undefined);
			return;
		}

		const tail = between(facts.survivors - arrayTail, facts.survivors);
		const kept = {
			next: (ordinal: number): number => (ordinal < arrays ? ordinal : tail.next(ordinal)),
		};
		this.#items(
			value,
			depth,
			kept,
			() => {
				this.#notice(omission, this.#window('items', first.start, last.end, false, depth));
			},
			arrays,
		);
	}

	/**
	 * Writes an array's items.
	 *
	 * @param notice writes the notice, before item number `place`, or last.
	 */
	#items(
		value: Value,
		depth: number,
		wanted: { next(ordinal: number): number } | undefined,
		notice?: () => void,
		place = Infinity,
	): void {
		const writer = this.#writer;
		writer.byte(0x5b);
		let isFirst = true;
		let isNoticed = notice === undefined;
		const separate = (): void => {
			if (!isFirst) {
				writer.byte(COMMA);
			}

			isFirst = false;
		};
		this.#walker.children(value, depth + 1, wanted, (item, ordinal) => {
			if (!isNoticed && ordinal >= place) {
				isNoticed = true;
				separate();
				notice?.();
			}

			separate();
			this.#value(item, depth + 1);
			return !this.#isStopped;
		});
		if (!isNoticed) {
			separate();
			notice?.();
		}

		writer.byte(0x5d);
	}

	#string(value: Value, depth: number): void {
		const { limits } = this.#rules;
		const start = this.#start(value);
		const end = this.#end(value);
		if (this.#bounds === undefined || end - start - 2 <= limits.strings || this.#holdsNotice(value)) {
			this.#lexemes(value);
			return;
		}

		const suffix = this.#textSuffix(limits.strings);
		// A limit with no room for the notice leaves the notice alone; nothing is cut without one.
		const target = Math.max(0, limits.strings - suffix.length);
		const measured = measureText(this.#source, this.#tape, value, target);
		const isCut =
			measured.scalars > limits.strings &&
			measured.scalars > target + suffix.length &&
			!measured.loneSurrogate;
		if (!isCut) {
			this.#lexemes(value);
			return;
		}

		const key = this.#window('text', start, end, false, depth - 1);
		if (typeof value === 'number') {
			this.#writer.bytes(
				this.#tape.bytes,
				this.#tape.start[value],
				this.#tape.start[value] + 1 + measured.cut,
			);
		} else {
			this.#writer.bytesFrom(this.#source, start, start + 1 + measured.cut);
		}

		this.#writer.text(this.#rules.isLossy ? suffix : noticeFor({ kind: 'text' }, this.#rules.recovery, key));
		this.#writer.byte(QUOTE);
	}

	#textSuffix(limit: number): string {
		if (!this.#rules.isLossy) {
			return noticeFor({ kind: 'text' }, this.#rules.recovery);
		}

		// An empty prefix alone would leave no sign of the string, and the next clean-up would take it away.
		const suffix = lossyNoticeFor({ kind: 'text' });
		return suffix.length < limit || limit === 0 ? suffix : '';
	}

	/** Replaces a value that lies too deep, where that is shorter than the value without bounds. */
	#tooDeep(value: Value, depth: number): void {
		const kind = this.#kind(value);
		const omission: Omission = { kind: 'subtree', type: TYPE_NAMES[kind], depth };
		const isStorable = kind !== STRING || !measureText(this.#source, this.#tape, value, 0).loneSurrogate;
		const isWorthIt =
			isStorable && this.#costsMoreThan(this.#noticeLength(omission) + 2, () => this.#value(value, depth));
		if (isWorthIt) {
			const window = kind === STRING ? 'text' : 'subtree';
			this.#notice(
				omission,
				this.#window(window, this.#start(value), this.#end(value), isCompact(value), depth - 1),
			);
		} else {
			this.#aside(this.#writer, () => this.#value(value, depth));
		}
	}

	/** Replaces a container at the coarse depth, where it would hold windows. @returns whether it did. */
	#isCoarse(value: Value, depth: number, bounds: Bounds): boolean {
		const kind = this.#kind(value);
		if (depth !== bounds.coarseDepth || kind < ARRAY || this.#holdsNotice(value) || this.#isProbing) {
			return false;
		}

		const writer = this.#writer;
		const omissions = this.#omissions;
		this.#writer = new Writer(undefined);
		this.#omissions = newOmissions();
		this.#isProbing = true;
		this.#value(value, depth);
		const wouldHold = this.#omissions.count > 0;
		this.#isProbing = false;
		this.#isHalted = false;
		this.#writer = writer;
		this.#omissions = omissions;
		if (!wouldHold) {
			return false;
		}

		const start = this.#start(value);
		const window = this.#window('subtree', start, this.#end(value), isCompact(value), depth - 1);
		this.#notice({ kind: 'subtree', type: TYPE_NAMES[kind], depth }, window);
		return true;
	}

	/** Registers what is left out. @returns its key, or as many characters while it is not known. */
	#window(
		kind: Window['kind'],
		start: number,
		end: number,
		compact: boolean,
		depth: number,
	): string | undefined {
		const omissions = this.#omissions;
		const number = omissions.count++;
		omissions.deepest = Math.max(omissions.deepest, depth);
		if (kind === 'records' || (kind === 'lines' && depth !== WHOLE_SEQUENCE)) {
			omissions.records++;
		}

		if (this.#isProbing) {
			this.#isHalted = true;
		} else if (!this.#rules.isLossy) {
			if (number === MAX_WINDOWS) {
				omissions.isOverflown = true;
				this.#isHalted = true;
			} else {
				omissions.windows.push({ kind, start, end, isCompact: compact });
			}
		}

		return this.#bounds?.keys?.[number];
	}

	#notice(omission: Exclude<Omission, { kind: 'records' }>, key: string | undefined): void {
		const { isLossy, recovery } = this.#rules;
		this.#writer.byte(QUOTE);
		this.#writer.text(isLossy ? lossyNoticeFor(omission) : noticeFor(omission, recovery, key));
		this.#writer.byte(QUOTE);
	}

	#recordsNotice(facts: ContainerFacts, kept: number, key: string | undefined): void {
		const omission: Omission = { kind: 'records', omitted: facts.objects - kept, total: facts.objects };
		this.#writer.byte(QUOTE);
		this.#writer.text(noticeFor(omission, this.#rules.recovery, key));
		this.#writer.byte(QUOTE);
	}

	#noticeLength(omission: Exclude<Omission, { kind: 'records' }>): number {
		return (this.#rules.isLossy ? lossyNoticeFor(omission) : noticeFor(omission, this.#rules.recovery))
			.length;
	}

	/** Whether what `write` writes, cleaned and without bounds, has more characters than `characters`. */
	#costsMoreThan(characters: number, write: () => void): boolean {
		this.#scratch.restart({ characters });
		this.#aside(this.#scratch, write);
		return this.#scratch.isExceeded;
	}

	#measureItems(value: Value, depth: number, wanted: { next(ordinal: number): number }): void {
		this.#walker.children(value, depth, wanted, (item) => {
			this.#value(item, depth);
			this.#writer.byte(COMMA);
			return !this.#isStopped;
		});
	}

	/** Runs without bounds, into another writer. */
	#aside(writer: Writer, run: () => void): void {
		const outer = this.#writer;
		const bounds = this.#bounds;
		this.#writer = writer;
		this.#bounds = undefined;
		run();
		this.#writer = outer;
		this.#bounds = bounds;
	}

	#locate(value: Value, depth: number, ordinal: number): { start: number; end: number; item: number } {
		const place = { start: 0, end: 0, item: 0 };
		this.#walker.children(value, depth, only(ordinal), (child, _, item) => {
			place.start = this.#start(child);
			place.end = this.#end(child);
			place.item = item;
			return false;
		});
		return place;
	}

	#lexemes(value: Value): void {
		if (typeof value === 'number') {
			const { bytes, start, end, kind } = this.#tape;
			if (kind[value] >= ARRAY) {
				this.#writer.compact(bytes, start[value], end[value]);
			} else {
				this.#writer.bytes(bytes, start[value], end[value]);
			}
		} else if (value.hasWhitespace) {
			this.#writer.compactFrom(this.#source, value.start, value.end);
		} else {
			this.#writer.bytesFrom(this.#source, value.start, value.end);
		}
	}

	#kind(value: Value): Kind {
		return (typeof value === 'number' ? this.#tape.kind[value] : value.kind) as Kind;
	}

	#start(value: Value): number {
		return typeof value === 'number' ? this.#tape.origin + this.#tape.start[value] : value.start;
	}

	#end(value: Value): number {
		return typeof value === 'number' ? this.#tape.origin + this.#tape.end[value] : value.end;
	}

	#facts(value: Value): ContainerFacts {
		return typeof value === 'number' ? this.#walker.facts.container(this.#tape, value) : value;
	}

	#isOpaque(value: Value): boolean {
		return typeof value === 'number' ? this.#tape.items[value] < 0 : value.isOpaque;
	}

	#holdsNotice(value: Value): boolean {
		return typeof value === 'number' ? this.#walker.facts.holdsNotice(value) : value.holdsNotice;
	}
}

const TYPE_NAMES: Record<Kind, string> = {
	[NULL]: 'null',
	[TRUE]: 'bool',
	[FALSE]: 'bool',
	[NUMBER]: 'number',
	[STRING]: 'string',
	[ARRAY]: 'array',
	[OBJECT]: 'object',
};

function isRecords(facts: ContainerFacts): boolean {
	return facts.survivors >= MIN_RECORDS && facts.survivingObjects === facts.survivors;
}

/** Whether the bytes of a value are known to hold no white space between lexemes. */
function isCompact(value: Value): boolean {
	return typeof value !== 'number' && !value.hasWhitespace;
}
