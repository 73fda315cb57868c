/**
 * The one pass over the input: validates it, counts it, indexes its large values, finds out what the clean-up
 * leaves of each container, and gathers the statistics of record arrays.
 */

import { nestHash, TextHash } from '../../json/hash.js';
import { ARRAY, FALSE, type Kind, NULL, NUMBER, OBJECT, STRING, TRUE } from '../../json/tape.js';
import { decodeText } from '../../json/text.js';
import {
	LITERAL_NULL,
	LITERAL_TRUE,
	type Literal,
	type TokenHandler,
	Tokenizer,
} from '../../json/tokenizer.js';
import type { Source } from '../../source/types.js';
import { NOTICE_REACH, noticeInLexeme, type Omission, type OurNotices, SHORTEST_NOTICE } from '../notice.js';
import { isRemovedField } from './cleanup.js';
import {
	CHECKPOINT_INTERVAL,
	type Checkpoints,
	LARGE,
	type LargeValue,
	MAX_CHECKPOINTS,
	MAX_DEPTH,
	type ScannedDocument,
} from './document.js';
import { OpenKeys } from './open-keys.js';
import { LONGEST_DECODED_KEY, repeatsKey } from './repeats.js';
import { type LexemeReader, MAX_NESTED, RecordSurvey } from './survey.js';

/** Records that make an array one of records. */
export const MIN_RECORDS = 33;

/** Frame 0 is the document; the frame of a container is its depth plus one. */
const FRAMES = MAX_DEPTH + 2;

const HOLDS_NOTICE = 1;
const IS_CHANGED = 2;
const RECORDS_NOTICE_LAST = 4;

export interface ScanOptions {
	/** Where the bytes can be read again: lexemes that straddle two chunks, and tails of long strings. */
	readonly source: Source;

	/** Which notices count as ours. */
	readonly ours: OurNotices;

	/** Absolute offset of the first byte given to `write`. */
	readonly offset?: number;

	/** Whether the bytes are known to be a sequence, whose survey then gives way to none within it. */
	readonly isSequence?: boolean;

	/** Takes the statistics of the root, an array of records or a sequence; no other is surveyed then. */
	readonly survey?: RecordSurvey;
}

export class DocumentScan implements TokenHandler, LexemeReader {
	/** Where `find` found a lexeme. Offsets are those of the tokenizer, from the first byte of the scan. */
	bytes: Uint8Array = new Uint8Array(0);
	from = 0;

	readonly #tokenizer: Tokenizer;
	readonly #source: Source;
	readonly #ours: OurNotices;
	readonly #isSequence: boolean;
	readonly #base: number;

	#chunk: Uint8Array = new Uint8Array(0);
	#chunkStart = 0;

	/** A lexeme that no chunk holds whole. */
	#straddling = new Uint8Array(1024);

	#level = 0;
	readonly #start = new Float64Array(FRAMES);
	readonly #items = new Float64Array(FRAMES);
	readonly #objects = new Float64Array(FRAMES);
	readonly #removed = new Float64Array(FRAMES);
	readonly #removedObjects = new Float64Array(FRAMES);
	readonly #flags = new Uint8Array(FRAMES);
	readonly #isObject = new Uint8Array(FRAMES);
	readonly #whitespace = new Float64Array(FRAMES);
	readonly #isRemovedKey = new Uint8Array(FRAMES);
	readonly #keyStart = new Float64Array(FRAMES);
	readonly #lastCheckpoint = new Float64Array(FRAMES);
	readonly #interval = new Float64Array(FRAMES).fill(CHECKPOINT_INTERVAL);
	readonly #checkpoints: (Checkpoints | undefined)[] = [];

	/** Of the container that closed last, whose value ends next. */
	#closedLevel = 0;
	#closedDuplicates = false;
	#opaqueStart = 0;

	readonly #keys = new OpenKeys(FRAMES);
	readonly #hash = new TextHash();
	#uncleanedObjects = 0;

	readonly #large = new Map<number, LargeValue>();
	#rootStart = 0;
	#rootEnd = 0;

