/** What the documents of this project say of clean-up, notices and the estimate, written down a second time. */

import { type Node, parse, textOf } from './parse.js';

const REMOVED_FIELDS = new Set(['debug', 'trace', 'traces', 'stack', 'stacktrace', 'logs', 'logging']);

/** Items that make an array one of records. */
export const MIN_RECORDS = 33;

export type Way =
	| { readonly kind: 'shell' }
	| { readonly kind: 'tool'; readonly name: string }
	| { readonly kind: 'lossy' };

export interface Notice {
	readonly kind: 'items' | 'records' | 'subtree' | 'text';

	/** Undefined where the omission is final. */
	readonly key: string | undefined;

	readonly omitted?: number;
	readonly total?: number;
	readonly type?: string;
	readonly depth?: number;

	/** What stands before the notice, as a part of the lexeme. Only texts have any. */
	readonly prefix: string;
}

function instruction(way: Way): string {
	switch (way.kind) {
		case 'shell': {
			return 'If needed, run in shell: tokenless retrieve (?<key>[0-9a-fA-F]{24})';
		}

		case 'tool': {
			return `If needed, call tool ${way.name} with hash_or_marker=(?<key>[0-9a-fA-F]{24})`;
		}

		case 'lossy': {
			return '';
		}
	}
}

const TYPE = '(?<type>object|array|string|number|bool|null)';
const patterns = new Map<string, [Notice['kind'], RegExp][]>();

function patternsFor(way: Way): [Notice['kind'], RegExp][] {
	const id = JSON.stringify(way);
	let known = patterns.get(id);
	if (known === undefined) {
		const ask = instruction(way);
		known =
			way.kind === 'lossy'
				? [
						['items', /^<\.\.\. (?<omitted>0|[1-9]\d*) more items truncated, not stashed>$/u],
						['subtree', new RegExp(`^<${TYPE} truncated at depth (?<depth>\\d+)>$`, 'u')],
						['text', /^(?<prefix>.*)… \(truncated\)$/su],
					]
				: [
						['items', new RegExp(`^(?<omitted>0|[1-9]\\d*) items omitted\\. ${ask}$`, 'u')],
						[
							'records',
							new RegExp(`^(?<omitted>0|[1-9]\\d*) of (?<total>0|[1-9]\\d*) records omitted\\. ${ask}$`, 'u'),
						],
						['subtree', new RegExp(`^${TYPE} truncated at depth (?<depth>\\d+)\\. ${ask}$`, 'u')],
						['text', new RegExp(`^(?<prefix>.*)(?:…|\\\\u2026) Truncated\\. ${ask}$`, 'su')],
					];
		patterns.set(id, known);
	}

	return known;
}

/** Reads a string's lexeme as a notice, wherever it stands. */
export function noticeOf(node: Node, way: Way): Notice | undefined {
	if (node.type !== 'string') {
		return undefined;
	}

	const inner = node.lexeme.slice(1, -1);
	for (const [kind, pattern] of patternsFor(way)) {
		const groups = pattern.exec(inner)?.groups;
		if (groups !== undefined) {
			return {
				kind,
				key: groups.key?.toLowerCase(),
				...(groups.omitted === undefined ? {} : { omitted: Number(groups.omitted) }),
				...(groups.total === undefined ? {} : { total: Number(groups.total) }),
				...(groups.type === undefined ? {} : { type: groups.type }),
				...(groups.depth === undefined ? {} : { depth: Number(groups.depth) }),
				prefix: groups.prefix ?? '',
			};
		}
	}

	return undefined;
}

/** Whose notices count as ours: those for the shell always, others where the run could have made them. */
export function oursOf(way: Way | undefined): readonly Way[] {
	return [{ kind: 'shell' }, ...(way === undefined ? [] : [way])];
}

/** A document with, for each container, what the clean-up leaves of it. */
export class Model {
	readonly #ours: readonly Way[];
	readonly #empty = new Map<Node, boolean>();
	readonly #notices = new Map<Node, boolean>();

	/** @param way of the run; undefined where nothing is left out. */
	constructor(way: Way | undefined) {
		this.#ours = oursOf(way);
	}

