/** What one pass learns of an array of records: errors, shapes, numbers. Knows records as fields that come one by one. */

import { BACKSLASH } from '../../json/bytes.js';
import { joinHash, nestHash, TextHash } from '../../json/hash.js';
import { FALSE, type Kind, NULL, NUMBER, type Scalar, STRING } from '../../json/kinds.js';
import * as run from '../../json/member-run.js';
import { decodeText } from '../../json/text.js';
import { OrdinalSet } from '../ordinals.js';
import type { CriticalClasses } from '../selection.js';
import { NumericFields } from '../statistics.js';
import { ERROR, type FieldRole, isAlarm, isNothing, LONGEST_ROLE_NAME, PLAIN, roleOf } from './cleanup.js';

/** Fields and shapes told apart; what comes after them has no statistics. */
export const MAX_TRACKED = 1024;

/** Objects within a record, one in the other, whose fields are looked at as well. */
export const MAX_NESTED = 2;

/** Shapes that count as rare, the rarest first, and shapes whose first record is kept. */
export const MAX_RARE_SHAPES = 32;

/** Share of the records that a rare shape may have. */
const RARE_SHARE = 0.05;

/** Records remembered of each shape; a rare shape with more is looked up in a second pass. */
const MAX_REMEMBERED = 64;

/** Bytes of a status that are searched for words of alarm. */
const MAX_STATUS = 64 * 1024;

/** Fields whose order is remembered from one record to the next: two hashes, number and role of each. */
const MAX_ORDER = 64;
const ORDER_STRIDE = 4;

/** Verdicts on status texts that are remembered. */
const MAX_VERDICTS = 1024;

/** Finds the bytes of a lexeme; what it found is valid until the next call. */
export interface LexemeReader {
	/** Holds the lexeme, from `from` on. */
	bytes: Uint8Array;
	from: number;

	/** Finds the lexeme between two offsets. */
	find(start: number, end: number): void;

	/**
	 * Finds the key of the field at hand.
	 *
	 * @param member its number in the run that it belongs to, or -1.
	 * @returns its length, bytes, quotation marks included.
	 */
	findKey(member: number): number;
}

/** What a record's shape is told apart by. */
interface Shape {
	readonly hash: number;
	count: number;
	readonly remembered: number[];
}

export class RecordSurvey {
	/** Records so far that survive the clean-up. */
	count = 0;

	#errors = new OrdinalSet();
	readonly #numbers = new NumericFields();
	readonly #fields = new Map<number, number>();
	readonly #roles: FieldRole[] = [];
	readonly #shapes = new Map<number, Shape>();
	readonly #verdicts = new Map<number, boolean>();
	#lastLow = 0;
	#lastHigh = 0;
	#lastVerdict = false;

	/** Fields of the last record in their order, `ORDER_STRIDE` numbers each: those of the next one mostly come alike. */
	readonly #order = new Int32Array(MAX_ORDER * ORDER_STRIDE).fill(-1);
	#position = 0;
	readonly #hash = new TextHash();

	readonly #wanted: ReadonlySet<number> | undefined;

	/** Records of the shapes that were asked for. */
	readonly marked = new OrdinalSet();

	#lastShape: Shape | undefined;
	#untrackedFields = false;
	#untrackedShapes = false;
	#isError = false;
	/** Sums over the hashes of all fields of the record, and of those that the clean-up removes. */
	#allLow = 0;
	#allHigh = 0;
	#removedLow = 0;
	#removedHigh = 0;

	/** @param wantedShapes hashes of shapes whose records are to be marked. */
	constructor(wantedShapes?: ReadonlySet<number>) {
		this.#wanted = wantedShapes;
	}

	/** What was not tracked, in words for the user; empty where all was. */
	get limitation(): string | undefined {
		const parts = [this.#untrackedFields ? 'fields' : '', this.#untrackedShapes ? 'shapes' : ''].filter(
			Boolean,
		);
		return parts.length === 0
			? undefined
			: `more than ${MAX_TRACKED} ${parts.join(' and ')} in an array of records; the rest have no statistics`;
	}