	#surveyLevel = -1;
	#survey: RecordSurvey | undefined;
	#spare: RecordSurvey | undefined;
	readonly #rootSurvey: RecordSurvey | undefined;
	#kept: { start: number; survey: RecordSurvey; bytes: number } | undefined;

	/** Whether an open object is a record under survey, or an object in it whose fields are looked at as well. */
	readonly #hasFields = new Uint8Array(FRAMES);

	/** Of its current field: the hash of the path to it, in two parts, and the end of its key. */
	readonly #fieldLow = new Int32Array(FRAMES);
	readonly #fieldHigh = new Int32Array(FRAMES);
	readonly #keyEnd = new Float64Array(FRAMES);

	constructor(options: ScanOptions) {
		this.#tokenizer = new Tokenizer(this, true);
		this.#source = options.source;
		this.#ours = options.ours;
		this.#base = options.offset ?? 0;
		this.#isSequence = options.isSequence ?? false;
		this.#rootSurvey = options.survey;
	}

	/**
	 * Takes the next chunk of the input.
	 *
	 * @throws {JsonSyntaxError}
	 */
	write(chunk: Uint8Array): void {
		this.#chunk = chunk;
		this.#tokenizer.write(chunk);
		this.#chunkStart += chunk.length;
	}

	/**
	 * Ends the input.
	 *
	 * @throws {JsonSyntaxError}
	 */
	end(): ScannedDocument {
		this.#chunk = new Uint8Array(0);
		const tokenizer = this.#tokenizer;
		tokenizer.end();
		const size = this.#chunkStart;
		const isSequence = tokenizer.roots > 1;
		this.#endNotices(0);
		if (this.#surveyLevel === 0) {
			this.#endSurvey(0, isSequence, Infinity, -1);
		}

		return {
			size,
			characters: size - tokenizer.continuations,
			wide: tokenizer.wide,
			start: this.#rootStart,
			end: this.#rootEnd,
			sequence: isSequence ? this.#describe(ARRAY, 0, this.#rootEnd, false, true) : undefined,
			large: this.#large,
			survey: this.#kept,
			notes: this.#notes(),
		};
	}

	openObject(start: number): void {
		if (this.#level < FRAMES && this.#isObject[this.#level] === 0) {
			this.#beginRecord(this.#level);
		}

		this.#open(start, 1);
	}

	openArray(start: number): void {
		this.#open(start, 0);
	}

	closeObject(end: number): void {
		this.#close(OBJECT, end);
	}

	closeArray(end: number): void {
		this.#close(ARRAY, end);
	}

	key(start: number, end: number): void {
		const level = this.#level;
		if (level >= FRAMES) {
			return;
		}

		const tokenizer = this.#tokenizer;
		let low = tokenizer.keyLow;
		let high = tokenizer.keyHigh;
		let length = end - start - 2;
		if (tokenizer.escaped && length <= LONGEST_DECODED_KEY) {
			this.find(start, end);
			const text = decodeText(this.bytes, this.from, this.from + end - start);
			({ low, high } = this.#hash.take(text, 0, text.length));
			length = text.length;
		}

		this.#keys.add(level, low, high);
		this.#keyStart[level] = start;
		this.#isRemovedKey[level] = isRemovedField(low, high, length) ? 1 : 0;
		this.#keyEnd[level] = end;
		if (this.#hasFields[level] === 1) {
			this.#beginField(level, low, high);
		}

		if (end - start > LARGE) {
			this.#addLarge(this.#describeScalar('key', start + this.#base, end + this.#base, false));
		}
	}

	string(start: number, end: number): void {
		const level = this.#level;
		if (level >= FRAMES) {
			return;
		}

		const notice = end - start < SHORTEST_NOTICE ? undefined : this.#notice(start, end);
		let flags = 0;
		const isInObject = this.#isObject[level] === 1;
		if (notice === 'records') {
			flags = isInObject ? 0 : RECORDS_NOTICE_LAST;
		} else if (notice !== undefined && !(notice === 'items' && isInObject)) {
			flags = HOLDS_NOTICE;
		}

		this.#endValue(STRING, start, end, end - start === 2, flags);
	}

	number(start: number, end: number): void {
		if (this.#level < FRAMES) {
			this.#endValue(NUMBER, start, end, false, 0);
		}
	}

	literal(start: number, end: number, literal: Literal): void {
		if (this.#level < FRAMES) {
			const kind = literal === LITERAL_NULL ? NULL : literal === LITERAL_TRUE ? TRUE : FALSE;
			this.#endValue(kind, start, end, kind === NULL, 0);
		}
	}

	#open(start: number, isObject: 0 | 1): void {
		const level = ++this.#level;
		if (level >= FRAMES) {
			if (level === FRAMES) {
				this.#opaqueStart = start;
			}

			return;
		}

		this.#start[level] = start;
		this.#items[level] = 0;
		this.#objects[level] = 0;
		this.#removed[level] = 0;
		this.#removedObjects[level] = 0;
		this.#flags[level] = 0;
		this.#isObject[level] = isObject;
		this.#hasFields[level] = isObject === 1 && this.#isSurveyed(level) ? 1 : 0;
		this.#keys.open(level);
		this.#whitespace[level] = this.#tokenizer.whitespace;
		this.#lastCheckpoint[level] = start;
		this.#interval[level] = CHECKPOINT_INTERVAL;
		this.#checkpoints[level] = undefined;
	}

