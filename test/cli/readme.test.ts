/** The README tells of every command and flag what the table of commands says. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Command, commands, type Flag } from '../../lib/cli/commands.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');

function rowOf(flag: Flag): string {
	const spelling = [
		flag.short === undefined ? '' : `-${flag.short}, `,
		`--${flag.name}`,
		` ${flag.placeholder ?? ''}`,
	];
	return `| \`${spelling.join('').trim()}\` |${flag.default === undefined ? '' : ` \`${flag.default}\``} | ${flag.summary} |`;
}

test.each(commands as readonly Command[])('$name stands in the README with all its flags', (command) => {
	const section = readme.split('\n### ').find((text) => text.startsWith(`\`tokenless ${command.name}`));
	expect(section).toBeDefined();
	for (const flag of command.flags) {
		expect(section).toContain(rowOf(flag));
	}
});
