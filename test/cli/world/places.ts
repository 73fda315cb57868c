/** Directories that take nothing, or little: by their mount where root runs the tests, else by what limits a user. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { smallDisk } from '../../stash/support/places.js';
import {
	environmentOf,
	executable,
	type RunOptions,
	type RunResult,
	run,
	temporaryDirectory,
} from '../run.js';

const NOBODY = 65_534;

export const isRoot = process.getuid?.() === 0;

/** Runs the executable by way of a line of `sh` in which `"$@"` stands for it. */
export function runWithin(line: string, words: readonly string[], options: RunOptions): RunResult {
	const command = ['-c', line, 'sh', process.execPath, executable, ...words];
	const { status, signal, stdout, stderr } = spawnSync('sh', command, {
		input: options.input ?? '',
		env: environmentOf(options),
		maxBuffer: 1024 ** 3,
	});
	return { exitCode: status, signal, stdout, stderr: stderr.toString() };
}

export interface LittleRoom {
	readonly dataDirectory: string;

	/** Runs the executable with that data directory. */
	run(words: readonly string[], input?: string | Uint8Array): RunResult;

	/** Whether it is the disk that is small. */
	readonly isDisk: boolean;

	/** What is said of a stash that has no room. */
	readonly why: RegExp;
}

/** A data directory on a disk of that many bytes; where none can be had, each file may grow to `fileSize`. */
export function littleRoom(size: number, fileSize = size): LittleRoom {
	const disk = smallDisk(size);
	if (disk !== undefined) {
		return {
			dataDirectory: disk,
			run: (words, input = '') => run(words, { dataDirectory: disk, input }),
			isDisk: true,
			why: /no room on the disk/,
		};
	}

	const dataDirectory = temporaryDirectory();
	return {
		dataDirectory,
		run: (words, input = '') =>
			runWithin(`ulimit -f ${Math.floor(fileSize / 512)}; exec "$@"`, words, { dataDirectory, input }),
		isDisk: false,
		why: /cannot write the stash/,
	};
}

/**
 * A data directory that must not be written to, once `prepare` has.
 *
 * @returns how to run with it: root as another user, whom permissions stop.
 */
export function forbiddenDirectory(prepare: (dataDirectory: string) => void = () => {}): RunOptions {
	const dataDirectory = temporaryDirectory();
	prepare(dataDirectory);
	for (const name of fs.readdirSync(dataDirectory)) {
		fs.chmodSync(path.join(dataDirectory, name), 0o444);
	}

	fs.chmodSync(dataDirectory, 0o555);
	onTestFinished(() => fs.chmodSync(dataDirectory, 0o700));
	return isRoot ? { dataDirectory, uid: NOBODY } : { dataDirectory };
}

/** The same by a file system that is mounted for reading only, where root may mount one. */
export function readOnlyDirectory(prepare: (dataDirectory: string) => void = () => {}): RunOptions {
	const disk = smallDisk(8 * 2 ** 20);
	if (disk === undefined) {
		return forbiddenDirectory(prepare);
	}

	prepare(disk);
	const { status, stderr } = spawnSync('mount', ['-o', 'remount,ro', disk]);
	if (status !== 0) {
		throw new Error(stderr.toString());
	}

	return { dataDirectory: disk };
}

/** Names of temporary files of ours in the directory that everybody shares. */
export function sharedSpools(): string[] {
	return fs.readdirSync('/var/tmp').filter((name) => name.startsWith('.tokenless-spool-'));
}
