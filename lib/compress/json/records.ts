/** Which records of an array to keep: its survey, gathered during the scan or when it is asked for, and the selection. */

import { hashText, nestHash, TextHash } from '../../json/hash.js';
import { type Kind, OBJECT } from '../../json/kinds.js';
import type { Source } from '../../source/types.js';
import type { OurNotices } from '../notice.js';
import type { OrdinalSet } from '../ordinals.js';
import { selectRecords } from '../selection.js';
import type { ContainerFacts, LargeValue, ScannedDocument } from './document.js';
import { DocumentScan } from './scan.js';
import { type LexemeReader, MAX_NESTED, RecordSurvey } from './survey.js';
import { only, type Value, type Walker } from './walk.js';
import { Writer } from './writer.js';

const BLOCK = 256 * 1024;

/** Writes a value cleaned and without bounds. */
type WriteValue = (value: Value, depth: number, writer: Writer) => void;

export class RecordSelection {
	/** Remarks for the user, each once. */
	readonly notes = new Set<string>();

	readonly #source: Source;
	readonly #document: ScannedDocument;
	readonly #walker: Walker;
	readonly #ours: OurNotices;
	readonly #writeValue: WriteValue;
	readonly #hash = new TextHash();

	/** The field of a small record that is being surveyed. */
	#field = 0;
	readonly #known = new Map<LargeValue, OrdinalSet>();

	constructor(
		source: Source,
		document: ScannedDocument,
		walker: Walker,
		ours: OurNotices,
		writeValue: WriteValue,
	) {
		this.#source = source;
		this.#document = document;
		this.#walker = walker;
		this.#ours = ours;
		this.#writeValue = writeValue;
	}

	/**
	 * The numbers of the records to keep, among those that survive the clean-up.
	 *
	 * @param depth depth of the records.
	 */
	keep(array: Value, facts: ContainerFacts, depth: number): OrdinalSet {
		if (typeof array === 'number') {
			return this.#select(array, facts, depth, this.#surveySmall(array));
		}

		let kept = this.#known.get(array);
		if (kept === undefined) {
			const { survey } = this.#document;
			const start = array === this.#document.sequence ? -1 : array.start;
			kept = this.#select(
				array,
				facts,
				depth,
				survey?.start === start ? survey.survey : this.#surveyLarge(array),
			);
			this.#known.set(array, kept);
		}

		return kept;
	}

	#select(array: Value, facts: ContainerFacts, depth: number, survey: RecordSurvey): OrdinalSet {
		if (survey.limitation !== undefined) {
			this.notes.add(survey.limitation);
		}

		let print = 0;
		const writer = new Writer({
			write(bytes) {
				print = (print + hashText(bytes)) % Number.MAX_SAFE_INTEGER;
			},
		});
		return selectRecords({
			count: facts.survivors,
			classes: survey.classes((shapes) =>
				typeof array === 'number'
					? this.#surveySmall(array, shapes).marked
					: this.#surveyLarge(array, shapes).marked,
			),
			fingerprint: (ordinal) => {
				print = 0;
				this.#walker.children(array, depth, only(ordinal), (record) => {
					this.#writeValue(record, depth, writer);
					writer.flush();
					return false;
				});
				return print;
			},
		});
	}

	#surveySmall(array: number, shapes?: ReadonlySet<number>): RecordSurvey {
		const survey = new RecordSurvey(shapes);
		const { tape, facts } = this.#walker;
		const reader: LexemeReader = {
			bytes: tape.bytes,
			from: 0,
			find(start) {
				reader.from = start;
			},
			findKey: () => {
				reader.from = tape.keyStart[this.#field];
				return tape.keyEnd[this.#field] - tape.keyStart[this.#field];
			},
		};
		for (let record = array + 1; record < tape.next[array]; record = tape.next[record]) {
			if (tape.kind[record] !== OBJECT || facts.isRemoved(record)) {
				continue;
			}

			survey.beginRecord();
			this.#surveyFields(survey, reader, record, 0, 0, 0);
			survey.endRecord(!facts.repeatsKey(record));
		}

		return survey;
	}

	#surveyFields(
		survey: RecordSurvey,
		reader: LexemeReader,
		object: number,
		level: number,
		outerLow: number,
		outerHigh: number,
	): void {
		const { tape, facts } = this.#walker;
		for (let field = object + 1; field < tape.next[object]; field = tape.next[field]) {
			this.#hash.takeKey(tape.bytes, tape.keyStart[field], tape.keyEnd[field]);
			const low = level === 0 ? this.#hash.low : nestHash(outerLow, this.#hash.low);
			const high = level === 0 ? this.#hash.high : nestHash(outerHigh, this.#hash.high);
			if (tape.kind[field] === OBJECT && level < MAX_NESTED && !facts.isRemovable(field)) {
				this.#surveyFields(survey, reader, field, level + 1, low, high);
			}

			this.#field = field;
			survey.field(
				low,
				high,
				level > 0,
				tape.kind[field] as Kind,
				tape.start[field],
				tape.end[field],
				facts.isRemovable(field),
				reader,
			);
		}
	}

	/** Scans the array once more: one within another had no survey of its own, or some shapes are to be marked. */
	#surveyLarge(array: LargeValue, shapes?: ReadonlySet<number>): RecordSurvey {
		const survey = new RecordSurvey(shapes);
		const scan = new DocumentScan({
			source: this.#source,
			ours: this.#ours,
			offset: array.start,
			isSequence: array === this.#document.sequence,
			survey,
		});
		const block = new Uint8Array(BLOCK);
		for (let position = array.start; position < array.end; ) {
			const length = this.#source.read(block, 0, Math.min(block.length, array.end - position), position);
			scan.write(block.subarray(0, length));
			position += length;
		}

		scan.end();
		return survey;
	}
}
