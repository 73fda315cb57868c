/** Why the system refused something, in its own words. */

/**
 * The code and the words of a system error, without the path that Node adds: our messages name it themselves, quoted.
 */
export function systemReason(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	const words = message.split(',')[0];
	// Errors of Node's own, such as a path that holds a NUL byte, have long texts with the path in the middle.
	return code?.startsWith('ERR_') ? `no such name is possible (${code})` : words;
}
