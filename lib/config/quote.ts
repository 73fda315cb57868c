/** Names from outside (paths, values of variables) made fit for a one-line message. */

const MAXIMUM_LENGTH = 300;

/**
 * Puts a name in single quotes. Control characters, line separators and bidirectional overrides are escaped: a file
 * name must neither break the line nor steer the terminal. Very long names lose their middle.
 */
export function quote(name: string): string {
	const shown =
		name.length <= MAXIMUM_LENGTH
			? name
			: `${name.slice(0, MAXIMUM_LENGTH / 2)}…${name.slice(-MAXIMUM_LENGTH / 2)}`;
	const escaped = shown.replace(
		/[\p{Cc}\p{Cf}\u2028\u2029\p{Cs}]/gu,
		(character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
	);
	return `'${escaped}'`;
}