	/** Forgets everything: for another array. A new survey costs more than all of a small array. */
	clear(): void {
		this.count = 0;
		if (this.#errors.size > 0) {
			this.#errors = new OrdinalSet();
		}

		this.#numbers.clear();
		this.#fields.clear();
		this.#roles.length = 0;
		this.#shapes.clear();
		this.#order.fill(-1);
		this.#lastShape = undefined;
		this.#untrackedFields = false;
		this.#untrackedShapes = false;
	}

	beginRecord(): void {
		this.#position = 0;
		this.#isError = false;
		this.#allLow = 0;
		this.#allHigh = 0;
		this.#removedLow = 0;
		this.#removedHigh = 0;
	}

	/**
	 * A field of the record, or of an object in it, its value known. Fields of inner objects come before the field
	 * that holds the object; they tell of errors and extremes, not of the record's shape or of outliers.
	 *
	 * @param low the one hash of its name, or of the path to it.
	 * @param high the other.
	 * @param isNested whether it is a field of an object in the record.
	 * @param isRemoved whether the clean-up removes it.
	 */
	field(
		low: number,
		high: number,
		isNested: boolean,
		kind: Kind,
		start: number,
		end: number,
		isRemoved: boolean,
		reader: LexemeReader,
	): void {
		if (!isNested) {
			this.#addToShape(low, high, isRemoved);
		}

		this.#take(low, high, isNested, kind, start, end, isRemoved, reader, -1);
	}

