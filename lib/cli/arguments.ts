/** From the words of a command line to one checked request. */

import meow from 'meow';
import { quote } from '../config/quote.js';
import {
	type Command,
	type CommandName,
	commands,
	type Flag,
	globalFlags,
	type Invocation,
	type LineRange,
} from './commands.js';
import { UsageError } from './errors.js';
import { type Spelling, spell } from './spelling.js';
import { nearest } from './suggestion.js';
import { expectations, readValue } from './values.js';

export type Request =
	| { readonly kind: 'help'; readonly command: Command | undefined }
	| { readonly kind: 'version' }
	| { readonly kind: 'nothing' }
	| RunRequest;

/** A command and the values of its flags: each name has its own shape of them. */
export type RunRequest = {
	[Name in CommandName]: {
		readonly kind: 'run';
		readonly name: Name;
		readonly invocation: Invocation<Name>;
	};
}[CommandName];

type Parsed = Readonly<Record<string, readonly (string | boolean)[]>>;

const NEGATION = 'no-';

/** @throws {UsageError} for whatever cannot be meant. */
export function parseArguments(words: readonly string[]): Request {
	const command = commandOf(words);
	const ownFlags: readonly Flag[] = command?.flags ?? [];
	const spelling = spell(withoutName(words, command), [...ownFlags, ...globalFlags], command?.name);
	if (spelling.given.has('help')) {
		return { kind: 'help', command };
	}

	if (spelling.given.has('version')) {
		return { kind: 'version' };
	}

	if (command === undefined) {
		return { kind: 'nothing' };
	}

	const { flags, input } = parse(spelling.words, ownFlags);
	const values: Record<string, unknown> = {};
	for (const flag of ownFlags) {
		values[flag.name] = readFlag(flag, spelling, flags);
	}

	const invocation = { values, given: new Set(spelling.given.keys()), operand: operandOf(command, input) };
	// The table says which values belong to which name; the compiler cannot follow it through a loop.
	return { kind: 'run', name: command.name, invocation } as unknown as RunRequest;
}

function commandOf(words: readonly string[]): Command | undefined {
	const name = words.find((word) => !word.startsWith('-'));
	if (name === undefined) {
		return undefined;
	}

	const before = words.slice(0, words.indexOf(name));
	const early = before.find((word) => !isGlobal(word));
	if (early !== undefined) {
		const isKnown = commands.some((command) => spellable(command.flags).includes(early.split('=', 1)[0]));
		throw new UsageError(
			isKnown
				? `no command before ${early}: flags come after their command (see tokenless --help)`
				: `unknown flag ${quote(early)} (see tokenless --help)`,
		);
	}

	const command = commands.find((candidate) => candidate.name === name);
	if (command === undefined) {
		const meant = nearest(
			name,
			commands.map((candidate) => candidate.name),
		);
		throw new UsageError(
			`unknown command ${quote(name)}${meant === undefined ? ' (see tokenless --help)' : `; did you mean ${meant}?`}`,
		);
	}

	return command;
}

function withoutName(words: readonly string[], command: Command | undefined): readonly string[] {
	const place = command === undefined ? -1 : words.indexOf(command.name);
	return words.filter((_, index) => index !== place);
}

function isGlobal(word: string): boolean {
	return spellable(globalFlags).includes(word);
}

function spellable(flags: readonly Flag[]): string[] {
	return flags.flatMap(({ name, short }) =>
		short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`],
	);
}

/** Hands the words to meow, which says which value belongs to which flag. */
function parse(words: readonly string[], flags: readonly Flag[]): { flags: Parsed; input: string[] } {
	const parsed = meow('', {
		// Only read for finding package.json, which we hand over.
		importMeta: { url: 'file:///' } as ImportMeta,
		pkg: { name: 'tokenless' },
		argv: words,
		description: false,
		autoHelp: false,
		autoVersion: false,
		// Values are read by the type of their flag, and a flag that is given twice is an error of ours: meow
		// would let `--max-depth 1e3` through, and say the other on several lines.
		flags: Object.fromEntries(
			flags.map(({ name, short, type }) => [
				meowKey(name),
				{
					type: type === 'switch' ? 'boolean' : 'string',
					isMultiple: true,
					...(short === undefined ? {} : { shortFlag: short }),
				},
			]),
		),
	});
	return { flags: parsed.flags as Parsed, input: parsed.input };
}

/** meow wants camel case, and reads `--no-stash` as a `--stash` that is false. */
function meowKey(name: string): string {
	const stem = name.startsWith(NEGATION) ? name.slice(NEGATION.length) : name;
	return stem.replace(/-[a-z]/g, (match) => match[1].toUpperCase());
}

function readFlag(
	flag: Flag,
	spelling: Spelling,
	parsed: Parsed,
): string | number | boolean | LineRange | undefined {
	const times = spelling.given.get(flag.name) ?? 0;
	if (times > 1) {
		throw new UsageError(`--${flag.name} is given twice`);
	}

	if (flag.type === 'switch') {
		return times === 1;
	}

	if (times === 0) {
		return flag.default === undefined ? undefined : readValue(flag.type, flag.default);
	}

	const [text] = parsed[meowKey(flag.name)];
	if (typeof text !== 'string' || text === '') {
		throw new UsageError(`--${flag.name} needs ${expectations[flag.type]}`);
	}

	const value = readValue(flag.type, text);
	if (value === undefined) {
		throw new UsageError(`--${flag.name} needs ${expectations[flag.type]}, not ${quote(text)}`);
	}

	return value;
}

function operandOf({ name, operand }: Command, input: readonly string[]): string {
	const stray = input[operand === undefined ? 0 : 1];
	if (stray !== undefined) {
		throw new UsageError(`unexpected argument ${quote(stray)} (see tokenless ${name} --help)`);
	}

	if (operand !== undefined && input.length === 0) {
		throw new UsageError(`${name} needs ${operand.placeholder}: ${operand.summary}`);
	}

	return input[0] ?? '';
}
