/** The classes of records that matter, found by brute force over parsed values. */

/** Share of a normal distribution further out than x·√2 sigmas, by its continued fraction and its series. */
export function erfc(x: number): number {
	if (x < 2) {
		let term = x;
		let sum = x;
		for (let n = 1; n < 200; n++) {
			term *= (-x * x) / n;
			sum += term / (2 * n + 1);
		}

		return 1 - (2 / Math.sqrt(Math.PI)) * sum;
	}

	let fraction = 0;
	for (let n = 200; n >= 1; n--) {
		fraction = n / 2 / (x + fraction);
	}

	return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

export type Fields = Readonly<Record<string, unknown>>;

const ALARMS = ['error', 'failed', 'fatal', 'critical', 'panic', 'timeout', 'warn'];

/** Objects within a record, one in the other, whose fields count as well. */
const NESTED = 2;

/** The fields of a record and of the objects in it, by their paths. */
function fieldsOf(
	record: Fields,
	levels = NESTED,
	path: readonly string[] = [],
): [path: string[], value: unknown][] {
	return Object.entries(record).flatMap(([name, value]) => {
		const here = [...path, name];
		const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
		const inner = isObject && levels > 0 ? fieldsOf(value as Fields, levels - 1, here) : [];
		return [[here, value] as [string[], unknown], ...inner];
	});
}

/** Whether a record has an error signal. Knows no words that count none. */
export function hasErrorSignal(record: Fields): boolean {
	return fieldsOf(record).some(([path, value]) => {
		switch (path.at(-1)?.toLowerCase()) {
			case 'error':
			case 'errors':
			case 'exception':
			case 'failure': {
				return value !== null && value !== '';
			}

			case 'status':
			case 'state':
			case 'level':
			case 'severity': {
				return typeof value === 'string' && ALARMS.some((word) => value.toLowerCase().includes(word));
			}

			default: {
				return false;
			}
		}
	});
}

/** Numbers of the records of each field set. */
function shapesOf(records: readonly Fields[]): Map<string, number[]> {
	const shapes = new Map<string, number[]>();
	for (const [index, record] of records.entries()) {
		const shape = Object.keys(record).sort().join('\n');
		const known = shapes.get(shape);
		if (known === undefined) {
			shapes.set(shape, [index]);
		} else {
			known.push(index);
		}
	}

	return shapes;
}

export interface Critical {
	readonly edges: number[];
	readonly errors: number[];
	readonly shapes: number[];
	readonly extremes: number[];
	/** Only such as leave no doubt. */
	readonly outliers: number[];
}

/** Expects at most 32 shapes, most records of a common one, and at most 64 numeric fields. */
export function criticalRecords(records: readonly Fields[]): Critical {
	const errors = [...records.keys()].filter((index) => hasErrorSignal(records[index]));
	const shapes: number[] = [];
	for (const members of shapesOf(records).values()) {
		shapes.push(...(members.length <= records.length * 0.05 ? members : members.slice(0, 1)));
	}

	const extremes: number[] = [];
	const outliers: number[] = [];
	const numbers = new Map<string, [index: number, value: number][]>();
	for (const [index, record] of records.entries()) {
		for (const [path, value] of fieldsOf(record)) {
			if (typeof value === 'number' && Number.isFinite(value)) {
				const name = path.join('\n');
				const samples = numbers.get(name) ?? [];
				samples.push([index, value]);
				numbers.set(name, samples);
			}
		}
	}

	for (const [name, samples] of numbers) {
		if (samples.length < 5) {
			continue;
		}

		let [least, most] = [samples[0], samples[0]];
		let sum = 0;
		for (const sample of samples) {
			least = sample[1] < least[1] ? sample : least;
			most = sample[1] > most[1] ? sample : most;
			sum += sample[1];
		}

		extremes.push(least[0], most[0]);
		if (name.includes('\n')) {
			// Outliers are looked for among the fields of the record itself.
			continue;
		}

		const mean = sum / samples.length;
		const deviation = Math.sqrt(
			samples.reduce((total, [, value]) => total + (value - mean) ** 2, 0) / samples.length,
		);
		const far = samples
			.map(([index, value]) => ({ index, sigmas: deviation > 0 ? Math.abs(value - mean) / deviation : 0 }))
			.filter(({ sigmas }) => sigmas > 2.001 && samples.length * erfc(sigmas / Math.SQRT2) < 0.49)
			.sort((a, b) => b.sigmas - a.sigmas || a.index - b.index);
		outliers.push(...far.slice(0, 16).map(({ index }) => index));
	}

	const last = records.length - 1;
	return { edges: [0, 1, 2, 3, last - 3, last - 2, last - 1, last], errors, shapes, extremes, outliers };
}
