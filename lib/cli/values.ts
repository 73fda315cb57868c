/** Reads the value of a flag as its type wants it. */

import { parseSize } from '../config/size.js';
import type { FlagType, LineRange } from './commands.js';

/** What a value must look like, as an error says it. */
export const expectations: Readonly<Record<Exclude<FlagType, 'switch'>, string>> = {
	text: 'a value',
	count: 'a whole number, 0 or more',
	size: 'a size such as 64MiB, 4GiB or 0',
	lines: 'lines such as 10-20, 10-, -20 or 7',
};

/** @returns nothing where the text is not of that type, or beyond what can be counted exactly. */
export function readValue(
	type: Exclude<FlagType, 'switch'>,
	text: string,
): string | number | LineRange | undefined {
	switch (type) {
		case 'text': {
			return text;
		}

		case 'count': {
			return readCount(text);
		}

		case 'size': {
			return parseSize(text);
		}

		case 'lines': {
			return readLineRange(text);
		}
	}
}

function readCount(text: string): number | undefined {
	const count = Number(text);
	return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
}

function readLineRange(text: string): LineRange | undefined {
	const [from, to, ...rest] = text.split('-');
	if (rest.length > 0 || (from === '' && !to)) {
		return undefined;
	}

	const first = from === '' ? 1 : readCount(from);
	const last = to === undefined ? first : to === '' ? Number.POSITIVE_INFINITY : readCount(to);
	return first !== undefined && last !== undefined && first >= 1 && last >= first
		? { first, last }
		: undefined;
}
