/** What the scan knows of a container that is open, or has just been closed. Offsets are those of the tokenizer. */

import { CHECKPOINT_INTERVAL, type Checkpoints, MAX_CHECKPOINTS } from './document.js';

/** One of our notices stands in it. */
export const HOLDS_NOTICE = 1;

/** The clean-up changes something in it. */
export const IS_CHANGED = 2;

/** Its last item is a notice of omitted records; ours only if nothing but records stands before it. */
export const RECORDS_NOTICE_LAST = 4;

/** Frames are linked, one for each level, and used again: a container costs no memory of its own. */
export class Frame {
	/** 0 is the document, whose children are its root values. */
	readonly level: number;
	readonly outer: Frame | undefined;

	/** The frame of the container within it that closed last, or is open. */
	inner: Frame | undefined;

	isObject = false;
	start = 0;

	/** White space of the input before it, bytes. */
	whitespace = 0;

	/** Children, and the objects among them; and those of either that the clean-up removes. */
	items = 0;
	objects = 0;
	removed = 0;
	removedObjects = 0;

	/** Of the constants above. */
	flags = 0;

	/** An object whose keys repeat, or are too many to tell: it is not cleaned. */
	hasDuplicates = false;

	/** How many objects within a record under survey it lies, the record being 0; -1 where it lies in none. */
	fieldDepth = -1;

	/** Of the member at hand: its key, the hash of the path to it in two parts, and whether the clean-up removes it by name. */
	keyStart = 0;
	keyEnd = 0;
	fieldLow = 0;
	fieldHigh = 0;
	isRemovedKey = false;

	/** Places from which it can be read on. */
	checkpoints: Checkpoints | undefined;
	#lastCheckpoint = 0;
	#interval = CHECKPOINT_INTERVAL;

	constructor(outer: Frame | undefined) {
		this.outer = outer;
		this.level = outer === undefined ? 0 : outer.level + 1;
	}

	/** Begins a container. */
	begin(isObject: boolean, start: number, whitespace: number): void {
		this.isObject = isObject;
		this.start = start;
		this.whitespace = whitespace;
		this.items = 0;
		this.objects = 0;
		this.removed = 0;
		this.removedObjects = 0;
		this.flags = 0;
		this.hasDuplicates = false;
		this.fieldDepth = -1;
		this.checkpoints = undefined;
		this.#lastCheckpoint = start;
		this.#interval = CHECKPOINT_INTERVAL;
	}

	/** Children that the clean-up leaves. */
	get survivors(): number {
		return this.items - this.removed;
	}

	get survivingObjects(): number {
		return this.objects - this.removedObjects;
	}

	/** Remembers the place of the child that starts at `start`, before it is counted, where the last one is far. */
	offerCheckpoint(start: number, base: number): void {
		if (start - this.#lastCheckpoint >= this.#interval) {
			this.#addCheckpoint(start, base);
		}
	}

	/** Forgets every other place where there are too many: for now and then, not for every value. */
	thinCheckpoints(): void {
		if (this.checkpoints === undefined || this.checkpoints.offsets.length <= MAX_CHECKPOINTS) {
			return;
		}

		this.#interval *= 2;
		const { ordinals, items, offsets } = this.checkpoints;
		for (const column of [ordinals, items, offsets]) {
			for (let index = 1; index < column.length / 2; index++) {
				column[index] = column[index * 2];
			}

			column.length = Math.ceil(column.length / 2);
		}
	}

	#addCheckpoint(start: number, base: number): void {
		this.#lastCheckpoint = start;
		this.checkpoints ??= { ordinals: [], items: [], offsets: [] };
		this.checkpoints.ordinals.push(this.survivors);
		this.checkpoints.items.push(this.items);
		this.checkpoints.offsets.push(start + base);
	}
}
