/**
 * A small tree that keeps lexemes: values side by side, in document order, as columns of numbers. It is filled
 * from bytes that a tokenizer has accepted, so it checks nothing, and it is used again for the next stretch.
 */

import type { Source } from '../source/types.js';
import { ARRAY, FALSE, type Kind, NULL, NUMBER, OBJECT, STRING, TRUE } from './kinds.js';

/** Bytes looked at in one go. A value that does not fit is not small. */
export const STRETCH = 64 * 1024;

const SPACE_OR_COMMA = new Uint8Array(256);
for (const character of ' \t\r\n,') {
	SPACE_OR_COMMA[character.charCodeAt(0)] = 1;
}

/** 1 for bytes that end a number or a literal. */
const DELIMITER = new Uint8Array(256);
for (const character of ' \t\r\n,]}') {
	DELIMITER[character.charCodeAt(0)] = 1;
}

export class Tape {
	/** The stretch that the offsets below refer to. */
	readonly bytes = new Uint8Array(STRETCH);

	/** Absolute offset of the first byte of `bytes`. */
	origin = 0;

	/** Absolute offset after the last byte of the stretch. */
	stretchEnd = 0;

	/** Values on the tape. */
	length = 0;

	kind = new Uint8Array(1024);
	start = new Int32Array(1024);
	end = new Int32Array(1024);

	/** Offset of the member's key, quotation marks included; -1 for what is no member. */
	keyStart = new Int32Array(1024);
	keyEnd = new Int32Array(1024);

	/** Index of the value after this one and all it holds. */
	next = new Int32Array(1024);

	/** Index of the container; -1 for the values side by side at the top. */
	parent = new Int32Array(1024);

	/** Depth in the document, the root being 0. */
	depth = new Int32Array(1024);

	/** Children, for containers; -1 for a container whose content was left unread because it lies too deep. */
	items = new Int32Array(1024);

	/**
	 * Reads the small values that stand side by side from `position`, as many as fit.
	 *
	 * @param position absolute offset at or before the first of them.
	 * @param limit absolute offset at which their container's content ends.
	 * @param depth their depth in the document.
	 * @param areMembers whether each has a key.
	 * @param maxDepth depth of the deepest containers to look into.
	 * @param stretch bytes to look at, at most `STRETCH`.
	 * @returns the absolute offset of the first value (or key) that was not read; `stretchEnd` where none begins
	 * before it; `limit` where all were read.
	 */
	load(
		source: Source,
		position: number,
		limit: number,
		depth: number,
		areMembers: boolean,
		maxDepth: number,
		stretch: number = STRETCH,
	): number {
		const { bytes } = this;
		const to = source.read(bytes, 0, Math.min(stretch, limit - position), position);
		const isLast = position + to >= limit;
		this.origin = position;
		this.stretchEnd = position + to;
		this.length = 0;

		let index = 0;
		let complete = 0;
		for (;;) {
			while (index < to && SPACE_OR_COMMA[bytes[index]] === 1) {
				index++;
			}

			if (index === to) {
				return isLast ? limit : this.stretchEnd;
			}

			const first = index;
			index = this.#loadValue(index, to, isLast, depth, areMembers, maxDepth);
			if (index < 0) {
				this.length = complete;
				return position + first;
			}

			complete = this.length;
		}
	}

