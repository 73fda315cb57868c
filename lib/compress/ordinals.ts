/** Sets of record numbers, a bit a record, in pages that exist only where a bit is set. */

const PAGE_BITS = 1 << 12;

export class OrdinalSet {
	/** Members. */
	size = 0;

	readonly #pages: (Uint8Array | undefined)[] = [];

	add(ordinal: number): void {
		const number = Math.floor(ordinal / PAGE_BITS);
		let page = this.#pages[number];
		if (page === undefined) {
			while (this.#pages.length <= number) {
				this.#pages.push(undefined);
			}

			page = new Uint8Array(PAGE_BITS / 8);
			this.#pages[number] = page;
		}

		const bit = ordinal % PAGE_BITS;
		const mask = 1 << (bit & 7);
		if ((page[bit >>> 3] & mask) === 0) {
			page[bit >>> 3] |= mask;
			this.size++;
		}
	}

	has(ordinal: number): boolean {
		const page = this.#pages[Math.floor(ordinal / PAGE_BITS)];
		const bit = ordinal % PAGE_BITS;
		return page !== undefined && (page[bit >>> 3] & (1 << (bit & 7))) !== 0;
	}

	/** @returns the first member that is at least `ordinal`, or -1. */
	next(ordinal: number): number {
		let candidate = ordinal;
		while (candidate < this.#pages.length * PAGE_BITS) {
			const number = Math.floor(candidate / PAGE_BITS);
			const page = this.#pages[number];
			if (page === undefined) {
				candidate = (number + 1) * PAGE_BITS;
				continue;
			}

			let bit = candidate % PAGE_BITS;
			while (bit < PAGE_BITS) {
				if ((bit & 7) === 0 && page[bit >>> 3] === 0) {
					bit += 8;
				} else if ((page[bit >>> 3] & (1 << (bit & 7))) === 0) {
					bit++;
				} else {
					return number * PAGE_BITS + bit;
				}
			}

			candidate = (number + 1) * PAGE_BITS;
		}

		return -1;
	}

	addAll(other: OrdinalSet): void {
		for (let ordinal = other.next(0); ordinal >= 0; ordinal = other.next(ordinal + 1)) {
			this.add(ordinal);
		}
	}
}
