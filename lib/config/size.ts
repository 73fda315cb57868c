/** Sizes as people write them (`64MiB`, `4g`, `1000000`), and back. */

const UNITS: Readonly<Record<string, number>> = {
	'': 1,
	b: 1,
	k: 1024,
	kib: 1024,
	kb: 1000,
	m: 1024 ** 2,
	mib: 1024 ** 2,
	mb: 1000 ** 2,
	g: 1024 ** 3,
	gib: 1024 ** 3,
	gb: 1000 ** 3,
	t: 1024 ** 4,
	tib: 1024 ** 4,
	tb: 1000 ** 4,
};

const BINARY_UNITS = ['TiB', 'GiB', 'MiB', 'KiB'] as const;

/**
 * Reads a size: a whole number and, where wanted, a unit in any case. `KiB`, `MiB`, `GiB`, `TiB` and the bare
 * letters count in 1024s, `kB`, `MB`, `GB`, `TB` in 1000s, no unit or `B` in bytes.
 *
 * @returns bytes, or `undefined` where the text is no such size or exceeds the safe integers.
 */
export function parseSize(text: string): number | undefined {
	const match = /^(\d+) ?([a-z]*)$/i.exec(text.trim());
	if (match === null) {
		return undefined;
	}

	const unit = match[2].toLowerCase();
	if (!Object.hasOwn(UNITS, unit)) {
		return undefined;
	}

	// Both factors are judged: a number too long to be exact could still give a product that looks safe.
	const count = Number(match[1]);
	const bytes = count * UNITS[unit];
	return Number.isSafeInteger(count) && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Writes a size exactly: in the largest binary unit that divides it, else in bytes. */
export function formatSize(bytes: number): string {
	const unit = BINARY_UNITS.find((name) => bytes > 0 && bytes % UNITS[name.toLowerCase()] === 0);
	return unit === undefined ? `${bytes} bytes` : `${bytes / UNITS[unit.toLowerCase()]}${unit}`;
}
