/** Input and output side by side: what the output leaves out must be in the stash under the key that it names. */

import { DEFAULT_LIMITS, type JsonLimits, type JsonOptions } from '../../../../lib/compress/json/options.js';
import { MIN_RECORDS, Model, type Notice, noticeOf, type Way } from './model.js';
import { compact, hasLoneSurrogate, type Node, textOf } from './parse.js';

/** What a run did, as seen in its output. */
export interface Seen {
	items: number;
	records: number;
	text: number;
	subtree: number;

	/** All of these. */
	omissions: number;

	/** Keys in the output, in order. */
	keys: string[];

	isCleaned: boolean;
	isUnwrapped: boolean;
	isSequence: boolean;
}

class Mismatch extends Error {}

export function wayOf(options: JsonOptions): Way | undefined {
	if (options.lossy) {
		return { kind: 'lossy' };
	}

	const recovery = options.recovery ?? { kind: 'shell' };
	return recovery.kind === 'none' ? undefined : recovery;
}

export class Walk {
	readonly seen: Seen;
	readonly #model: Model;
	readonly #way: Way | undefined;
	readonly #limits: JsonLimits;
	readonly #payloads: ReadonlyMap<string, Buffer>;

	constructor(options: JsonOptions, payloads: ReadonlyMap<string, Buffer>, seen: Seen) {
		this.#way = wayOf(options);
		this.#model = new Model(this.#way);
		this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
		this.#payloads = payloads;
		this.seen = seen;
	}

	value(input: Node, output: Node, depth: number, path: string): void {
		if (output.type === 'string' && !(input.type === 'string' && input.lexeme === output.lexeme)) {
			this.#replaced(input, output, depth, path);
			return;
		}

		if (input.type === 'array' && output.type === 'array') {
			this.#array(input, output, depth, path);
		} else if (input.type === 'object' && output.type === 'object') {
			const kept = this.#model.members(input.members);
			same(output.members.map(([key]) => key).join(), kept.map(([key]) => key).join(), `${path}: keys`);
			for (const [index, [key, value]] of kept.entries()) {
				this.value(value, output.members[index][1], depth + 1, `${path}.${key}`);
			}
		} else {
			same(compact(output), compact(input), path);
		}
	}

	/** JSON Lines: each line as it would stand alone, or as records. */
	lines(input: Node[], output: Node[]): void {
		const notice = output.length > 0 ? this.#notice(output[output.length - 1]) : undefined;
		if (notice !== undefined && input.length !== output.length) {
			if (notice.kind === 'items') {
				same(output.length, 1, 'a sequence that was left out whole');
				same(notice.omitted, input.length, 'lines omitted');
				this.#take(notice, input.map(compact).join('\n'), '$');
				return;
			}

			same(notice.kind, 'records', 'the notice of a sequence');
			this.#records(input, input, output, notice, input.map(compact).join('\n'), 0, '$');
			return;
		}

		same(output.length, input.length, 'lines');
		for (const [index, line] of input.entries()) {
			this.value(line, output[index], 0, `$${index}`);
		}
	}

