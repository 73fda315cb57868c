/**
 * Which flags a command line names, and whether they exist. The parser itself lets anything pass that looks like a
 * flag, so this is asked first.
 */

import { quote } from '../config/quote.js';
import type { Flag } from './commands.js';
import { UsageError } from './errors.js';
import { nearest } from './suggestion.js';

export interface Spelling {
	/** How often each flag is given, by name. */
	readonly given: ReadonlyMap<string, number>;
	/** The words again, with a value that begins with a hyphen joined to its flag, as the parser wants it. */
	readonly words: readonly string[];
}

/**
 * @param commandName for the hint where help is found.
 * @throws {UsageError} for a flag that is not among `flags`.
 */
export function spell(words: readonly string[], flags: readonly Flag[], commandName?: string): Spelling {
	const given = new Map<string, number>();
	const joined: string[] = [];
	let mayTakeValue = false;
	let hasEnded = false;
	for (const word of words) {
		if (hasEnded || word === '--') {
			hasEnded = true;
			joined.push(word);
		} else if (mayTakeValue && isHyphenatedValue(word)) {
			joined.push(`${joined.pop()}=${word}`);
			mayTakeValue = false;
		} else if (word.startsWith('-') && word !== '-') {
			const flag = flagOf(word, flags, commandName);
			given.set(flag.name, (given.get(flag.name) ?? 0) + 1);
			joined.push(word);
			mayTakeValue = flag.type !== 'switch' && !word.includes('=');
		} else {
			joined.push(word);
			mayTakeValue = false;
		}
	}

	return { given, words: joined };
}

/** `-` for standard input, and what looks like a number below zero, which its flag will judge. */
function isHyphenatedValue(word: string): boolean {
	return word === '-' || /^-\d/.test(word);
}

function flagOf(word: string, flags: readonly Flag[], commandName: string | undefined): Flag {
	const [typed] = word.split('=', 1);
	const flag = flags.find(({ name, short }) => typed === `--${name}` || (short && typed === `-${short}`));
	if (flag === undefined) {
		throw new UsageError(`unknown flag ${quote(typed)}${hint(typed, flags, commandName)}`);
	}

	if (flag.type === 'switch' && word !== typed) {
		throw new UsageError(`${typed} takes no value`);
	}

	return flag;
}

function hint(typed: string, flags: readonly Flag[], commandName: string | undefined): string {
	const joined = flags.find(({ short, type }) => short && type !== 'switch' && typed.startsWith(`-${short}`));
	if (joined !== undefined) {
		return `; did you mean -${joined.short} ${quote(typed.slice(2))}?`;
	}

	const meant = nearest(
		typed.replace(/^-+/, ''),
		flags.map(({ name }) => name),
	);
	const page = commandName === undefined ? 'tokenless --help' : `tokenless ${commandName} --help`;
	return meant === undefined ? ` (see ${page})` : `; did you mean --${meant}?`;
}
