/** What the documented clean-up removes, and the words that mark a record as an error. */

import { TextHash } from '../../json/hash.js';

/** Fields that are removed by name, exactly so written. */
const REMOVED_FIELDS = ['debug', 'trace', 'traces', 'stack', 'stacktrace', 'logs', 'logging'];

const REMOVED_HASHES = REMOVED_FIELDS.map((name) => new TextHash().take(Buffer.from(name), 0, name.length));

/** By the last bits of one hash: 1 where a name may be one of these. Spares the others the comparison. */
const MAY_BE_REMOVED = new Uint8Array(1024);
for (const { low } of REMOVED_HASHES) {
	MAY_BE_REMOVED[low & 1023] = 1;
}

/**
 * Whether the clean-up removes a field by its name.
 *
 * @param low the one hash of the name's text.
 * @param high the other.
 */
export function isRemovedField(low: number, high: number): boolean {
	return (
		MAY_BE_REMOVED[low & 1023] === 1 && REMOVED_HASHES.some((hash) => hash.low === low && hash.high === high)
	);
}

/** What a field's name says about the record, whatever its case. */
export const PLAIN = 0;
export const ERROR = 1;
export const STATUS = 2;
export type FieldRole = typeof PLAIN | typeof ERROR | typeof STATUS;

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

/** Characters of the longest name that has a role. */
export const LONGEST_ROLE_NAME = Math.max(...[...ERROR_FIELDS, ...STATUS_FIELDS].map((name) => name.length));

export function roleOf(name: string): FieldRole {
	const lower = name.toLowerCase();
	if (ERROR_FIELDS.has(lower)) {
		return ERROR;
	}

	return STATUS_FIELDS.has(lower) ? STATUS : PLAIN;
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
