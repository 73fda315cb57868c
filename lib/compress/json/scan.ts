/**
 * The one pass over the input: validates it, counts it, indexes its large values, finds out what the clean-up
 * leaves of each container, and gathers the statistics of record arrays.
 */

import { joinHash, nestHash, TextHash } from '../../json/hash.js';
import { ARRAY, type Kind, NULL, OBJECT, type Scalar, STRING } from '../../json/kinds.js';
import * as run from '../../json/member-run.js';
import { type TokenHandler, Tokenizer } from '../../json/tokenizer.js';
import type { Source } from '../../source/types.js';
import { NOTICE_REACH, noticeInLexeme, type OurNotices, SHORTEST_NOTICE } from '../notice.js';
import { isRemovedField } from './cleanup.js';
import { LARGE, type LargeValue, MAX_DEPTH, type ScannedDocument } from './document.js';
import { Frame, HOLDS_NOTICE, IS_CHANGED, RECORDS_NOTICE_LAST } from './frame.js';
import { OpenKeys } from './open-keys.js';
import { LONGEST_DECODED_KEY, repeatsKey } from './repeats.js';
import { type LexemeReader, MAX_NESTED, RecordSurvey } from './survey.js';

/** Records that make an array one of records. */
export const MIN_RECORDS = 33;

