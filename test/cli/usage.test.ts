/** Command lines that cannot be meant: exit 2, one line that says why, nothing on standard output. */

import { describe, expect, it } from 'vitest';
import { run } from './run.js';

const hash = '0123456789abcdef01234567';

describe('a command line that cannot be meant', () => {
	it.each<[string[], string]>([
		[['compres-response'], "unknown command 'compres-response'; did you mean compress-response?"],
		[['compress'], "unknown command 'compress'; did you mean compress-response?"],
		[['retreive', hash], "unknown command 'retreive'; did you mean retrieve?"],
		[['frobnicate'], "unknown command 'frobnicate' (see tokenless --help)"],
		[[''], "unknown command '' (see tokenless --help)"],
		[['--versoin'], "unknown flag '--versoin'; did you mean --version?"],
		[['--frobnicate'], "unknown flag '--frobnicate' (see tokenless --help)"],
		[['-x', 'retrieve', hash], "unknown flag '-x' (see tokenless --help)"],
		[
			['--file', 'a.json', 'compress-response'],
			'no command before --file: flags come after their command (see tokenless --help)',
		],
		[
			['compress-response', '--truncate-array-at', '5'],
			"unknown flag '--truncate-array-at'; did you mean --truncate-arrays-at?",
		],
		[
			['compress-response', '--truncateArraysAt=5'],
			"unknown flag '--truncateArraysAt'; did you mean --truncate-arrays-at?",
		],
		[['compress-response', '--depth=5'], "unknown flag '--depth'; did you mean --max-depth?"],
		[
			['compress-response', '--frobnicate'],
			"unknown flag '--frobnicate' (see tokenless compress-response --help)",
		],
		[['compress-response', '--stash'], "unknown flag '--stash' (see tokenless compress-response --help)"],
		[['compress-response', '--no-file'], "unknown flag '--no-file' (see tokenless compress-response --help)"],
		[
			['compress-response', '--__proto__=1'],
			"unknown flag '--__proto__' (see tokenless compress-response --help)",
		],
		[['compress-response', '-x'], "unknown flag '-x' (see tokenless compress-response --help)"],
		[['compress-response', '-fa.json'], "unknown flag '-fa.json'; did you mean -f 'a.json'?"],
		[['retrieve', '--line', '1', hash], "unknown flag '--line'; did you mean --lines?"],
		[['compress-response', '--file'], '--file needs a value'],
		[['compress-response', '-f'], '--file needs a value'],
		[['compress-response', '--file='], '--file needs a value'],
		[['compress-response', '--file', ''], '--file needs a value'],
		[['compress-response', '--file', '--no-stash'], '--file needs a value'],
		[['compress-response', '--max-depth', '--no-stash'], '--max-depth needs a whole number, 0 or more'],
		[
			['compress-response', '--truncate-arrays-at', '-1'],
			"--truncate-arrays-at needs a whole number, 0 or more, not '-1'",
		],
		[
			['compress-response', '--truncate-arrays-at=-1'],
			"--truncate-arrays-at needs a whole number, 0 or more, not '-1'",
		],
		[['compress-response', '--max-depth', '1.5'], "--max-depth needs a whole number, 0 or more, not '1.5'"],
		[['compress-response', '--max-depth', '1e3'], "--max-depth needs a whole number, 0 or more, not '1e3'"],
		[['compress-response', '--max-depth', '0x10'], "--max-depth needs a whole number, 0 or more, not '0x10'"],
		[['compress-response', '--max-depth', 'many'], "--max-depth needs a whole number, 0 or more, not 'many'"],
		[
			['compress-response', '--truncate-strings-at', '9007199254740993'],
			"--truncate-strings-at needs a whole number, 0 or more, not '9007199254740993'",
		],
		[
			['compress-response', '--max-input', '3 apples'],
			"--max-input needs a size such as 64MiB, 4GiB or 0, not '3 apples'",
		],
		[
			['compress-response', '--max-input', '-1'],
			"--max-input needs a size such as 64MiB, 4GiB or 0, not '-1'",
		],
		[['compress-response', '--max-depth', '3', '--max-depth=4'], '--max-depth is given twice'],
		[['compress-response', '-f', 'a', '--file', 'b'], '--file is given twice'],
		[['compress-response', '--no-stash', '--no-stash'], '--no-stash is given twice'],
		[['compress-response', '--no-stash=yes'], '--no-stash takes no value'],
		[
			['compress-response', 'a.json'],
			"unexpected argument 'a.json' (see tokenless compress-response --help)",
		],
		[
			['compress-response', '--', '--no-stash'],
			"unexpected argument '--no-stash' (see tokenless compress-response --help)",
		],
		[
			['compress-response', '--no-stash', 'a.json'],
			"unexpected argument 'a.json' (see tokenless compress-response --help)",
		],
		[
			['retrieve'],
			'retrieve needs <hash>: 24 hexadecimal digits, a marker, or the whole line that names them',
		],
		[['retrieve', hash, 'b'], "unexpected argument 'b' (see tokenless retrieve --help)"],
		...['0', '5-3', '-', '', 'a-b', '1-2-3', '1.5', '-20-30', '0-3', '1-9007199254740993'].map(
			(range): [string[], string] => [
				['retrieve', hash, `--lines=${range}`],
				`--lines needs lines such as 10-20, 10-, -20 or 7${range === '' ? '' : `, not '${range}'`}`,
			],
		),
		[
			['retrieve', hash, '--lines', '-20-30'],
			"--lines needs lines such as 10-20, 10-, -20 or 7, not '-20-30'",
		],
		[
			['compress-response', '--a\u001B[2J\nb'],
			"unknown flag '--a\\u{1b}[2J\\u{a}b' (see tokenless compress-response --help)",
		],
	])('%j', (words, message) => {
		const { exitCode, stdout, stderr } = run(words, { input: '[1]' });
		expect(stderr).toBe(`tokenless: ${message}\n`);
		expect(exitCode).toBe(2);
		expect(stdout.length).toBe(0);
	});
});
