/** Death without warning: the stash stays sound, and what was printed is there. */

import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { referencesIn } from '../../../lib/stash/reference.js';
import { integrityOf } from '../../stash/support/databases.js';
import { temporaryDirectory } from '../run.js';
import { sizeOf, start, until, untilLogExceeds } from './children.js';
import { BOUND, MEBIBYTE, manyWindows, missing, numbers, Records, stashNumbers, stashOf } from './inputs.js';

/** The check that leaves the log where the killed process left it. */
function integrityOfUntouched(stash: string): unknown {
	const database = new BetterSqlite3(stash, { readonly: true });
	try {
		return database.pragma('integrity_check', { simple: true });
	} finally {
		database.close();
	}
}

/** A data directory with entries of earlier runs. */
function withEntries(): { dataDirectory: string; keys: string[] } {
	const dataDirectory = temporaryDirectory();
	const keys = [100, 200, 300].map((last) => stashNumbers(dataDirectory, numbers(1, last)));
	return { dataDirectory, keys };
}

describe('kill -9', () => {
	it('inside the transaction, 200 times, leaves a sound stash with everything that was there', {
		timeout: 1_200_000,
	}, async () => {
		const { dataDirectory, keys } = withEntries();
		const stash = stashOf(dataDirectory);
		const log = `${stash}-wal`;
		const file = path.join(temporaryDirectory(), 'records.json');
		const records = new Records(4 * MEBIBYTE);
		const large: string[] = [];
		let inside = 0;

		for (let round = 0; inside < 200; round++) {
			const { bytes, key } = await records.keyed(`run ${round}`);
			fs.writeFileSync(file, bytes);
			const before = sizeOf(log);
			const child = start(['compress-response', '--file', file], { dataDirectory });
			const share = (((round * 7) % 10) + 0.5) / 16;
			const isGrown = await untilLogExceeds(stash, before + (bytes.length - before) * share, child);
			child.process.kill('SIGKILL');
			const { stdout, signal } = await child.result();

			const printed = referencesIn(stdout.toString());
			expect(missing(dataDirectory, [...keys, ...large.slice(-1), ...printed])).toEqual([]);
			const isStored = missing(dataDirectory, [key]).length === 0;
			if (isStored) {
				large.push(key);
			}

			if (stdout.length > 0) {
				expect(isStored).toBe(true);
			} else if (isGrown && signal === 'SIGKILL' && !isStored) {
				inside++;
			}

			// Now and then the log is folded in; otherwise the next process finds what this one left.
			const isFolded = isStored || round % 4 === 3;
			expect(isFolded ? integrityOf(stash) : integrityOfUntouched(stash)).toBe('ok');
		}

		expect(integrityOf(stash)).toBe('ok');
		expect(missing(dataDirectory, [...keys, ...large])).toEqual([]);
	});

	it('at any moment of the output leaves everything in the stash that was printed', async () => {
		const { dataDirectory, keys } = withEntries();
		const file = path.join(temporaryDirectory(), 'windows.json');
		let cutShort = 0;
		for (let round = 0; round < 12; round++) {
			const input = manyWindows(`round ${round}`);
			fs.writeFileSync(file, input);
			const child = start(['compress-response', ...BOUND, '--file', file], { dataDirectory });
			// A slow reader: what it has not taken waits in the child.
			const pieces: Buffer[] = [];
			child.process.stdout?.on('data', (piece: Buffer) => {
				pieces.push(piece);
				child.process.stdout?.pause();
				setTimeout(() => child.process.stdout?.resume(), 2);
			});
			await until(() => pieces.length > round, child);
			child.process.kill('SIGKILL');
			const { signal } = await child.result();

			const printed = referencesIn(Buffer.concat(pieces).toString());
			expect(printed.length).toBeGreaterThan(0);
			expect(missing(dataDirectory, [...keys, ...printed])).toEqual([]);
			expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
			cutShort += signal === 'SIGKILL' && printed.length < 800 ? 1 : 0;
		}

		expect(cutShort).toBeGreaterThan(0);
	});

	it('at any moment at all leaves everything in the stash that was printed', async () => {
		const { dataDirectory, keys } = withEntries();
		const file = path.join(temporaryDirectory(), 'records.json');
		const records = new Records(MEBIBYTE);
		for (let round = 0; round < 24; round++) {
			fs.writeFileSync(file, records.labelled(`moment ${round}`));
			const child = start(['compress-response', '--file', file], { dataDirectory });
			await sleep(round * 20);
			child.process.kill('SIGKILL');
			const { stdout } = await child.result();
			expect(missing(dataDirectory, [...keys, ...referencesIn(stdout.toString())])).toEqual([]);
		}

		expect(integrityOf(stashOf(dataDirectory))).toBe('ok');
	});
});