/** Buffers here and below, as the chunks mostly are: loops over bytes of one class of array are faster. */
const NOTHING = Buffer.alloc(0);

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
	bytes: Uint8Array = NOTHING;
	from = 0;

	readonly #tokenizer: Tokenizer;
	readonly #source: Source;
	readonly #ours: OurNotices;
	readonly #isSequence: boolean;
	readonly #base: number;

	#chunk: Uint8Array = NOTHING;
	#chunkStart = 0;

	/** A lexeme that no chunk holds whole. */
	#straddling = Buffer.alloc(1024);

	/** Of the innermost container that is open and looked into. */
	readonly #root = new Frame(undefined);
	#frame = this.#root;

	/** Containers that are open in it and lie too deep to be looked into, and where the first of them starts. */
	#opaqueDepth = 0;
	#opaqueStart = 0;

	readonly #keys = new OpenKeys(MAX_DEPTH + 2);
	readonly #hash = new TextHash();
	#uncleanedObjects = 0;

	readonly #large = new Map<number, LargeValue>();
	#rootStart = 0;
	#rootEnd = 0;

	/** The frame whose children are under survey. */
	#surveyed: Frame | undefined;
	#survey: RecordSurvey | undefined;
	#spare: RecordSurvey | undefined;
	readonly #rootSurvey: RecordSurvey | undefined;
	#kept: { start: number; survey: RecordSurvey; bytes: number } | undefined;

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
		for (let frame: Frame | undefined = this.#frame; frame !== undefined; frame = frame.outer) {
			frame.thinCheckpoints();
		}
	}

	/**
	 * Ends the input.
	 *
	 * @throws {JsonSyntaxError}
	 */
	end(): ScannedDocument {
		this.#chunk = NOTHING;
		const tokenizer = this.#tokenizer;
		tokenizer.end();
		const size = this.#chunkStart;
		const isSequence = tokenizer.roots > 1;
		endNotices(this.#frame);
		if (this.#surveyed === this.#frame) {
			this.#endSurvey(this.#frame, isSequence, Infinity, -1);
		}

		return {
			size,
			characters: size - tokenizer.continuations,
			wide: tokenizer.wide,
			start: this.#rootStart,
			end: this.#rootEnd,
			sequence: isSequence
				? this.#describe(ARRAY, this.#frame, this.#rootStart, this.#rootEnd, false)
				: undefined,
			large: this.#large,
			survey: this.#kept,
			notes: this.#notes(),
		};
	}

	/** Whether all so far is one array of objects, still open, without white space before it or in it. */
	get isCompactRecordArray(): boolean {
		const root = this.#root.inner;
		return root !== undefined && root === this.#surveyed && root.start + this.#tokenizer.whitespace === 0;
	}

	openObject(start: number): void {
		if (this.#opaqueDepth === 0 && !this.#frame.isObject) {
			this.#beginRecord(this.#frame);
		}

		this.#open(true, start);
	}

	openArray(start: number): void {
		this.#open(false, start);
	}

	closeObject(end: number): void {
		this.#close(OBJECT, end);
	}

	closeArray(end: number): void {
		this.#close(ARRAY, end);
	}

	key(start: number, end: number): void {
		if (this.#opaqueDepth > 0) {
			return;
		}

		const { keys, escaped } = this.#tokenizer;
		let { low, high } = keys;
		if (escaped && end - start - 2 <= LONGEST_DECODED_KEY) {
			this.find(start, end);
			({ low, high } = this.#hash.takeKey(this.bytes, this.from, this.from + end - start));
		}

		this.#keys.add(this.#frame.level, joinHash(low, high));
		this.#takeKey(start, end, low, high);
	}

	scalar(kind: Scalar, start: number, end: number): void {
		if (this.#opaqueDepth > 0) {
			return;
		}

		const flags = kind === STRING && end - start >= SHORTEST_NOTICE ? this.#noticeFlags(start, end) : 0;
		this.#endValue(kind, start, end, isEmptyScalar(kind, end - start), flags);
	}

	members(length: number, base: number): void {
		if (this.#opaqueDepth > 0) {
			return;
		}

		const frame = this.#frame;
		this.#keys.addRun(frame.level, length);
		let removed = 0;
		for (let index = 0; index < length; index++) {
			const kind = run.kind[index] as Scalar;
			const start = run.start[index];
			const end = run.end[index];
			let isRemoved = isEmptyScalar(kind, end - start) || isRemovedField(run.low[index], run.high[index]);
			if (end - start >= SHORTEST_NOTICE || end - run.keyStart[index] > LARGE) {
				isRemoved = this.#takeLongMember(index, base, isRemoved);
			}

			if (isRemoved) {
				removed |= 1 << index;
				frame.removed++;
			}
		}

		frame.items += length;
		if (frame.fieldDepth === 0) {
			this.#survey?.fields(length, base, removed, this);
		} else if (frame.fieldDepth > 0) {
			const { fieldLow, fieldHigh } = frame.outer as Frame;
			this.#survey?.nestedFields(length, base, removed, fieldLow, fieldHigh, this);
		}
	}

	/** Looks at a member of a run that may be a notice, or large. @returns whether the clean-up removes it. */
	#takeLongMember(index: number, base: number, isRemovable: boolean): boolean {
		const kind = run.kind[index] as Scalar;
		const keyStart = base + run.keyStart[index];
		const keyEnd = base + run.keyEnd[index];
		const start = base + run.start[index];
		const end = base + run.end[index];
		const flags = kind === STRING && end - start >= SHORTEST_NOTICE ? this.#noticeFlags(start, end) : 0;
		const isRemoved = isRemovable && (flags & HOLDS_NOTICE) === 0;
		this.#frame.flags |= flags;
		if (keyEnd - keyStart > LARGE) {
			this.#addLarge(this.#describeScalar('key', keyStart, keyEnd, false, false));
		}

		if (end - keyStart > LARGE) {
			this.#addLarge(this.#describeScalar(kind, start, end, isRemoved, false, (flags & HOLDS_NOTICE) !== 0));
		}

		return isRemoved;
	}

	#takeKey(start: number, end: number, low: number, high: number): void {
		const frame = this.#frame;
		frame.keyStart = start;
		frame.keyEnd = end;
		frame.isRemovedKey = isRemovedField(low, high);
		if (frame.fieldDepth > 0) {
			const outer = frame.outer as Frame;
			frame.fieldLow = nestHash(outer.fieldLow, low);
			frame.fieldHigh = nestHash(outer.fieldHigh, high);
		} else {
			frame.fieldLow = low;
			frame.fieldHigh = high;
		}

		if (end - start > LARGE) {
			this.#addLarge(this.#describeScalar('key', start, end, false, false));
		}
	}

	#open(isObject: boolean, start: number): void {
		const outer = this.#frame;
		if (this.#opaqueDepth > 0 || outer.level > MAX_DEPTH) {
			if (this.#opaqueDepth++ === 0) {
				this.#opaqueStart = start;
			}

			return;
		}

		outer.inner ??= new Frame(outer);
		const frame = outer.inner;
		frame.begin(isObject, start, this.#tokenizer.whitespace);
		if (isObject) {
			frame.fieldDepth = this.#fieldDepth(outer);
			this.#keys.open(frame.level);
		}

		this.#frame = frame;
	}

	#close(kind: Kind, end: number): void {
		if (this.#opaqueDepth > 0) {
			if (--this.#opaqueDepth === 0) {
				this.#endValue(kind, this.#opaqueStart, end, false, 0, true);
			}

			return;
		}

		const frame = this.#frame;
		if (kind === OBJECT) {
			if (frame.removed > 0 && this.#hasRepeatedKeys(frame, end)) {
				frame.hasDuplicates = true;
				frame.removed = 0;
				frame.removedObjects = 0;
			}

			this.#keys.close(frame.level);
		}

		if (frame.removed > 0) {
			frame.flags |= IS_CHANGED;
		}

		endNotices(frame);
		if (frame === this.#surveyed) {
			this.#endSurvey(frame, true, end - frame.start, frame.start + this.#base);
		}

		this.#frame = frame.outer as Frame;
		const isEmpty = frame.removed === frame.items;
		this.#endValue(kind, frame.start, end, isEmpty, frame.flags & (HOLDS_NOTICE | IS_CHANGED));
	}

	/** A value of the open container is over. `flags` are what its container learns from it. */
	#endValue(kind: Kind, start: number, end: number, isEmpty: boolean, flags: number, isOpaque = false): void {
		const frame = this.#frame;
		const { isObject } = frame;
		const isRoot = frame.level === 0;
		// Lines of a sequence are documents of their own: clean-up empties them, it does not take them away.
		const isRemovable =
			!isRoot && (isEmpty || (isObject && frame.isRemovedKey && (flags & HOLDS_NOTICE) === 0));

		// A key, or white space behind it, can make a member too large for a tape.
		if (end - (isObject ? frame.keyStart : start) > LARGE) {
			this.#addLarge(
				kind >= ARRAY && !isOpaque
					? this.#describe(kind, frame.inner as Frame, start + this.#base, end + this.#base, isRemovable)
					: this.#describeScalar(kind, start, end, isRemovable, isOpaque, (flags & HOLDS_NOTICE) !== 0),
			);
		}

		if (!isObject) {
			frame.offerCheckpoint(start, this.#base);
			frame.flags &= ~RECORDS_NOTICE_LAST;
			if (frame === this.#surveyed && !isRemovable) {
				this.#endRecord(kind, frame);
			}
		} else if (frame.fieldDepth >= 0) {
			this.#survey?.field(
				frame.fieldLow,
				frame.fieldHigh,
				frame.fieldDepth > 0,
				kind,
				start,
				end,
				isRemovable,
				this,
			);
		}

		frame.items++;
		frame.flags |= flags;
		if (isRemovable) {
			frame.removed++;
		}

		if (kind === OBJECT) {
			frame.objects++;
			if (isRemovable) {
				frame.removedObjects++;
			}
		}

		if (isRoot) {
			if (frame.items === 1) {
				this.#rootStart = start + this.#base;
			}

			this.#rootEnd = end + this.#base;
		}
	}

	/** An object opens in `frame`, which is none: a record, where the objects in it are, or come to be, under survey. */
	#beginRecord(frame: Frame): void {
		if (frame !== this.#surveyed) {
			const isFirst = frame.survivors === 0;
			// A survey of the document's own values gives way: it is one document rather than a sequence, most likely.
			const isFree =
				this.#surveyed === undefined ||
				(this.#surveyed.level === 0 && this.#surveyed.items === 0 && !this.#isSequence);
			const isWanted = this.#rootSurvey === undefined || frame.level === (this.#isSequence ? 0 : 1);
			if (!isFirst || !isFree || !isWanted) {
				return;
			}

			this.#startSurvey(frame);
		}

		this.#survey?.beginRecord();
	}

	#startSurvey(frame: Frame): void {
		for (let open: Frame | undefined = frame; open !== undefined; open = open.outer) {
			open.fieldDepth = -1;
		}

		this.#surveyed = frame;
		this.#survey = this.#rootSurvey ?? this.#spare ?? new RecordSurvey();
		this.#spare = undefined;
	}

	/** The `fieldDepth` of an object that opens in `outer`. */
	#fieldDepth(outer: Frame): number {
		if (outer === this.#surveyed) {
			return 0;
		}

		return outer.fieldDepth < 0 || outer.fieldDepth === MAX_NESTED || outer.isRemovedKey
			? -1
			: outer.fieldDepth + 1;
	}

	#endRecord(kind: Kind, frame: Frame): void {
		if (kind === OBJECT) {
			this.#survey?.endRecord(frame.inner?.hasDuplicates !== true);
		} else {
			this.#dropSurvey();
		}
	}

	#endSurvey(frame: Frame, isArray: boolean, bytes: number, start: number): void {
		const isRecords =
			isArray &&
			frame.survivors >= MIN_RECORDS &&
			frame.survivingObjects === frame.survivors &&
			(frame.flags & HOLDS_NOTICE) === 0;
		if (isRecords && bytes > LARGE && bytes > (this.#kept?.bytes ?? 0) && this.#survey !== undefined) {
			this.#kept = { start, survey: this.#survey, bytes };
			this.#survey = undefined;
		}

		this.#dropSurvey();
	}

	/** Ends a survey that nobody will read; another array may use it again. */
	#dropSurvey(): void {
		this.#surveyed = undefined;
		if (this.#survey !== undefined && this.#survey !== this.#rootSurvey) {
			this.#survey.clear();
			this.#spare = this.#survey;
		}

		this.#survey = undefined;
	}

	#hasRepeatedKeys(frame: Frame, end: number): boolean {
		const answer = this.#keys.hasRepeats(frame.level, (suspects) =>
			repeatsKey(this.#source, frame.start + this.#base, end + this.#base, suspects),
		);
		if (answer === undefined) {
			this.#uncleanedObjects++;
			return true;
		}

		return answer;
	}

	#addLarge(value: LargeValue): void {
		this.#large.set(value.start, value);
	}

	/** A large container, or a sequence, between two absolute offsets. */
	#describe(kind: Kind, frame: Frame, start: number, end: number, isRemovable: boolean): LargeValue {
		return {
			kind,
			start,
			end,
			isRemovable,
			items: frame.items,
			objects: frame.objects,
			survivors: frame.survivors,
			survivingObjects: frame.survivingObjects,
			holdsNotice: (frame.flags & HOLDS_NOTICE) !== 0,
			hasDuplicates: frame.hasDuplicates,
			isChanged: (frame.flags & IS_CHANGED) !== 0,
			hasWhitespace: this.#tokenizer.whitespace > frame.whitespace,
			isOpaque: false,
			scalars: 0,
			loneSurrogate: false,
			checkpoints: frame.checkpoints,
		};
	}

	#describeScalar(
		kind: Kind | 'key',
		start: number,
		end: number,
		isRemovable: boolean,
		isOpaque: boolean,
		holdsNotice = false,
	): LargeValue {
		return {
			kind,
			start: start + this.#base,
			end: end + this.#base,
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
			// Not the same again: to store a pointer is dear.
			if (this.bytes !== this.#chunk) {
				this.bytes = this.#chunk;
			}

			this.from = from;
			return;
		}

		if (this.#straddling.length < end - start) {
			this.#straddling = Buffer.alloc(end - start);
		}

		this.#source.read(this.#straddling, 0, end - start, start + this.#base);
		this.bytes = this.#straddling;
		this.from = 0;
	}

	findKey(member: number): number {
		const start = member < 0 ? this.#frame.keyStart : this.#chunkStart + run.keyStart[member];
		const end = member < 0 ? this.#frame.keyEnd : this.#chunkStart + run.keyEnd[member];
		this.find(start, end);
		return end - start;
	}

	/** What the container learns of a string that may be one of our notices. */
	#noticeFlags(start: number, end: number): number {
		const from = Math.max(start, end - NOTICE_REACH - 2);
		this.find(from, end);
		const notice = noticeInLexeme(this.bytes, this.from - (from - start), this.from + end - from, this.#ours);
		const { isObject } = this.#frame;
		if (notice === undefined || (notice === 'items' && isObject)) {
			return 0;
		}

		return notice === 'records' ? (isObject ? 0 : RECORDS_NOTICE_LAST) : HOLDS_NOTICE;
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

/** A notice of omitted records is ours where it stands last, after nothing but records. */
function endNotices(frame: Frame): void {
	if ((frame.flags & RECORDS_NOTICE_LAST) !== 0 && frame.survivingObjects === frame.survivors - 1) {
		frame.flags |= HOLDS_NOTICE;
	}
}

function isEmptyScalar(kind: Scalar, length: number): boolean {
	return kind === NULL || (kind === STRING && length === 2);
}