	/**
	 * What `field` would be told of each member of a run of the record's own.
	 *
	 * @param base what the offsets of the run count from.
	 * @param removed a bit for each member, set where the clean-up removes it.
	 */
	fields(length: number, base: number, removed: number, reader: LexemeReader): void {
		for (let index = 0; index < length; index++) {
			const low = run.low[index];
			const high = run.high[index];
			const isRemoved = (removed & (1 << index)) !== 0;
			const kind = run.kind[index] as Scalar;
			this.#addToShape(low, high, isRemoved);
			this.#take(
				low,
				high,
				false,
				kind,
				base + run.start[index],
				base + run.end[index],
				isRemoved,
				reader,
				index,
			);
		}
	}

	/**
	 * The same for members of an object in the record.
	 *
	 * @param outerLow the one hash of the path to the object.
	 * @param outerHigh the other.
	 */
	nestedFields(
		length: number,
		base: number,
		removed: number,
		outerLow: number,
		outerHigh: number,
		reader: LexemeReader,
	): void {
		for (let index = 0; index < length; index++) {
			const low = nestHash(outerLow, run.low[index]);
			const high = nestHash(outerHigh, run.high[index]);
			const isRemoved = (removed & (1 << index)) !== 0;
			const kind = run.kind[index] as Scalar;
			this.#take(
				low,
				high,
				true,
				kind,
				base + run.start[index],
				base + run.end[index],
				isRemoved,
				reader,
				index,
			);
		}
	}

	#take(
		low: number,
		high: number,
		isNested: boolean,
		kind: Kind,
		start: number,
		end: number,
		isRemoved: boolean,
		reader: LexemeReader,
		member: number,
	): void {
		const position = this.#position++;
		if (isRemoved) {
			return;
		}

		const order = this.#order;
		const at = (position % MAX_ORDER) * ORDER_STRIDE;
		if (order[at] !== low || order[at + 1] !== high || order[at + 2] < 0) {
			this.#expect(at, low, high, reader, member);
		}

		const role = order[at + 3] as FieldRole;
		if (kind === NUMBER) {
			this.#takeNumber(order[at + 2], role, isNested, start, end, reader);
		} else if (role !== PLAIN && !this.#isError) {
			this.#isError =
				role === ERROR
					? isSet(kind, start, end, reader)
					: kind === STRING && this.#isAlarming(start, end, reader);
		}
	}

	/**
	 * The end of a record that survives the clean-up.
	 *
	 * @param isCleaned whether what the clean-up would remove from it is removed.
	 */
	endRecord(isCleaned: boolean): void {
		const ordinal = this.count++;
		if (this.#isError) {
			this.#errors.add(ordinal);
		}

		const hash = isCleaned
			? joinHash(this.#allLow - this.#removedLow, this.#allHigh - this.#removedHigh)
			: joinHash(this.#allLow, this.#allHigh);
		if (this.#wanted?.has(hash)) {
			this.marked.add(ordinal);
		}

		let shape = this.#lastShape;
		if (shape === undefined || shape.hash !== hash) {
			shape = this.#shapes.get(hash);
			if (shape === undefined) {
				if (this.#shapes.size >= MAX_TRACKED) {
					this.#untrackedShapes = true;
					return;
				}

				shape = { hash, count: 0, remembered: [] };
				this.#shapes.set(hash, shape);
			}

			this.#lastShape = shape;
		}

		shape.count++;
		if (shape.remembered.length < MAX_REMEMBERED) {
			shape.remembered.push(ordinal);
		}
	}

	/**
	 * @param mark runs a second pass that marks the records of some shapes; asked for only where a rare shape
	 * has more records than are remembered.
	 */
	classes(mark: (shapes: ReadonlySet<number>) => OrdinalSet): CriticalClasses {
		const shapes = [...this.#shapes.values()];
		const rareShapes = new OrdinalSet();
		for (const shape of shapes.slice(0, MAX_RARE_SHAPES)) {
			rareShapes.add(shape.remembered[0]);
		}

		const toMark = new Set<number>();
		for (const shape of this.#rare(shapes)) {
			if (shape.count > shape.remembered.length) {
				toMark.add(shape.hash);
			} else {
				for (const ordinal of shape.remembered) {
					rareShapes.add(ordinal);
				}
			}
		}

		if (toMark.size > 0) {
			rareShapes.addAll(mark(toMark));
		}

		return {
			errors: this.#errors,
			rareShapes,
			outliers: this.#numbers.outliers(),
			extremes: this.#numbers.extremes(),
		};
	}

	/** Shapes that few records have, the rarest first. Where most records have such a shape, none is out of the ordinary. */
	#rare(shapes: readonly Shape[]): Shape[] {
		const rare = shapes.filter((shape) => shape.count <= this.count * RARE_SHARE);
		const tracked = shapes.reduce((sum, shape) => sum + shape.count, 0);
		const common = tracked - rare.reduce((sum, shape) => sum + shape.count, 0);
		return common * 2 < this.count
			? []
			: rare.sort((a, b) => a.count - b.count || a.remembered[0] - b.remembered[0]).slice(0, MAX_RARE_SHAPES);
	}

	/** A sum over the fields' hashes does not depend on their order: a shape is a set of names. */
	#addToShape(low: number, high: number, isRemoved: boolean): void {
		const mixedLow = Math.imul(low ^ 0x5bd1e995, 0x9e3779b1);
		const mixedHigh = Math.imul(high ^ mixedLow, 0x85ebca6b);
		this.#allLow = (this.#allLow + mixedLow) | 0;
		this.#allHigh = (this.#allHigh + mixedHigh) | 0;
		if (isRemoved) {
			this.#removedLow = (this.#removedLow + mixedLow) | 0;
			this.#removedHigh = (this.#removedHigh + mixedHigh) | 0;
		}
	}

	/** Finds out which field it is that stands here, and expects it here again. */
	#expect(at: number, low: number, high: number, reader: LexemeReader, member: number): void {
		const hash = joinHash(low, high);
		let field = this.#fields.get(hash);
		if (field === undefined) {
			field = this.#fields.size;
			if (field < MAX_TRACKED) {
				this.#fields.set(hash, field);
				this.#roles.push(readRole(reader, member));
			} else {
				this.#untrackedFields = true;
			}
		}

		this.#order[at] = low;
		this.#order[at + 1] = high;
		this.#order[at + 2] = field;
		this.#order[at + 3] = field < MAX_TRACKED ? this.#roles[field] : readRole(reader, member);
	}

	#takeNumber(
		field: number,
		role: FieldRole,
		isNested: boolean,
		start: number,
		end: number,
		reader: LexemeReader,
	): void {
		reader.find(start, end);
		const value = parseNumber(reader.bytes, reader.from, reader.from + end - start);
		if (field < MAX_TRACKED && Number.isFinite(value)) {
			this.#numbers.add(field, value, this.count, !isNested);
		}

		this.#isError ||= role === ERROR && value !== 0;
	}

	#isAlarming(start: number, end: number, reader: LexemeReader): boolean {
		if (end - start > LONGEST_VERDICT) {
			return isAlarm(readText(reader, start, Math.min(end, start + MAX_STATUS)));
		}

		// Few status texts differ; a verdict on each is enough.
		reader.find(start, end);
		const { low, high } = this.#hash.take(reader.bytes, reader.from, reader.from + end - start);
		if (low === this.#lastLow && high === this.#lastHigh) {
			return this.#lastVerdict;
		}

		const hash = joinHash(low, high);
		let verdict = this.#verdicts.get(hash);
		if (verdict === undefined) {
			verdict = isAlarm(readText(reader, start, end));
			if (this.#verdicts.size < MAX_VERDICTS) {
				this.#verdicts.set(hash, verdict);
			}
		}

		this.#lastLow = low;
		this.#lastHigh = high;
		this.#lastVerdict = verdict;
		return verdict;
	}
}

