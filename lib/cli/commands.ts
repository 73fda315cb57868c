/**
 * Every command and flag, said once: parsing, checks, help, the README's reference and completions all read this
 * table.
 */

/** What may stand after a flag. A `switch` takes nothing. */
export type FlagType = 'text' | 'count' | 'size' | 'lines' | 'switch';

export interface Flag {
	/** As typed, without the leading `--`. */
	readonly name: string;
	readonly short?: string;
	readonly type: FlagType;
	/** How help calls the value; everything but a switch has one. */
	readonly placeholder?: string;
	/** As one would type it. */
	readonly default?: string;
	/** One line, as help shows it; the default is added to it. */
	readonly summary: string;
}

export interface Operand {
	readonly placeholder: string;
	readonly summary: string;
}

export interface Command {
	readonly name: string;
	/** One line, as the list of commands shows it. */
	readonly summary: string;
	/** The one argument that is no flag, where the command wants one. */
	readonly operand?: Operand;
	readonly flags: readonly Flag[];
	/** What else help says, a line each. */
	readonly notes: readonly string[];
	readonly examples: readonly string[];
}

const file = {
	name: 'file',
	short: 'f',
	type: 'text',
	placeholder: '<path>',
	summary: 'Read this file instead of standard input',
} as const satisfies Flag;

const maxInput = {
	name: 'max-input',
	type: 'size',
	placeholder: '<size>',
	default: '64MiB',
	summary: 'Largest input (4GiB, 500MB, bytes); 0 for any',
} as const satisfies Flag;

const stashDb = {
	name: 'stash-db',
	type: 'text',
	placeholder: '<path>',
	summary: 'Stash database to use instead of ~/.tokenless/stash.db',
} as const satisfies Flag;

const noStash = {
	name: 'no-stash',
	type: 'switch',
	summary: 'Store nothing: what is left out cannot be retrieved',
} as const satisfies Flag;

const agentId = {
	name: 'agent-id',
	type: 'text',
	placeholder: '<id>',
	default: 'cli',
	summary: 'Agent the work is accounted to',
} as const satisfies Flag;

const sessionId = {
	name: 'session-id',
	type: 'text',
	placeholder: '<id>',
	summary: 'Session the work is accounted to',
} as const satisfies Flag;

const toolUseId = {
	name: 'tool-use-id',
	type: 'text',
	placeholder: '<id>',
	summary: 'Tool call the work is accounted to',
} as const satisfies Flag;

const compressResponse = {
	name: 'compress-response',
	summary: 'Make a JSON response small enough to read; what is left out stays retrievable',
	flags: [
		file,
		{
			name: 'truncate-strings-at',
			type: 'count',
			placeholder: '<n>',
			default: '4096',
			summary: 'Longest string kept whole, characters',
		},
		{
			name: 'truncate-arrays-at',
			type: 'count',
			placeholder: '<n>',
			default: '32',
			summary: 'Items kept at the start of a long array',
		},
		{
			name: 'array-tail-preserve',
			type: 'count',
			placeholder: '<n>',
			default: '8',
			summary: 'Items kept at the end of a long array',
		},
		{
			name: 'max-depth',
			type: 'count',
			placeholder: '<n>',
			default: '8',
			summary: 'Deepest nesting kept',
		},
		agentId,
		sessionId,
		toolUseId,
		noStash,
		stashDb,
		maxInput,
	],
	notes: [
		'Reads one JSON document, or JSON Lines, from standard input or --file.',
		'Arrays of 33 or more records keep their edges, errors, outliers and a sample of the rest,',
		'whatever --truncate-arrays-at and --array-tail-preserve say.',
		'Input that does not become smaller comes out unchanged.',
	],
	examples: [
		'curl -s https://api.example/items | tokenless compress-response',
		'tokenless compress-response -f response.json --truncate-arrays-at 16',
	],
} as const satisfies Command;

const retrieve = {
	name: 'retrieve',
	summary: 'Print what was left out of an output, byte for byte',
	operand: {
		placeholder: '<hash>',
		summary: '24 hexadecimal digits, a marker, or the whole line that names them',
	},
	flags: [
		{
			name: 'lines',
			type: 'lines',
			placeholder: '<a-b>',
			summary: 'Only these lines, the first being 1; 10- and -20 are open, 7 is one line',
		},
		stashDb,
	],
	notes: ['Entries are kept for an hour, as long as the stash has room for them.'],
	examples: [
		'tokenless retrieve 0123456789abcdef01234567',
		'tokenless retrieve 0123456789abcdef01234567 --lines 100-200',
	],
} as const satisfies Command;

/** In the order in which help lists them. */
export const commands = [compressResponse, retrieve] as const satisfies readonly Command[];

/** Understood before a command and after any. */
export const globalFlags = [
	{ name: 'help', short: 'h', type: 'switch', summary: 'Show this help' },
	{ name: 'version', type: 'switch', summary: 'Show the version' },
] as const satisfies readonly Flag[];

export type CommandName = (typeof commands)[number]['name'];

type ValueOf<Type extends FlagType> = Type extends 'switch'
	? boolean
	: Type extends 'count' | 'size'
		? number
		: Type extends 'lines'
			? LineRange
			: string;

type FlagOf<Name extends CommandName> = Extract<(typeof commands)[number], { name: Name }>['flags'][number];

type AlwaysThere = { readonly default: string } | { readonly type: 'switch' };

/** The values of a command's flags by name, defaults filled in. */
export type Values<Name extends CommandName> = {
	readonly [F in FlagOf<Name> as F['name']]: F extends AlwaysThere
		? ValueOf<F['type']>
		: ValueOf<F['type']> | undefined;
};

/** Lines `first` to `last`, both included, 1-based; `last` may be Infinity. */
export interface LineRange {
	readonly first: number;
	readonly last: number;
}

/** One call of one command, its arguments checked. */
export interface Invocation<Name extends CommandName> {
	readonly values: Values<Name>;
	/** Flags that the caller typed, by name. */
	readonly given: ReadonlySet<string>;
	/** The argument that is no flag; empty for a command that has none. */
	readonly operand: string;
}
