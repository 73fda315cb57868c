/**
 * The promise, checked from outside: input and output are walked side by side, and whatever the output leaves out
 * must be in the stash under the key that the output names.
 */

import { DEFAULT_LIMITS, type JsonOptions } from '../../../../lib/compress/json/options.js';
import { Model, noticeOf, oursOf, scalarsOf, sizeOf, unwrapped, type Way } from './model.js';
import { compact, hasLoneSurrogate, type Node, parse } from './parse.js';
import type { Run } from './run.js';
import { type Seen, same, that, Walk, wayOf } from './walk.js';

export type { Seen } from './walk.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The values of a document or of JSON Lines, and whether it was the latter. */
export function read(text: string): { values: Node[]; isSequence: boolean } {
	const body = text.replace(/^\u{feff}/u, '');
	try {
		return { values: [parse(body)], isSequence: false };
	} catch {
		const lines = body.split('\n').filter((line) => line.trim() !== '');
		return { values: lines.map((line) => parse(line)), isSequence: true };
	}
}

/**
 * Checks one run against its input.
 *
 * @throws {Error} that says where a promise does not hold.
 */
export function check(input: Uint8Array, options: JsonOptions, run: Run, hasStash = true): Seen {
	const { outcome, stash } = run;
	const before = utf8.decode(input);
	const after = utf8.decode(run.output);
	const effective: JsonOptions = hasStash
		? options
		: { ...options, ...(options.lossy ? {} : { recovery: { kind: 'none' } }) };
	const way = wayOf(effective);
	const seen: Seen = {
		items: 0,
		records: 0,
		text: 0,
		subtree: 0,
		omissions: 0,
		keys: [],
		isCleaned: false,
		isUnwrapped: false,
		isSequence: false,
	};

	const original = read(before);
	const inner = original.isSequence ? undefined : unwrapped(original.values[0]);
	const values = inner === undefined ? original.values : [inner];
	const model = new Model(way);
	const complete = `${values.map((value) => compact(model.cleaned(value))).join('\n')}\n`;
	const size = sizeOf(before);
	same(outcome.beforeTokens, size.tokens, 'beforeTokens');

	if (outcome.disposition !== 'applied') {
		that(Buffer.from(input).equals(run.output), 'what was not applied must come out as it went in');
		same(outcome.operations.length, 0, 'operations where nothing was applied');
		const candidate = sizeOf(complete);
		const saves = candidate.characters < size.characters && candidate.tokens < size.tokens;
		that(!saves, 'a complete representation would have been smaller');
		return seen;
	}

	const smaller = sizeOf(after);
	same(outcome.afterTokens, smaller.tokens, 'afterTokens');
	that(smaller.tokens < size.tokens, 'the estimate must fall');
	that(smaller.characters < size.characters, 'the characters must fall');

	const result = read(after);
	seen.isSequence = original.isSequence;
	seen.isUnwrapped = inner !== undefined;
	const compactBefore = values.map((value) => compact(value)).join('\n');
	seen.isCleaned = `${compactBefore}\n` !== complete;
	const walk = new Walk(effective, stash.payloads, seen);
	if (original.isSequence) {
		walk.lines(values, result.values);
	} else {
		same(result.isSequence, false, 'a document became a sequence');
		walk.value(values[0], result.values[0], 0, '$');
	}

	if (seen.omissions === 0) {
		same(after, complete, 'nothing was left out, so all of the cleaned input must be there');
		same(outcome.recoverability, 'lossless', 'recoverability');
	} else {
		const how = options.lossy ? 'unrecoverable' : 'retrievable';
		same(outcome.recoverability, how, 'recoverability');
		checkStrings(result.values, effective, way);
	}

	const keys = [...new Set(seen.keys)].join();
	same(outcome.writes.map(({ key }) => key).join(), keys, 'keys of the outcome, in the order of the output');
	const { operations } = outcome;
	same(operations.includes('json_record_reduction'), seen.records > 0, 'json_record_reduction');
	same(operations.includes('json_truncation'), seen.omissions > seen.records, 'json_truncation');
	that(seen.keys.length <= 1000, 'more than 1,000 windows');
	return seen;
}

/** Strings are no longer than their limit, where that has room for a notice at all. */
function checkStrings(values: readonly Node[], { limits }: JsonOptions, way: Way | undefined): void {
	const { strings } = { ...DEFAULT_LIMITS, ...limits };
	const pending = [...values];
	for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
		if (node.type === 'array') {
			pending.push(...node.items);
		} else if (node.type === 'object') {
			pending.push(...node.members.map(([, value]) => value));
		} else if (node.type === 'string' && strings >= 100 && node.lexeme.length > strings) {
			const { lexeme } = node;
			const isOurs = oursOf(way).some((one) => noticeOf({ type: 'string', lexeme }, one) !== undefined);
			const isFree = isOurs || hasLoneSurrogate(lexeme);
			that(isFree || scalarsOf(node.lexeme) <= strings, 'a string is longer than its limit');
		}
	}
}
