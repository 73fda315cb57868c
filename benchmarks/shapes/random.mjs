/** Numbers that look random and are the same on every run and every machine. */

/** @param {number} seed */
export function createRandom(seed) {
	let state = seed >>> 0;

	/** Mulberry32: 32 bits of state are plenty for made-up data. */
	const next = () => {
		state = (state + 0x6d_2b_79_f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};

	/** A whole number from 0 to `end`, exclusive. */
	const below = (end) => Math.floor(next() * end);

	return { next, below, pick: (choices) => choices[below(choices.length)] };
}
