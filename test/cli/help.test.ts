/** Help and version of the built executable. */

import { describe, expect, it } from 'vitest';
import { commands, globalFlags } from '../../lib/cli/commands.js';
import packageJson from '../../package.json' with { type: 'json' };
import { run } from './run.js';

describe('help', () => {
	it.each(['--help', '-h'])('%s lists every command', (flag) => {
		const { exitCode, stdout, stderr } = run([flag]);
		expect(exitCode).toBe(0);
		expect(stderr).toBe('');
		for (const { name, summary } of commands) {
			expect(stdout.toString()).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'));
		}
	});

	it('is shown on standard error when no command is given', () => {
		const { exitCode, stdout, stderr } = run([]);
		expect(exitCode).toBe(2);
		expect(stdout.toString()).toBe('');
		expect(stderr).toBe(run(['--help']).stdout.toString());
	});

	describe.each(commands.map((command) => [command.name, command] as const))('of %s', (name, command) => {
		it.each([
			['after it', [name, '--help']],
			['after it, short', [name, '-h']],
			['before it', ['--help', name]],
			['with other flags', [name, '--stash-db', '/tmp/x', '--help']],
		])('is shown where asked for %s', (_, words) => {
			const { exitCode, stdout, stderr } = run(words);
			expect(exitCode).toBe(0);
			expect(stderr).toBe('');
			expect(stdout.toString()).toContain(`Usage: tokenless ${name} `);
		});

		it('names every flag with its value, default and summary', () => {
			const text = run([name, '--help']).stdout.toString();
			for (const flag of [...command.flags, ...globalFlags]) {
				const line = text.split('\n').find((candidate) => candidate.includes(`--${flag.name} `));
				expect(line).toContain(flag.summary);
				expect(line).toContain('placeholder' in flag ? flag.placeholder : '');
				expect(line).toContain('default' in flag ? `(default ${flag.default})` : '');
				expect(line).toContain('short' in flag ? `-${flag.short}, ` : '');
			}
		});

		it('fits a terminal of 100 columns', () => {
			const lines = run([name, '--help']).stdout.toString().split('\n');
			expect(lines.filter((line) => line.length > 100)).toEqual([]);
		});
	});
});

describe('version', () => {
	it.each([[['--version']], [['retrieve', '--version']]])('is told by %j', (words) => {
		const { exitCode, stdout, stderr } = run(words);
		expect(exitCode).toBe(0);
		expect(stdout.toString()).toBe(`tokenless ${packageJson.version}\n`);
		expect(stderr).toBe('');
	});
});
