/** What the clean-up leaves of the values on a tape, and where a limit could matter; found from the leaves up. */

import { joinHash, TextHash } from '../../json/hash.js';
import { ARRAY, NULL, OBJECT, STRING } from '../../json/kinds.js';
import type { Tape } from '../../json/tape.js';
import { noticeInLexeme, type OurNotices } from '../notice.js';
import { isRemovedField } from './cleanup.js';
import type { ContainerFacts } from './document.js';
import { hasRepeats } from './repeats.js';
import { MIN_RECORDS } from './scan.js';

/** The clean-up takes the value away. */
const REMOVED = 1;

/** The clean-up changes something in the value. */
const CHANGED = 2;

/** One of our notices stands in the value. */
const NOTICE = 4;

/** A limit could apply in the value. */
const BOUNDED = 8;

/** The value is a notice of omitted records; ours only if it is the last item. */
const RECORDS_NOTICE = 16;

/** The clean-up would take the value away if it applied to its object. */
const REMOVABLE = 32;

/** An object that the clean-up does not apply to, because a key is there twice. */
const REPEATS_KEY = 64;

/** From which size on a limit could apply. */
export interface Thresholds {
	/** Scalar values of a string. */
	readonly strings: number;

	/** Items of an array. */
	readonly arrays: number;

	/** Depth of a value. */
	readonly depth: number;
}

/** Facts of the values on a tape, by their index. Found anew for each stretch. */
export class TapeFacts {
	#flags = new Uint8Array(1024);
	#survivors = new Int32Array(1024);

	/**
	 * @param isCleaned whether the values at the top stand in a container that the clean-up applies to.
	 * @param thresholds what the reduction will bound; undefined for none.
	 */
	find(tape: Tape, isCleaned: boolean, thresholds: Thresholds | undefined, ours: OurNotices): void {
		const { length, kind, parent } = tape;
		if (this.#flags.length < length) {
			this.#flags = new Uint8Array(tape.kind.length);
			this.#survivors = new Int32Array(tape.kind.length);
		}

		const flags = this.#flags;
		const survivors = this.#survivors;
		flags.fill(0, 0, length);
		survivors.fill(0, 0, length);

		// Children stand behind their containers, so backwards every child is known before its container.
		for (let node = length - 1; node >= 0; node--) {
			const own = kind[node] >= ARRAY ? this.#findContainer(tape, node) : this.#findScalar(tape, node, ours);
			flags[node] |= own;
			if (thresholds !== undefined && exceeds(tape, node, survivors[node], thresholds)) {
				flags[node] |= BOUNDED;
			}

			const container = parent[node];
			const isMember = container >= 0 ? kind[container] === OBJECT : tape.keyStart[node] >= 0;
			const isRemovable = this.#isEmpty(tape, node) || (isMember && this.#isRemovedByName(tape, node));
			if (container < 0) {
				flags[node] |= isRemovable && isCleaned ? REMOVED | REMOVABLE : 0;
				continue;
			}

			flags[container] |= flags[node] & (NOTICE | BOUNDED | CHANGED);
			if (isRemovable) {
				flags[node] |= REMOVED | REMOVABLE;
			} else {
				survivors[container]++;
			}
		}
	}