	#notice(node: Node): Notice | undefined {
		return this.#way === undefined ? undefined : noticeOf(node, this.#way);
	}

	/** A string that was not there: it must be a notice, and lead to all that it stands for. */
	#replaced(input: Node, output: Node & { type: 'string' }, depth: number, path: string): void {
		const notice = this.#notice(output);
		const isCut = notice?.kind === 'text' || (this.#way?.kind === 'lossy' && notice?.kind !== 'subtree');
		if (input.type === 'string' && isCut) {
			const prefix = notice?.kind === 'text' ? notice.prefix : output.lexeme.slice(1, -1);
			that(input.lexeme.startsWith(`"${prefix}`), `${path}: what is kept of a text is not its start`);
			that(textOf(input.lexeme).startsWith(textOf(`"${prefix}"`)), `${path}: cut inside an escape`);
			that(!hasLoneSurrogate(input.lexeme), `${path}: a text without UTF-8 form was cut`);
			this.#take(notice ?? { kind: 'text', key: undefined, prefix }, textOf(input.lexeme), path);
			this.seen.text++;
			return;
		}

		that(
			notice?.kind === 'subtree',
			`${path}: ${output.lexeme.slice(0, 200)} for ${compact(input).slice(0, 200)}`,
		);
		same(notice?.depth, depth, `${path}: depth in the notice`);
		same(notice?.type, typeOf(input), `${path}: type in the notice`);
		that(!this.#model.holdsNotice(input), `${path}: one of our own notices was dropped`);
		this.#take(notice as Notice, input.type === 'string' ? textOf(input.lexeme) : compact(input), path);
		this.seen.subtree++;
	}

	#array(
		input: Node & { type: 'array' },
		output: Node & { type: 'array' },
		depth: number,
		path: string,
	): void {
		const { items } = input;
		const survivors = this.#model.survivors(items);
		const { arrays, arrayTail } = this.#limits;
		const isRecords =
			survivors.length >= MIN_RECORDS && survivors.every((index) => items[index].type === 'object');
		if (!this.#model.holdsNotice(input) && isRecords) {
			const last = output.items.at(-1);
			const notice = last && this.#notice(last);
			if (notice?.kind === 'records') {
				const all = survivors.map((index) => items[index]);
				this.#records(items, all, output.items, notice, compact(input), depth + 1, path);
				return;
			}
		} else if (!this.#model.holdsNotice(input) && survivors.length > arrays + arrayTail) {
			const notice = output.items.length > arrays ? this.#notice(output.items[arrays]) : undefined;
			if (notice?.kind === 'items' && output.items.length === arrays + 1 + arrayTail) {
				const last = survivors.length - arrayTail - 1;
				const omitted = items.slice(survivors[arrays], survivors[last] + 1);
				same(notice.omitted, omitted.length, `${path}: items omitted`);
				for (let index = 0; index < arrays; index++) {
					this.value(items[survivors[index]], output.items[index], depth + 1, `${path}[${index}]`);
				}

				this.#take(notice, compact({ type: 'array', items: omitted }), path);
				this.seen.items++;
				for (let index = 0; index < arrayTail; index++) {
					const place = `${path}[-${arrayTail - index}]`;
					this.value(items[survivors[last + 1 + index]], output.items[arrays + 1 + index], depth + 1, place);
				}

				return;
			}
		}

		same(output.items.length, survivors.length, `${path}: items`);
		for (const [place, index] of survivors.entries()) {
			this.value(items[index], output.items[place], depth + 1, `${path}[${index}]`);
		}
	}

	/** Each record that was kept is one of the input's, in order; the notice counts the others. */
	#records(
		items: readonly Node[],
		survivors: readonly Node[],
		output: readonly Node[],
		notice: Notice,
		payload: string,
		depth: number,
		path: string,
	): void {
		const total = items.filter(({ type }) => type === 'object').length;
		const kept = output.slice(0, -1);
		same(notice.total, total, `${path}: records in all`);
		same(notice.omitted, total - kept.length, `${path}: records omitted`);
		that(kept.length >= Math.min(8, survivors.length), `${path}: fewer records than the edges`);
		let next = 0;
		for (const [place, record] of kept.entries()) {
			const index = this.#find(survivors, next, record, depth);
			that(index >= 0, `${path}[${place}]: a record that the input does not have there`);
			next = index + 1;
			this.value(survivors[index], record, depth, `${path}[${place}]`);
		}

		this.#take(notice, payload, path);
		this.seen.records++;
	}

	#find(records: readonly Node[], from: number, wanted: Node, depth: number): number {
		const before = { ...this.seen, keys: [...this.seen.keys] };
		const found = records.findIndex((record, index) => {
			if (index < from) {
				return false;
			}

			try {
				this.value(record, wanted, depth, '');
				return true;
			} catch (error) {
				if (!(error instanceof Mismatch)) {
					throw error;
				}

				return false;
			}
		});
		Object.assign(this.seen, before);
		return found;
	}

	#take(notice: Notice, expected: string, path: string): void {
		this.seen.omissions++;
		if (notice.key === undefined) {
			return;
		}

		this.seen.keys.push(notice.key);
		const payload = this.#payloads.get(notice.key);
		that(payload !== undefined, `${path}: nothing is stored under ${notice.key}`);
		that(Buffer.from(expected).equals(payload as Buffer), `${path}: the payload is not what was left out`);
	}
}

function typeOf(node: Node): string {
	if (node.type !== 'scalar') {
		return node.type;
	}

	return node.lexeme === 'null' ? 'null' : /^[tf]/u.test(node.lexeme) ? 'bool' : 'number';
}

export function that(holds: boolean, message: string): void {
	if (!holds) {
		throw new Mismatch(message);
	}
}

export function same(actual: unknown, expected: unknown, message: string): void {
	if (actual !== expected) {
		const show = (value: unknown): string => String(value).slice(0, 300);
		throw new Mismatch(`${message}: ${show(actual)}, but expected ${show(expected)}`);
	}
}
