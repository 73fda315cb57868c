/** The executable starts from compiled code where it fits, and without it where it does not. */

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { executable, temporaryDirectory } from './run.js';

const built = path.dirname(executable);
const cacheName = `command.${process.versions.v8}-${process.arch}.cache`;

/** A copy of what was built, to be damaged. */
function copy(): string {
	const directory = temporaryDirectory();
	fs.cpSync(built, directory, { recursive: true });
	return directory;
}

function versionSaidBy(file: string) {
	const { stdout, stderr, status } = spawnSync(process.execPath, [file, '--version'], { encoding: 'utf8' });
	return { stdout, stderr, status };
}

const expected = { stdout: `tokenless ${packageJson.version}\n`, stderr: '', status: 0 };

describe('the executable', () => {
	it('comes with compiled code that this Node accepts', () => {
		const program = `
			const { readFileSync } = require('node:fs');
			const { Script } = require('node:vm');
			const [source, cache] = process.argv.slice(1);
			const script = new Script(readFileSync(source, 'latin1'), { filename: source, cachedData: readFileSync(cache) });
			console.log(script.cachedDataRejected);`;
		const files = [path.join(built, 'command.js'), path.join(built, cacheName)];
		const rejected = execFileSync(process.execPath, ['-e', program, ...files], { encoding: 'utf8' });
		expect(rejected).toBe('false\n');
	});

	it('runs without it', () => {
		const directory = copy();
		fs.rmSync(path.join(directory, cacheName));
		expect(versionSaidBy(path.join(directory, 'tokenless.js'))).toEqual(expected);
	});

	it.each<[string, (cache: Buffer) => Uint8Array]>([
		['empty', () => new Uint8Array()],
		['cut short', (cache) => cache.subarray(0, cache.length / 2)],
		['something else', () => Buffer.from('no compiled code at all')],
	])('runs where it is %s', (_, damage) => {
		const directory = copy();
		const cache = path.join(directory, cacheName);
		fs.writeFileSync(cache, damage(fs.readFileSync(cache)));
		expect(versionSaidBy(path.join(directory, 'tokenless.js'))).toEqual(expected);
	});

	it('runs by itself, through a link, from anywhere', () => {
		const directory = temporaryDirectory();
		const link = path.join(directory, 'tokenless');
		fs.symlinkSync(executable, link);
		expect(execFileSync(link, ['--version'], { cwd: directory, encoding: 'utf8' })).toBe(expected.stdout);
	});
});
