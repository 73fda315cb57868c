/** Finds what somebody probably meant to type. */

import { closestMatch } from 'leven';

/** @returns the candidate nearest to `typed`, where one is near enough to be meant. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
	// Somebody may well stop in the middle of a name, or give only its end; edits alone would not see that.
	const [partOf, ...others] = candidates.filter(
		(candidate) => typed.length >= 3 && (candidate.startsWith(typed) || candidate.endsWith(typed)),
	);
	if (partOf !== undefined && others.length === 0) {
		return partOf;
	}

	const maxDistance = Math.max(2, Math.floor(typed.length / 3));
	return closestMatch(typed, [...candidates], { maxDistance });
}
