/** What stands in the output for what was left out: emitted, priced and recognised here, for every domain. */

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
const SUBTREE = new RegExp(`^(?:object|array|string|number|bool|null) truncated at depth ${COUNT}\\. $`, 'u');
const LOSSY_ITEMS = new RegExp(`^<\\.\\.\\. ${COUNT} more items truncated, not stashed>$`, 'u');
const KEY_AT_END = /[\da-f]{24}$/iu;

/**
 * Recognises our own notices. Whether one stands where we would have put it is for the caller to say.
 *
 * @param bytes hold a JSON string's lexeme, or at least its last `NOTICE_REACH` bytes and quotation marks.
 * @param start where the lexeme starts, its quotation mark included; may lie before the bytes.
 * @param recovery a tool's instruction counts only for the tool declared now; `none`: only what `--no-stash` writes.
 */
export function noticeInLexeme(
	bytes: Uint8Array,
	start: number,
	end: number,
	recovery: Recovery,
): Omission['kind'] | undefined {
	if (end - start < SHORTEST_NOTICE || !mayEndNotice(bytes[end - 2], recovery)) {
		return undefined;
	}

	const isWhole = end - start - 2 <= NOTICE_REACH;
	const from = isWhole ? start + 1 : end - 1 - NOTICE_REACH;
	const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - 1 - from).toString('utf8');
	// A host that writes our output again may escape the one character of ours that is not ASCII.
	return recognise(tail.replaceAll(String.raw`\u2026`, '…'), isWhole, recovery);
}

/** Every notice ends in a key, or in a closing bracket where it is final. */
function mayEndNotice(byte: number, recovery: Recovery): boolean {
	return recovery.kind === 'none'
		? byte === 0x3e
		: (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

function recognise(tail: string, isWhole: boolean, recovery: Recovery): Omission['kind'] | undefined {
	if (recovery.kind === 'none') {
		return isWhole && LOSSY_ITEMS.test(tail) ? 'items' : undefined;
	}

	if (!KEY_AT_END.test(tail)) {
		return undefined;
	}

	const instruction = instructionFor(recovery, '');
	const before = tail.slice(0, -ANY_KEY.length);
	if (!before.endsWith(instruction)) {
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
