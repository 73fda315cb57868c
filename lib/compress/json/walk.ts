/** Children of a container, small or large, in order: those the clean-up leaves, or some of them by number. */

import { OBJECT } from '../../json/kinds.js';
import { STRETCH, type Tape } from '../../json/tape.js';
import type { Source } from '../../source/types.js';
import type { OurNotices } from '../notice.js';
import { type Checkpoints, type LargeValue, MAX_DEPTH, type ScannedDocument } from './document.js';
import { TapeFacts, type Thresholds } from './tree.js';

/** Bytes put on the tape at a time where only some children are wanted. */
const SPARSE = 4 * 1024;

/** A value: its index on the tape, or its entry in the index of large ones. */
export type Value = number | LargeValue;

/** Which children are wanted, by their number among those that survive the clean-up. */
export interface Wanted {
	/** @returns the first wanted number that is at least `ordinal`, or -1. */
	next(ordinal: number): number;
}

/** One number. */
export function only(wanted: number): Wanted {
	return { next: (ordinal) => (ordinal <= wanted ? wanted : -1) };
}

/** Numbers from `start` up to `end`, exclusive. */
export function between(start: number, end: number): Wanted {
	return {
		next: (ordinal) => (Math.max(ordinal, start) < end ? Math.max(ordinal, start) : -1),
	};
}

/** Numbers that `kept` does not hold, up to `end`, exclusive. */
export function outside(kept: { has(ordinal: number): boolean }, end: number): Wanted {
	return {
		next(ordinal) {
			let candidate = ordinal;
			while (candidate < end && kept.has(candidate)) {
				candidate++;
			}

			return candidate < end ? candidate : -1;
		},
	};
}

/**
 * Told of a child: the value, its number among the survivors, and its number among all children.
 * @returns whether to go on.
 */
export type Visit = (child: Value, ordinal: number, item: number) => boolean;

export class Walker {
	readonly source: Source;
	readonly tape: Tape;
	readonly facts = new TapeFacts();

	/** Of the large member being visited: its key, quotation marks included, by absolute offsets. */
	keyStart = 0;
	keyEnd = 0;

	/** What the reduction will bound; marks the values on the tape where a limit could apply. */
	thresholds: Thresholds | undefined;

	readonly #document: ScannedDocument;
	readonly #ours: OurNotices;

	constructor(source: Source, document: ScannedDocument, tape: Tape, ours: OurNotices) {
		this.source = source;
		this.tape = tape;
		this.#document = document;
		this.#ours = ours;
	}

	/** The root value of a document that is no sequence. */
	root(): Value {
		const { start, end, large } = this.#document;
		const value = large.get(start);
		if (value !== undefined) {
			return value;
		}

		this.#load(start, end, 0, false, true, STRETCH);
		return 0;
	}

	/**
	 * Visits children in order. A large child may load the tape anew: what the visit of a small one needs, it
	 * must take before it asks for another container.
	 *
	 * @param depth depth of the children.
	 */
	children(container: Value, depth: number, wanted: Wanted | undefined, visit: Visit): void {
		if (typeof container === 'number') {
			this.#smallChildren(container, wanted, visit);
		} else {
			this.#largeChildren(container, depth, wanted, visit);
		}
	}

