/** A stash that is damaged, somebody else's, led elsewhere, or taken away under our hands. */

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withDatabase } from '../../stash/support/databases.js';
import { run, temporaryDirectory } from '../run.js';
import { sizeOf, start, stop, untilLogExceeds } from './children.js';
import {
	BOUND,
	expectNothingDropped,
	expectNotRetrieved,
	MEBIBYTE,
	numbers,
	Records,
	stashNumbers,
	stashOf,
} from './inputs.js';

const command = ['compress-response', ...BOUND];
const input = numbers(1, 200);
const pretty = JSON.stringify(JSON.parse(input), undefined, 4);
const absent = '0123456789abcdef01234567';

function overwrite(file: string, position: number, length: number): void {
	const bytes = fs.readFileSync(file);
	fs.writeFileSync(file, bytes.fill(0xa5, position, Math.min(bytes.length, position + length)));
}

interface Broken {
	/** Breaks a stash that has an entry. */
	readonly make: (stash: string) => void;
	/** What is said when something is to be stored, and when something is to be read. */
	readonly written: RegExp;
	readonly read: RegExp;
}

const broken: Record<string, Broken> = {
	'that is no database': {
		make: (stash) => fs.writeFileSync(stash, 'no database, and long enough to be looked at. '.repeat(99)),
		written: /cannot write the stash [^\n]* damaged/,
		read: /cannot read the stash [^\n]* damaged/,
	},
	'whose first page is damaged': {
		make: (stash) => overwrite(stash, 100, 4000),
		written: /damaged/,
		read: /damaged/,
	},
	'of which only the first page is sound': {
		make: (stash) => overwrite(stash, 16_384, sizeOf(stash)),
		written: /damaged/,
		read: /damaged/,
	},
	'of which only the first page is left': {
		make: (stash) => fs.truncateSync(stash, 16_384),
		written: /damaged/,
		read: /damaged/,
	},
	'that lost a table': {
		make: (stash) => withDatabase(stash, (database) => database.exec('DROP TABLE stash_chunk')),
		written: /lacks some of its tables/,
		read: /lacks some of its tables/,
	},
	'of another program': {
		make(stash) {
			fs.rmSync(stash);
			withDatabase(stash, (database) => database.exec('CREATE TABLE bookmarks (url TEXT)'));
		},
		written: /another program/,
		read: /another program/,
	},
	'of a later release': {
		make: (stash) => withDatabase(stash, (database) => database.pragma('user_version = 1000')),
		written: /update/,
		read: /update/,
	},
	'that is a symbolic link': {
		make(stash) {
			fs.renameSync(stash, `${stash}.elsewhere`);
			fs.symlinkSync(`${stash}.elsewhere`, stash);
		},
		written: /symbolic link/,
		read: /symbolic link/,
	},
	'that is a symbolic link to nowhere': {
		make(stash) {
			fs.rmSync(stash);
			fs.symlinkSync(`${stash}.elsewhere`, stash);
		},
		written: /symbolic link/,
		read: /symbolic link/,
	},
	'whose log is a symbolic link': {
		make: (stash) => fs.symlinkSync(`${stash}.elsewhere`, `${stash}-wal`),
		written: /-wal/,
		read: /not found|unreadable|readable|symbolic link|cannot read/,
	},
	'that is a directory': {
		make(stash) {
			fs.rmSync(stash);
			fs.mkdirSync(stash);
		},
		written: /not a regular file/,
		read: /not a regular file/,
	},
};

