/** A scanned document: what is known of it as a whole, and an index of the values too large for a tape. */

import type { Kind } from '../../json/kinds.js';
import type { RecordSurvey } from './survey.js';

/** Values of more bytes than this, their keys included, are indexed: a tape may not hold them. */
export const LARGE = 32 * 1024;

/** Bytes, at first, between two places in an array from which it can be read on. */
export const CHECKPOINT_INTERVAL = 4 * 1024;

/** Such places remembered of one array; where there are more at the end of a chunk, every other is forgotten. */
export const MAX_CHECKPOINTS = 16_384;

/** Depth of the deepest containers that are looked into. What lies deeper is kept, or left out, as it stands. */
export const MAX_DEPTH = 256;

/** A container, whether on a tape or not, as the reduction sees it. */
export interface ContainerFacts {
	/** Children. */
	readonly items: number;

	/** Children that are objects. */
	readonly objects: number;

	/** Children that the clean-up leaves. */
	readonly survivors: number;

	/** Children that the clean-up leaves and that are objects. */
	readonly survivingObjects: number;

	/** Whether one of our own notices stands anywhere in it. */
	readonly holdsNotice: boolean;
}

/** Places in an array from which it can be read on: columns of equal length. */
export interface Checkpoints {
	/** Children before the place that survive the clean-up. */
	readonly ordinals: number[];

	/** Children before the place. */
	readonly items: number[];

	/** Absolute byte offset of the child. */
	readonly offsets: number[];
}

/** A value, or a key, of more than `LARGE` bytes. Offsets are absolute; `end` is exclusive. */
export interface LargeValue extends ContainerFacts {
	readonly kind: Kind | 'key';
	readonly start: number;
	readonly end: number;

	/** Whether the clean-up removes it, unless it stands in an object that is not cleaned. */
	readonly isRemovable: boolean;

	/** An object whose keys repeat, or are too many to tell: it is not cleaned. */
	readonly hasDuplicates: boolean;

	/** Whether the clean-up changes anything in it. */
	readonly isChanged: boolean;

	/** Whether white space stands between its lexemes. */
	readonly hasWhitespace: boolean;

	/** Whether its content was looked into: false beyond `MAX_DEPTH`. */
	readonly isOpaque: boolean;

	/** Of a string: Unicode scalar values of its text. */
	readonly scalars: number;

	/** Of a string: whether it has no UTF-8 text. */
	readonly loneSurrogate: boolean;

	readonly checkpoints: Checkpoints | undefined;
}

export interface ScannedDocument {
	/** Length of the input, bytes. */
	readonly size: number;

	/** Unicode scalar values of the input. */
	readonly characters: number;

	/** Wide characters among them. */
	readonly wide: number;

	/** Absolute offsets of the root value, or of all of a sequence. */
	readonly start: number;
	readonly end: number;

	/** Of JSON Lines: the lines, seen as an array. */
	readonly sequence: LargeValue | undefined;

	/** By absolute offset of the first byte. */
	readonly large: ReadonlyMap<number, LargeValue>;

	/** The survey of the largest array of records among those not within another, by its offset; -1 is the sequence. */
	readonly survey: { readonly start: number; readonly survey: RecordSurvey } | undefined;

	/** Remarks for the user. */
	readonly notes: readonly string[];
}