	isRemoved(node: number): boolean {
		return (this.#flags[node] & REMOVED) !== 0;
	}

	/** Whether the clean-up takes the value away, or would if a key of its object were not there twice. */
	isRemovable(node: number): boolean {
		return (this.#flags[node] & REMOVABLE) !== 0;
	}

	/** Whether the clean-up does not apply to an object, because a key is there twice. */
	repeatsKey(node: number): boolean {
		return (this.#flags[node] & REPEATS_KEY) !== 0;
	}

	/** Whether the value comes out of the clean-up as it went in, white space aside. */
	isUnchanged(node: number): boolean {
		return (this.#flags[node] & CHANGED) === 0;
	}

	/** Whether no limit can apply in the value. */
	isUnbounded(node: number): boolean {
		return (this.#flags[node] & BOUNDED) === 0;
	}

	/** Whether the value is one of our notices, or holds one. */
	holdsNotice(node: number): boolean {
		return (this.#flags[node] & (NOTICE | RECORDS_NOTICE)) !== 0;
	}

	survivors(node: number): number {
		return this.#survivors[node];
	}

	container(tape: Tape, node: number): ContainerFacts {
		let objects = 0;
		let survivingObjects = 0;
		if (tape.items[node] >= 0) {
			for (let child = node + 1; child < tape.next[node]; child = tape.next[child]) {
				if (tape.kind[child] === OBJECT) {
					objects++;
					survivingObjects += this.isRemoved(child) ? 0 : 1;
				}
			}
		}

		return {
			items: tape.items[node],
			objects,
			survivors: this.#survivors[node],
			survivingObjects,
			holdsNotice: this.holdsNotice(node),
		};
	}

	#findContainer(tape: Tape, node: number): number {
		if (tape.items[node] < 0) {
			return 0;
		}

		const survivors = this.#survivors;
		if (survivors[node] === tape.items[node]) {
			return this.#recordsNotice(tape, node);
		}

		if (tape.kind[node] === OBJECT && hasRepeatedKeys(tape, node)) {
			survivors[node] = tape.items[node];
			for (let child = node + 1; child < tape.next[node]; child = tape.next[child]) {
				this.#flags[child] &= ~REMOVED;
			}

			return REPEATS_KEY;
		}

		return CHANGED | this.#recordsNotice(tape, node);
	}

	/** A notice of omitted records is ours where it stands last, after nothing but records. */
	#recordsNotice(tape: Tape, node: number): number {
		if (tape.kind[node] !== ARRAY || this.#survivors[node] === 0) {
			return 0;
		}

		let last = -1;
		for (let child = node + 1; child < tape.next[node]; child = tape.next[child]) {
			last = child;
		}

		if ((this.#flags[last] & RECORDS_NOTICE) === 0) {
			return 0;
		}

		const { survivors, survivingObjects } = this.container(tape, node);
		return survivingObjects === survivors - 1 ? NOTICE : 0;
	}

	#findScalar(tape: Tape, node: number, ours: OurNotices): number {
		if (tape.kind[node] !== STRING) {
			return 0;
		}

		const notice = noticeInLexeme(tape.bytes, tape.start[node], tape.end[node], ours);
		if (notice === undefined) {
			return 0;
		}

		const isMember = tape.keyStart[node] >= 0;
		if (notice === 'records') {
			return isMember ? 0 : RECORDS_NOTICE;
		}

		return notice === 'items' && isMember ? 0 : NOTICE;
	}

	#isEmpty(tape: Tape, node: number): boolean {
		const kind = tape.kind[node];
		return (
			kind === NULL ||
			(kind === STRING && tape.end[node] - tape.start[node] === 2) ||
			(kind >= ARRAY && tape.items[node] >= 0 && this.#survivors[node] === 0)
		);
	}

	#isRemovedByName(tape: Tape, node: number): boolean {
		const start = tape.keyStart[node];
		const end = tape.keyEnd[node];
		// The text of a name is at least a sixth of its lexeme, which spares most names the decoding.
		if (end - start > 80 || this.holdsNotice(node)) {
			return false;
		}

		const { low, high } = hash.takeKey(tape.bytes, start, end);
		return isRemovedField(low, high);
	}
}

function exceeds(tape: Tape, node: number, survivors: number, thresholds: Thresholds): boolean {
	switch (tape.kind[node]) {
		case STRING: {
			return (
				tape.end[node] - tape.start[node] - 2 > thresholds.strings || tape.depth[node] > thresholds.depth
			);
		}

		case ARRAY: {
			return survivors > thresholds.arrays || survivors >= MIN_RECORDS || tape.depth[node] > thresholds.depth;
		}

		default: {
			return tape.depth[node] > thresholds.depth;
		}
	}
}

const hash = new TextHash();

/** Of the keys of one object, used again for the next. */
let hashes = new Float64Array(64);

function hasRepeatedKeys(tape: Tape, node: number): boolean {
	if (hashes.length < tape.items[node]) {
		hashes = new Float64Array(tape.items[node] * 2);
	}

	let index = 0;
	for (let child = node + 1; child < tape.next[node]; child = tape.next[child]) {
		hash.takeKey(tape.bytes, tape.keyStart[child], tape.keyEnd[child]);
		hashes[index] = joinHash(hash.low, hash.high);
		index++;
	}

	return hasRepeats(hashes, 0, index);
}