	#smallChildren(container: number, wanted: Wanted | undefined, visit: Visit): void {
		const { next } = this.tape;
		const end = next[container];
		let target = wanted === undefined ? 0 : wanted.next(0);
		let ordinal = 0;
		let item = 0;
		for (let child = container + 1; child < end && target >= 0; child = next[child], item++) {
			if (this.facts.isRemoved(child)) {
				continue;
			}

			if (ordinal === target) {
				if (!visit(child, ordinal, item)) {
					return;
				}

				target = wanted === undefined ? ordinal + 1 : wanted.next(ordinal + 1);
			}

			ordinal++;
		}
	}

	#largeChildren(container: LargeValue, depth: number, wanted: Wanted | undefined, visit: Visit): void {
		const isSequence = container === this.#document.sequence;
		const isObject = container.kind === OBJECT;
		const limit = isSequence ? container.end : container.end - 1;
		const isCleaned = !container.hasDuplicates && !isSequence;
		let position = isSequence ? container.start : container.start + 1;
		let ordinal = 0;
		let item = 0;
		let target = wanted === undefined ? 0 : wanted.next(0);
		while (target >= 0 && position < limit) {
			const place = lastBefore(container.checkpoints, target);
			if (
				container.checkpoints !== undefined &&
				place >= 0 &&
				container.checkpoints.offsets[place] > position
			) {
				position = container.checkpoints.offsets[place];
				ordinal = container.checkpoints.ordinals[place];
				item = container.checkpoints.items[place];
			}

			// Where few are wanted, each is most likely near the place it is looked for from.
			let next = this.#load(
				position,
				limit,
				depth,
				isObject,
				isCleaned,
				wanted === undefined ? STRETCH : SPARSE,
			);
			if (this.tape.length === 0 && wanted !== undefined && next === position) {
				next = this.#load(position, limit, depth, isObject, isCleaned, STRETCH);
			}

			const { tape, facts } = this;
			const { length } = tape;
			for (let child = 0; child < length && target >= 0; child = tape.next[child], item++) {
				if (facts.isRemoved(child)) {
					continue;
				}

				if (ordinal === target) {
					if (!visit(child, ordinal, item)) {
						return;
					}

					target = wanted === undefined ? ordinal + 1 : wanted.next(ordinal + 1);
				}

				ordinal++;
			}

			// A value behind a long run of white space may be small, though the stretch ends within it.
			if (length > 0 || next > position) {
				position = next;
				continue;
			}

			const child = this.#largeChild(next, isObject);
			position = child.end;
			if (child.isRemovable && isCleaned) {
				item++;
				continue;
			}

			if (ordinal === target) {
				if (!visit(child, ordinal, item)) {
					return;
				}

				target = wanted === undefined ? ordinal + 1 : wanted.next(ordinal + 1);
			}

			ordinal++;
			item++;
		}
	}

	/** The large value that starts at `position`, or whose key does. */
	#largeChild(position: number, isMember: boolean): LargeValue {
		const { large } = this.#document;
		let start = position;
		if (isMember) {
			const { bytes, origin } = this.tape;
			this.keyStart = position;
			let index = position - origin;
			const key = large.get(position);
			if (key === undefined) {
				index++;
				while (bytes[index] !== 0x22) {
					index += bytes[index] === 0x5c ? 2 : 1;
				}

				this.keyEnd = origin + index + 1;
			} else {
				this.keyEnd = key.end;
			}

			start = this.#afterColon(this.keyEnd);
		}

		const value = large.get(start);
		if (value === undefined) {
			throw new RangeError(`no value of the index starts at byte ${start}`);
		}

		return value;
	}

	/** The absolute offset of the value behind a key that ends at `position`. */
	#afterColon(position: number): number {
		const bytes = new Uint8Array(1024);
		for (let from = position; ; from += bytes.length) {
			const length = this.source.read(bytes, 0, bytes.length, from);
			for (let index = 0; index < length; index++) {
				if (bytes[index] > 0x20 && bytes[index] !== 0x3a) {
					return from + index;
				}
			}

			if (length < bytes.length) {
				throw new RangeError(`no value follows the key that ends at byte ${position}`);
			}
		}
	}

	#load(
		position: number,
		limit: number,
		depth: number,
		areMembers: boolean,
		isCleaned: boolean,
		stretch: number,
	): number {
		const next = this.tape.load(this.source, position, limit, depth, areMembers, MAX_DEPTH, stretch);
		this.facts.find(this.tape, isCleaned, this.thresholds, this.#ours);
		return next;
	}
}

/** The last place that does not lie behind child number `ordinal`; -1 where there is none. */
function lastBefore(checkpoints: Checkpoints | undefined, ordinal: number): number {
	if (checkpoints === undefined) {
		return -1;
	}

	const { ordinals } = checkpoints;
	let low = 0;
	let high = ordinals.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (ordinals[middle] <= ordinal) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}

	return low - 1;
}