	/** Whether the clean-up leaves nothing of a value. */
	isEmpty(node: Node): boolean {
		let known = this.#empty.get(node);
		if (known === undefined) {
			known =
				node.type === 'scalar'
					? node.lexeme === 'null'
					: node.type === 'string'
						? node.lexeme === '""'
						: node.type === 'array'
							? this.survivors(node.items).length === 0
							: this.members(node.members).length === 0;
			this.#empty.set(node, known);
		}

		return known;
	}

	/** Indices of the items that stay. */
	survivors(items: readonly Node[]): number[] {
		return [...items.keys()].filter((index) => !this.isEmpty(items[index]));
	}

	/** The members that stay: all of them where a key is there twice. */
	members<Member extends readonly [string, Node]>(members: readonly Member[]): readonly Member[] {
		const names = new Set(members.map(([key]) => textOf(key)));
		return names.size < members.length
			? members
			: members.filter(
					([key, value]) =>
						!this.isEmpty(value) && !(REMOVED_FIELDS.has(textOf(key)) && !this.holdsNotice(value)),
				);
	}

	/** Whether one of our own notices stands in a value, where we would have put it. */
	holdsNotice(node: Node): boolean {
		let known = this.#notices.get(node);
		if (known === undefined) {
			known = this.#findNotice(node);
			this.#notices.set(node, known);
		}

		return known;
	}

	/** The document that is left, compact. */
	cleaned(node: Node): Node {
		switch (node.type) {
			case 'array': {
				return {
					type: 'array',
					items: this.survivors(node.items).map((index) => this.cleaned(node.items[index])),
				};
			}

			case 'object': {
				return {
					type: 'object',
					members: this.members(node.members).map(([key, value]) => [key, this.cleaned(value)] as const),
				};
			}

			default: {
				return node;
			}
		}
	}

	#findNotice(node: Node): boolean {
		if (node.type === 'object') {
			return node.members.some(([, value]) => this.#isOwn(value) || this.holdsNotice(value));
		}

		if (node.type !== 'array') {
			return this.#isOwn(node);
		}

		const { items } = node;
		if (items.some((item) => this.holdsNotice(item) || this.#isOwn(item) || this.#is(item, 'items'))) {
			return true;
		}

		const last = items.at(-1);
		const before = this.survivors(items.slice(0, -1)).map((index) => items[index]);
		return last !== undefined && this.#is(last, 'records') && before.every(({ type }) => type === 'object');
	}

	/** Notices of texts and subtrees may stand anywhere. */
	#isOwn(node: Node): boolean {
		return this.#is(node, 'text') || this.#is(node, 'subtree');
	}

	#is(node: Node, kind: Notice['kind']): boolean {
		return this.#ours.some((way) => {
			const notice = noticeOf(node, way);
			// A text that ends in three dots and a word is more likely somebody else's.
			return notice?.kind === kind && !(way.kind === 'lossy' && kind === 'text');
		});
	}
}

const WIDE =
	/[\u{3040}-\u{30FF}\u{3100}-\u{312F}\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{AC00}-\u{D7AF}\u{F900}-\u{FAFF}\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B820}-\u{2CEAF}\u{2CEB0}-\u{2EBEF}\u{30000}-\u{3134F}]/gu;

/** Unicode scalar values, and the estimate of `heuristic-v1`. */
export function sizeOf(text: string): { characters: number; tokens: number } {
	let characters = 0;
	for (const _ of text) {
		characters++;
	}

	const wide = text.match(WIDE)?.length ?? 0;
	return { characters, tokens: wide + Math.ceil((characters - wide) / 4) };
}

/** Unicode scalar values of a string's text. */
export function scalarsOf(lexeme: string): number {
	return [...textOf(lexeme)].length;
}

/** The text that a document holds as its only value, where that is an object or an array in itself. */
export function unwrapped(node: Node): Node | undefined {
	if (node.type !== 'string') {
		return undefined;
	}

	const text = textOf(node.lexeme);
	if (!text.isWellFormed() || !/^[ \t\r\n]*[[{]/u.test(text)) {
		return undefined;
	}

	try {
		return parse(text);
	} catch {
		return undefined;
	}
}