describe.each(Object.entries(broken))('a stash %s', (_, { make, written, read }) => {
	function makeBroken() {
		const dataDirectory = temporaryDirectory();
		const key = stashNumbers(dataDirectory, numbers(1, 100));
		make(stashOf(dataDirectory));
		return { dataDirectory, key };
	}

	it.each([
		['as it was', input],
		['complete', pretty],
	])('lets everything out, %s, and is left alone', (_, text) => {
		const { dataDirectory } = makeBroken();
		const stash = stashOf(dataDirectory);
		const isFile = fs.lstatSync(stash).isFile();
		const before = isFile ? fs.readFileSync(stash) : fs.readdirSync(dataDirectory);
		expectNothingDropped(run(command, { input: text, dataDirectory }), text, written);
		expect(isFile ? fs.readFileSync(stash) : fs.readdirSync(dataDirectory)).toEqual(before);
	});

	it('is told by retrieve', () => {
		const { dataDirectory, key } = makeBroken();
		const { exitCode, stdout, stderr } = run(['retrieve', key], { dataDirectory });
		// Where a path is refused, a second line says that there is no other one.
		expect(stderr).toMatch(/^(?:tokenless: [^\n]+\n){1,2}$/);
		expect(stderr).toMatch(read);
		expect(exitCode).toBe(1);
		expect(stdout.length).toBe(0);
	});
});

describe('a stash that was taken away', () => {
	it('is made anew, and what was in it is told to be gone', () => {
		const dataDirectory = temporaryDirectory();
		const key = stashNumbers(dataDirectory, numbers(1, 100));
		fs.rmSync(stashOf(dataDirectory));
		expectNotRetrieved(key, /there is no stash at/, { dataDirectory });
		stashNumbers(dataDirectory, input);
		expectNotRetrieved(key, /is not in '.*stash\.db'/, { dataDirectory });
	});

	it.each<[string, (stash: string) => void]>([
		['removed', (stash) => fs.rmSync(stash)],
		[
			'removed with its log',
			(stash) => {
				for (const end of ['', '-wal', '-shm']) {
					fs.rmSync(stash + end);
				}
			},
		],
		['bereft of its log', (stash) => fs.rmSync(`${stash}-wal`)],
		['removed with its directory', (stash) => fs.rmSync(path.dirname(stash), { recursive: true })],
		[
			'replaced by a copy',
			(stash) => {
				fs.cpSync(stash, `${stash}.copy`);
				fs.renameSync(`${stash}.copy`, stash);
			},
		],
		[
			'replaced by a link',
			(stash) => {
				fs.renameSync(stash, `${stash}.old`);
				fs.symlinkSync(`${stash}.old`, stash);
			},
		],
	])('in the midst of a write (%s) lets everything out', async (_, takeAway) => {
		const records = new Records(6 * MEBIBYTE);
		for (let attempt = 0; ; attempt++) {
			const dataDirectory = path.join(temporaryDirectory(), 'data');
			const stash = stashOf(dataDirectory);
			stashNumbers(dataDirectory, numbers(1, 100));
			const bytes = records.labelled(`attempt ${attempt}`);
			const child = start(['compress-response'], { dataDirectory, input: Buffer.from(bytes) });
			await untilLogExceeds(stash, 0, child);
			await stop(child);
			if (sizeOf(`${stash}-wal`) > bytes.length * 0.9) {
				// Too late: it may have committed.
				child.process.kill('SIGKILL');
				await child.result();
				continue;
			}

			takeAway(stash);
			child.process.kill('SIGCONT');
			expectNothingDropped(await child.result(), bytes, /removed or replaced|stash\.db/);
			// The next one finds, or makes, a stash to write to, or says why not.
			if (fs.lstatSync(stash, { throwIfNoEntry: false })?.isSymbolicLink()) {
				fs.rmSync(stash);
			}

			stashNumbers(dataDirectory, input);
			break;
		}
	});
});

describe('a retrieve that asks for nothing that could be', () => {
	it('tells a stash that was never there from an entry that is not', () => {
		const dataDirectory = temporaryDirectory();
		expectNotRetrieved(absent, /there is no stash at/, { dataDirectory });
		stashNumbers(dataDirectory, input);
		expectNotRetrieved(absent, /is not in/, { dataDirectory });
	});
});
