/** Help texts, made from the table of commands. */

import { type Command, commands, type Flag, globalFlags } from './commands.js';

const HEADLINE =
	'Makes tool output small enough for a language model to read; nothing that was left out is lost.';

/** Help for one command, or for all of them where none is given. Ends with a newline. */
export function helpText(command: Command | undefined): string {
	return command === undefined ? overview() : page(command);
}

/** How a flag is typed, short form first: `-f, --file <path>`. */
function usageOf({ name, short, placeholder }: Flag): string {
	const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
	return placeholder === undefined ? names : `${names} ${placeholder}`;
}

/** What a flag does, its default included. */
function descriptionOf(flag: Flag): string {
	return flag.default === undefined ? flag.summary : `${flag.summary} (default ${flag.default})`;
}

function overview(): string {
	return paragraphs([
		[HEADLINE],
		['Usage: tokenless <command> [flags]'],
		['Commands:', ...columns(commands.map(({ name, summary }) => [name, summary]))],
		['Flags:', ...flagLines(globalFlags)],
		["'tokenless <command> --help' tells about one command."],
	]);
}

function page(command: Command): string {
	const { name, summary, operand, notes, examples } = command;
	const words = ['tokenless', name, ...(operand === undefined ? [] : [operand.placeholder]), '[flags]'];
	return paragraphs([
		[summary],
		[`Usage: ${words.join(' ')}`],
		operand === undefined ? [] : ['Argument:', ...columns([[operand.placeholder, operand.summary]])],
		['Flags:', ...flagLines([...command.flags, ...globalFlags])],
		notes,
		['Examples:', ...examples.map((example) => `  ${example}`)],
	]);
}

function flagLines(flags: readonly Flag[]): string[] {
	return columns(
		// Long names stand below each other, whether or not a short one goes before.
		flags.map((flag) => [`${flag.short === undefined ? '    ' : ''}${usageOf(flag)}`, descriptionOf(flag)]),
	);
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function paragraphs(blocks: readonly (readonly string[])[]): string {
	return blocks
		.filter((lines) => lines.length > 0)
		.map((lines) => `${lines.join('\n')}\n`)
		.join('\n');
}