/** Bytes of a status whose verdict is remembered. */
const LONGEST_VERDICT = 64;

/** Bytes of the text of an error field that may say that there is none. */
const LONGEST_NOTHING = 32;

/** Bytes of a key that may give a field a role, escapes included; a key may be as long as the input. */
const LONGEST_ROLE = 128;

/** Whether a field that tells of errors, and is no number, tells of one. */
function isSet(kind: Kind, start: number, end: number, reader: LexemeReader): boolean {
	const saysNothing =
		kind === STRING && end - start < LONGEST_NOTHING && isNothing(readText(reader, start, end));
	return kind !== NULL && kind !== FALSE && !saysNothing;
}

function readText(reader: LexemeReader, start: number, end: number): string {
	reader.find(start, end);
	return textAt(reader, end - start);
}

function readRole(reader: LexemeReader, member: number): FieldRole {
	const length = reader.findKey(member);
	const { bytes, from } = reader;
	// Most names are told by their length: an object may have a million.
	const isTooLong =
		length > LONGEST_ROLE || (length > LONGEST_ROLE_NAME + 2 && !holdsEscape(bytes, from, from + length));
	return isTooLong ? PLAIN : roleOf(textAt(reader, length));
}

function holdsEscape(bytes: Uint8Array, from: number, to: number): boolean {
	let index = from;
	while (index < to && bytes[index] !== BACKSLASH) {
		index++;
	}

	return index < to;
}

function textAt({ bytes, from }: LexemeReader, length: number): string {
	const text = decodeText(bytes, from, from + length);
	return Buffer.from(text.buffer, text.byteOffset, text.length).toString('utf8');
}

/** Digits that a double holds exactly. */
const EXACT_DIGITS = 15;

/** Characters of a number that is looked at; what is longer has no statistics. */
const LONGEST_NUMBER = 1024;

/** The double nearest to the number lexeme `bytes[from…to)`; NaN for one that is out of all proportion. */
function parseNumber(bytes: Uint8Array, from: number, to: number): number {
	if (to - from > LONGEST_NUMBER) {
		return Number.NaN;
	}

	// Short decimals, which most are, need no string: digits and power of ten are exact doubles, so their
	// quotient is the nearest one.
	const isNegative = bytes[from] === 0x2d;
	let index = isNegative ? from + 1 : from;
	if (to - index <= EXACT_DIGITS) {
		let digits = 0;
		let point = to - 1;
		for (; index < to; index++) {
			const byte = bytes[index];
			if (byte >= 0x30 && byte <= 0x39) {
				digits = digits * 10 + (byte - 0x30);
			} else if (byte === 0x2e) {
				point = index;
			} else {
				break;
			}
		}

		if (index === to) {
			const value = point === to - 1 ? digits : digits / POWERS[to - 1 - point];
			return isNegative ? -value : value;
		}
	}

	return Number(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1'));
}

const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);
