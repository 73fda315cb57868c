/** What the documented clean-up removes, and the words that mark a record as an error. */

import { TextHash } from '../../json/hash.js';

/** Fields that are removed by name, exactly so written. */
const REMOVED_FIELDS = ['debug', 'trace', 'traces', 'stack', 'stacktrace', 'logs', 'logging'];

const REMOVED_HASHES = REMOVED_FIELDS.map((name) => new TextHash().take(Buffer.from(name), 0, name.length));

/** Bit n set: some removed field's name has n bytes. Spares most names the comparison. */
const REMOVED_LENGTHS = REMOVED_FIELDS.reduce((bits, name) => bits | (1 << name.length), 0);

/**
 * Whether the clean-up removes a field by its name.
 *
 * @param low the one hash of the name's text.
 * @param high the other.
 * @param length bytes of that text.
 */
export function isRemovedField(low: number, high: number, length: number): boolean {
	if (length > 15 || (REMOVED_LENGTHS & (1 << length)) === 0) {
		return false;
	}

	for (let index = 0; index < REMOVED_HASHES.length; index++) {
		if (REMOVED_HASHES[index].low === low && REMOVED_HASHES[index].high === high) {
			return true;
		}
	}

	return false;
}

/** What a field's name says about the record, whatever its case. */
export type FieldRole = 'plain' | 'error' | 'status';

const ERROR_FIELDS = new Set(['error', 'errors', 'exception', 'failure']);

/** `action`, `result`, `outcome` and `conclusion` are where test runners and CI services put what others call status. */
const STATUS_FIELDS = new Set([
	'status',
	'state',
	'level',
	'severity',
	'action',
	'result',
	'outcome',
	'conclusion',
]);

export function roleOf(name: string): FieldRole {
	const lower = name.toLowerCase();
	if (ERROR_FIELDS.has(lower)) {
		return 'error';
	}

	return STATUS_FIELDS.has(lower) ? 'status' : 'plain';
}

const ALARM =
	/error|failed|fatal|critical|panic|timeout|warn|\bfail(?:s|ing|ures?)?\b|\bnot ok\b|\b(?:crash|abort)(?:ed)?\b/giu;

/** What stands before a word of alarm when there is none: "0 errors", "no failures", "without warnings". */
const NONE_BEFORE = /(?:^|[^\p{L}\p{N}.,])(?:0+|no|non|zero|without)[ \-_:=]*$/iu;

/** What stands after it when there is none: "error_rate: 0", "errors=0". */
const NONE_AFTER = /^[\p{L}_]*(?: (?:rate|count))?\s*[:=]\s*0+(?:\.0+)?%?(?![\p{L}\p{N}.])/iu;

/** Characters around a word that say whether it is counted as none. */
const REACH = 32;

/** Whether a status says that something went wrong. Words that count nothing ("0 errors") do not. */
export function isAlarm(text: string): boolean {
	ALARM.lastIndex = 0;
	for (let match = ALARM.exec(text); match !== null; match = ALARM.exec(text)) {
		const end = match.index + match[0].length;
		const isNone =
			NONE_BEFORE.test(text.slice(Math.max(0, match.index - REACH), match.index)) ||
			NONE_AFTER.test(text.slice(end, end + REACH));
		if (!isNone) {
			return true;
		}
	}

	return false;
}

const NOTHING = new Set([
	'none',
	'null',
	'nil',
	'no',
	'no error',
	'no errors',
	'false',
	'0',
	'ok',
	'success',
	'n/a',
	'-',
]);

/** Whether the text of an error field says that there is no error. */
export function isNothing(text: string): boolean {
	return NOTHING.has(text.trim().toLowerCase());
}
