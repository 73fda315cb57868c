/** What a bounded run of the reduction leaves out, as it goes along. */

import type { Window } from './windows.js';

/** Windows that one call stashes at most. */
export const MAX_WINDOWS = 1000;

/** What a bounded run left out. */
export interface Omissions {
	/** To be stashed, in the order of their notices. Empty where the reduction is lossy. */
	readonly windows: Window[];

	/** Omissions in all, and those among them that reduced records. */
	count: number;
	records: number;

	/** Depth of the deepest container that encloses an omission. */
	deepest: number;

	/** More windows than can be stashed: the result is incomplete. */
	isOverflown: boolean;
}

export function newOmissions(): Omissions {
	return { windows: [], count: 0, records: 0, deepest: 0, isOverflown: false };
}
