/** Whether a list of hashes holds one twice. */

/** Hashes that are compared each with each; more are sorted first. */
const FEW = 16;

/** Whether two of `hashes[from…to)` are equal. Their order is lost. */
export function hasRepeats(hashes: Float64Array, from: number, to: number): boolean {
	if (to - from <= FEW) {
		for (let index = from + 1; index < to; index++) {
			for (let earlier = from; earlier < index; earlier++) {
				if (hashes[index] === hashes[earlier]) {
					return true;
				}
			}
		}

		return false;
	}

	const sorted = hashes.subarray(from, to).sort();
	for (let index = 1; index < sorted.length; index++) {
		if (sorted[index] === sorted[index - 1]) {
			return true;
		}
	}

	return false;
}
