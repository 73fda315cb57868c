/** What stands in the output for what was left out: emitted, priced and recognised here, for every domain. */

import { HEX } from '../json/bytes.js';
import { instructionFor, type Recovery } from '../stash/reference.js';

/** As long as every key, so that a notice can be priced before anything is hashed. */
const ANY_KEY = '0'.repeat(24);

/** What a notice stands for. */
export type Omission =
	| { readonly kind: 'items'; readonly omitted: number }
	| { readonly kind: 'records'; readonly omitted: number; readonly total: number }
	| { readonly kind: 'subtree'; readonly type: string; readonly depth: number }
	| { readonly kind: 'text' };

/**
 * The notice for an omission whose payload is in the stash. That of a text is appended to what is kept of it;
 * the others are strings of their own.
 */
export function noticeFor(omission: Omission, recovery: Recovery, key: string = ANY_KEY): string {
	const instruction = instructionFor(recovery, key);
	switch (omission.kind) {
		case 'items': {
			return `${omission.omitted} items omitted. ${instruction}`;
		}

		case 'records': {
			return `${omission.omitted} of ${omission.total} records omitted. ${instruction}`;
		}

		case 'subtree': {
			return `${omission.type} truncated at depth ${omission.depth}. ${instruction}`;
		}

		case 'text': {
			return `… Truncated. ${instruction}`;
		}
	}
}

/** The notice for an omission that the caller allowed to be final. */
export function lossyNoticeFor(omission: Exclude<Omission, { kind: 'records' }>): string {
	switch (omission.kind) {
		case 'items': {
			return `<... ${omission.omitted} more items truncated, not stashed>`;
		}

		case 'subtree': {
			return `<${omission.type} truncated at depth ${omission.depth}>`;
		}

		case 'text': {
			return '… (truncated)';
		}
	}
}

/** No notice is shorter, as a lexeme, in bytes. */
export const SHORTEST_NOTICE = 30;

/** Bytes at the end of a string that show whether it is, or ends in, a notice. */
export const NOTICE_REACH = 256;

const COUNT = String.raw`(?:0|[1-9]\d*)`;
const ITEMS = new RegExp(`^${COUNT} items omitted\\. $`, 'u');
const RECORDS = new RegExp(`^${COUNT} of ${COUNT} records omitted\\. $`, 'u');
const LEFT_OUT = `(?:object|array|string|number|bool|null) truncated at depth ${COUNT}`;
const SUBTREE = new RegExp(`^${LEFT_OUT}\\. $`, 'u');
const LOSSY_SUBTREE = new RegExp(`^<${LEFT_OUT}>$`, 'u');
const LOSSY_ITEMS = new RegExp(`^<\\.\\.\\. ${COUNT} more items truncated, not stashed>$`, 'u');

/** Which notices count as our own. Those for the shell always do. */
export interface OurNotices {
	/** A tool's instruction counts only for the tool that is declared now. */
	readonly recovery: Recovery;

	/** Whether notices of what is gone count too. */
	readonly isLossy: boolean;
}

const SHELL: Recovery = { kind: 'shell' };

/**
 * Recognises our own notices. Whether one stands where we would have put it is for the caller to say.
 *
 * @param bytes hold a JSON string's lexeme, or at least its last `NOTICE_REACH` bytes and quotation marks.
 * @param start where the lexeme starts, its quotation mark included; may lie before the bytes.
 * @param ours which notices count.
 */
export function noticeInLexeme(
	bytes: Uint8Array,
	start: number,
	end: number,
	ours: OurNotices,
): Omission['kind'] | undefined {
	if (end - start < SHORTEST_NOTICE || !mayEndNotice(bytes, end - 1, ours)) {
		return undefined;
	}

	const isWhole = end - start - 2 <= NOTICE_REACH;
	const from = isWhole ? start + 1 : end - 1 - NOTICE_REACH;
	const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - 1 - from).toString('utf8');
	// A host that writes our output again may escape the one character of ours that is not ASCII.
	return recognise(tail.replaceAll(String.raw`\u2026`, '…'), isWhole, ours);
}

/** Every notice ends in a key, or in a closing bracket where it is final. Asked of every string that is long enough. */
function mayEndNotice(bytes: Uint8Array, end: number, { isLossy }: OurNotices): boolean {
	if (bytes[end - 1] === 0x3e) {
		return isLossy;
	}

	let index = end - 1;
	while (index > end - 1 - ANY_KEY.length && HEX[bytes[index]] >= 0) {
		index--;
	}

	return index === end - 1 - ANY_KEY.length;
}

function recognise(
	tail: string,
	isWhole: boolean,
	{ recovery, isLossy }: OurNotices,
): Omission['kind'] | undefined {
	if (isLossy && isWhole && tail.endsWith('>')) {
		return LOSSY_ITEMS.test(tail) ? 'items' : LOSSY_SUBTREE.test(tail) ? 'subtree' : undefined;
	}

	const before = tail.slice(0, -ANY_KEY.length);
	const instruction = [SHELL, recovery]
		.filter(({ kind }) => kind !== 'none')
		.map((way) => instructionFor(way, ''))
		.find((text) => before.endsWith(text));
	if (instruction === undefined) {
		return undefined;
	}

	const lead = before.slice(0, before.length - instruction.length);
	if (lead.endsWith('… Truncated. ')) {
		return 'text';
	}

	if (!isWhole) {
		return undefined;
	}

	if (ITEMS.test(lead)) {
		return 'items';
	}

	if (RECORDS.test(lead)) {
		return 'records';
	}

	return SUBTREE.test(lead) ? 'subtree' : undefined;
}