	/** @returns the offset after the value, or -1 where the stretch ends within it. */
	#loadValue(
		from: number,
		to: number,
		isLast: boolean,
		depth: number,
		isMember: boolean,
		maxDepth: number,
	): number {
		const { bytes } = this;
		let index = from;
		let parent = -1;
		let hasKeys = isMember;
		let level = depth;
		do {
			while (index < to && SPACE_OR_COMMA[bytes[index]] === 1) {
				index++;
			}

			if (index === to) {
				return -1;
			}

			if (parent >= 0 && (bytes[index] === 0x5d || bytes[index] === 0x7d)) {
				index++;
				this.end[parent] = index;
				this.next[parent] = this.length;
				parent = this.parent[parent];
				level--;
				hasKeys = parent < 0 ? isMember : this.kind[parent] === OBJECT;
				continue;
			}

			let keyStart = -1;
			let keyEnd = -1;
			if (hasKeys) {
				keyStart = index;
				keyEnd = skipString(bytes, index, to);
				if (keyEnd < 0) {
					return -1;
				}

				index = keyEnd;
				while (index < to && (bytes[index] === 0x3a || SPACE_OR_COMMA[bytes[index]] === 1)) {
					index++;
				}

				if (index === to) {
					return -1;
				}
			}

			const node = this.#add(kindOf(bytes[index]), index, keyStart, keyEnd, parent, level);
			if (parent >= 0) {
				this.items[parent]++;
			}

			const kind = this.kind[node];
			if (kind >= ARRAY) {
				if (level > maxDepth) {
					index = skipContainer(bytes, index, to);
					if (index < 0) {
						return -1;
					}

					this.items[node] = -1;
					this.end[node] = index;
					this.next[node] = this.length;
				} else {
					index++;
					parent = node;
					level++;
					hasKeys = kind === OBJECT;
				}
			} else if (kind === STRING) {
				index = skipString(bytes, index, to);
				if (index < 0) {
					return -1;
				}

				this.end[node] = index;
			} else {
				while (index < to && DELIMITER[bytes[index]] === 0) {
					index++;
				}

				if (index === to && !isLast) {
					return -1;
				}

				this.end[node] = index;
			}
		} while (parent >= 0);

		return index;
	}

	#add(kind: Kind, start: number, keyStart: number, keyEnd: number, parent: number, depth: number): number {
		const node = this.length++;
		if (node === this.kind.length) {
			this.#grow();
		}

		this.kind[node] = kind;
		this.start[node] = start;
		this.end[node] = start;
		this.keyStart[node] = keyStart;
		this.keyEnd[node] = keyEnd;
		this.next[node] = node + 1;
		this.parent[node] = parent;
		this.depth[node] = depth;
		this.items[node] = 0;
		return node;
	}

	#grow(): void {
		const length = this.kind.length * 2;
		const kind = new Uint8Array(length);
		kind.set(this.kind);
		this.kind = kind;
		for (const column of [
			'start',
			'end',
			'keyStart',
			'keyEnd',
			'next',
			'parent',
			'depth',
			'items',
		] as const) {
			const larger = new Int32Array(length);
			larger.set(this[column]);
			this[column] = larger;
		}
	}
}

/** The kind of value that a first byte announces. */
export function kindOf(byte: number): Kind {
	switch (byte) {
		case 0x22: {
			return STRING;
		}

		case 0x7b: {
			return OBJECT;
		}

		case 0x5b: {
			return ARRAY;
		}

		case 0x6e: {
			return NULL;
		}

		case 0x74: {
			return TRUE;
		}

		case 0x66: {
			return FALSE;
		}

		default: {
			return NUMBER;
		}
	}
}

/** @returns the offset after the string that starts at `start`, or -1 where `to` comes first. */
function skipString(bytes: Uint8Array, start: number, to: number): number {
	let index = start + 1;
	while (index < to) {
		const byte = bytes[index++];
		if (byte === 0x22) {
			return index;
		}

		if (byte === 0x5c) {
			index++;
		}
	}

	return -1;
}

/** @returns the offset after the container that starts at `start`, or -1 where `to` comes first. */
function skipContainer(bytes: Uint8Array, start: number, to: number): number {
	let open = 0;
	let index = start;
	while (index < to) {
		const byte = bytes[index];
		if (byte === 0x22) {
			index = skipString(bytes, index, to);
			if (index < 0) {
				return -1;
			}

			continue;
		}

		index++;
		if (byte === 0x7b || byte === 0x5b) {
			open++;
		} else if ((byte === 0x7d || byte === 0x5d) && --open === 0) {
			return index;
		}
	}

	return -1;
}