	#close(kind: Kind, end: number): void {
		const level = this.#level--;
		if (level >= FRAMES) {
			if (level === FRAMES) {
				this.#endValue(kind, this.#opaqueStart, end, false, 0, true);
			}

			return;
		}

		let hasDuplicates = false;
		if (kind === OBJECT) {
			if (this.#removed[level] > 0 && this.#hasRepeatedKeys(level, end)) {
				hasDuplicates = true;
				this.#removed[level] = 0;
				this.#removedObjects[level] = 0;
			}

			this.#keys.close(level);
		}

		if (this.#removed[level] > 0) {
			this.#flags[level] |= IS_CHANGED;
		}

		this.#endNotices(level);
		if (level === this.#surveyLevel) {
			this.#endSurvey(level, true, end - this.#start[level], this.#start[level] + this.#base);
		}

		const flags = this.#flags[level] & (HOLDS_NOTICE | IS_CHANGED);
		const isEmpty = this.#removed[level] === this.#items[level];
		this.#closedLevel = level;
		this.#closedDuplicates = hasDuplicates;
		this.#endValue(kind, this.#start[level], end, isEmpty, flags);
	}

	/** A value of the open container is over. `flags` are what its container learns from it. */
	#endValue(kind: Kind, start: number, end: number, isEmpty: boolean, flags: number, isOpaque = false): void {
		const level = this.#level;
		const isItem = this.#isObject[level] === 0;
		const isRoot = level === 0;
		// Lines of a sequence are documents of their own: clean-up empties them, it does not take them away.
		const isRemovable =
			!isRoot && (isEmpty || (!isItem && this.#isRemovedKey[level] === 1 && (flags & HOLDS_NOTICE) === 0));

		// A key, or white space behind it, can make a member too large for a tape.
		if (end - (isItem ? start : this.#keyStart[level]) > LARGE) {
			this.#addLarge(
				kind >= ARRAY && !isOpaque
					? this.#describe(kind, this.#closedLevel, end + this.#base, isRemovable, false)
					: this.#describeScalar(
							kind,
							start + this.#base,
							end + this.#base,
							isRemovable,
							isOpaque,
							(flags & HOLDS_NOTICE) !== 0,
						),
			);
		}

		if (isItem) {
			if (start - this.#lastCheckpoint[level] >= this.#interval[level]) {
				this.#checkpoint(level, start);
			}

			this.#flags[level] &= ~RECORDS_NOTICE_LAST;
			if (level === this.#surveyLevel) {
				this.#endItem(kind, isRemovable);
			}
		} else if (this.#hasFields[level] === 1 && level > this.#surveyLevel && this.#survey !== undefined) {
			this.#survey.field(
				this.#fieldLow[level],
				this.#fieldHigh[level],
				level > this.#surveyLevel + 1,
				kind,
				start,
				end,
				isRemovable,
				this,
			);
		}

		this.#items[level]++;
		if (kind === OBJECT) {
			this.#objects[level]++;
		}

		if (flags !== 0) {
			this.#flags[level] |= flags;
		}

		if (isRemovable) {
			this.#removed[level]++;
			if (kind === OBJECT) {
				this.#removedObjects[level]++;
			}
		}

		if (isRoot) {
			if (this.#items[0] === 1) {
				this.#rootStart = start + this.#base;
			}

			this.#rootEnd = end + this.#base;
		}
	}

	#checkpoint(level: number, start: number): void {
		this.#lastCheckpoint[level] = start;
		let checkpoints = this.#checkpoints[level];
		if (checkpoints === undefined) {
			checkpoints = { ordinals: [], items: [], offsets: [] };
			this.#checkpoints[level] = checkpoints;
		}

		if (checkpoints.offsets.length === MAX_CHECKPOINTS) {
			this.#interval[level] *= 2;
			for (const column of [checkpoints.ordinals, checkpoints.items, checkpoints.offsets]) {
				for (let index = 1; index < column.length / 2; index++) {
					column[index] = column[index * 2];
				}

				column.length /= 2;
			}
		}

		checkpoints.ordinals.push(this.#survivors(level));
		checkpoints.items.push(this.#items[level]);
		checkpoints.offsets.push(start + this.#base);
	}

	#beginRecord(level: number): void {
		if (this.#rootSurvey !== undefined && level !== (this.#isSequence ? 0 : 1)) {
			return;
		}

		if (this.#surveyLevel === -1) {
			if (this.#survivors(level) > 0) {
				return;
			}
		} else if (this.#surveyLevel === 0 && level > 0 && this.#items[0] === 0 && !this.#isSequence) {
			// One document rather than a sequence, most likely: its own records are what matters.
			if (this.#survivors(level) > 0) {
				return;
			}
		} else if (level !== this.#surveyLevel) {
			return;
		}

		if (level !== this.#surveyLevel) {
			this.#surveyLevel = level;
			this.#survey = this.#rootSurvey ?? this.#spare ?? new RecordSurvey();
			this.#spare = undefined;
		}

		this.#survey?.beginRecord();
	}

	/** Whether the fields of the object that opens are looked at. */
	#isSurveyed(level: number): boolean {
		const depth = level - this.#surveyLevel - 1;
		if (this.#survey === undefined || depth < 0 || depth > MAX_NESTED) {
			return false;
		}

		return depth === 0 || (this.#hasFields[level - 1] === 1 && this.#isRemovedKey[level - 1] === 0);
	}

	#beginField(level: number, low: number, high: number): void {
		const isNested = level > this.#surveyLevel + 1;
		this.#fieldLow[level] = isNested ? nestHash(this.#fieldLow[level - 1], low) : low;
		this.#fieldHigh[level] = isNested ? nestHash(this.#fieldHigh[level - 1], high) : high;
	}

	#endItem(kind: Kind, isRemovable: boolean): void {
		if (isRemovable) {
			return;
		}

		if (kind === OBJECT) {
			this.#survey?.endRecord(!this.#closedDuplicates);
		} else {
			this.#dropSurvey();
		}
	}

	#endSurvey(level: number, isArray: boolean, bytes: number, start: number): void {
		const isRecords =
			isArray &&
			this.#survivors(level) >= MIN_RECORDS &&
			this.#survivingObjects(level) === this.#survivors(level) &&
			(this.#flags[level] & HOLDS_NOTICE) === 0;
		if (isRecords && bytes > LARGE && bytes > (this.#kept?.bytes ?? 0) && this.#survey !== undefined) {
			this.#kept = { start, survey: this.#survey, bytes };
			this.#survey = undefined;
		}

		this.#dropSurvey();
	}

	/** Ends a survey that nobody will read; another array may use it again. */
	#dropSurvey(): void {
		this.#surveyLevel = -1;
		if (this.#survey !== undefined && this.#survey !== this.#rootSurvey) {
			this.#survey.clear();
			this.#spare = this.#survey;
		}

		this.#survey = undefined;
	}

	/** A notice of omitted records is ours where it stands last, after nothing but records. */
	#endNotices(level: number): void {
		const isRecordsLast = (this.#flags[level] & RECORDS_NOTICE_LAST) !== 0;
		if (isRecordsLast && this.#survivingObjects(level) === this.#survivors(level) - 1) {
			this.#flags[level] |= HOLDS_NOTICE;
		}
	}

	#hasRepeatedKeys(level: number, end: number): boolean {
		const start = this.#start[level] + this.#base;
		const answer = this.#keys.hasRepeats(level, (suspects) =>
			repeatsKey(this.#source, start, end + this.#base, suspects),
		);
		if (answer === undefined) {
			this.#uncleanedObjects++;
			return true;
		}

		return answer;
	}

	#survivors(level: number): number {
		return this.#items[level] - this.#removed[level];
	}

	#survivingObjects(level: number): number {
		return this.#objects[level] - this.#removedObjects[level];
	}

	#addLarge(value: LargeValue): void {
		this.#large.set(value.start, value);
	}

	#describe(kind: Kind, level: number, end: number, isRemovable: boolean, isSequence: boolean): LargeValue {
		return {
			kind,
			start: isSequence ? this.#rootStart : this.#start[level] + this.#base,
			end,
			isRemovable,
			items: this.#items[level],
			objects: this.#objects[level],
			survivors: this.#survivors(level),
			survivingObjects: this.#survivingObjects(level),
			holdsNotice: (this.#flags[level] & HOLDS_NOTICE) !== 0,
			hasDuplicates: !isSequence && this.#closedDuplicates,
			isChanged: (this.#flags[level] & IS_CHANGED) !== 0,
			hasWhitespace: this.#tokenizer.whitespace > this.#whitespace[level],
			isOpaque: false,
			scalars: 0,
			loneSurrogate: false,
			checkpoints: this.#checkpoints[level],
		};
	}

	#describeScalar(
		kind: Kind | 'key',
		start: number,
		end: number,
		isRemovable: boolean,
		isOpaque = false,
		holdsNotice = false,
	): LargeValue {
		return {
			kind,
			start,
			end,
			isRemovable,
			items: 0,
			objects: 0,
			survivors: 0,
			survivingObjects: 0,
			holdsNotice,
			hasDuplicates: false,
			isChanged: false,
			hasWhitespace: isOpaque,
			isOpaque,
			scalars: this.#tokenizer.scalars < 0 ? end - start - 2 : this.#tokenizer.scalars,
			loneSurrogate: this.#tokenizer.loneSurrogate,
			checkpoints: undefined,
		};
	}

	/** Finds the lexeme between two offsets: in the chunk at hand where it holds it, else in the source. */
	find(start: number, end: number): void {
		const from = start - this.#chunkStart;
		if (from >= 0 && from + end - start <= this.#chunk.length) {
			this.bytes = this.#chunk;
			this.from = from;
			return;
		}

		if (this.#straddling.length < end - start) {
			this.#straddling = new Uint8Array(end - start);
		}

		this.#source.read(this.#straddling, 0, end - start, start + this.#base);
		this.bytes = this.#straddling;
		this.from = 0;
	}

	findKey(): number {
		const level = this.#level;
		this.find(this.#keyStart[level], this.#keyEnd[level]);
		return this.#keyEnd[level] - this.#keyStart[level];
	}

	#notice(start: number, end: number): Omission['kind'] | undefined {
		const from = Math.max(start, end - NOTICE_REACH - 2);
		this.find(from, end);
		return noticeInLexeme(this.bytes, this.from - (from - start), this.from + end - from, this.#ours);
	}

	#notes(): string[] {
		const notes: string[] = [];
		if (this.#kept?.survey.limitation !== undefined) {
			notes.push(this.#kept.survey.limitation);
		}

		if (this.#uncleanedObjects > 0) {
			notes.push('an object with too many members to tell whether a key is repeated was not cleaned');
		}

		return notes;
	}
}
