/** Runs the built executable as a user would, with a data directory of its own. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const executable = fileURLToPath(new URL('../../dist/bin/tokenless.js', import.meta.url));

export interface RunOptions {
	/** What stands on standard input; nothing unless told. */
	readonly input?: string | Uint8Array;
	readonly environment?: Readonly<Record<string, string>>;
	/** A data directory to share between runs; a fresh one unless told. */
	readonly dataDirectory?: string;
	readonly currentDirectory?: string;
	/** User and group to run as, where the test itself runs as root. */
	readonly uid?: number;
}

export interface RunResult {
	readonly exitCode: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: Buffer;
	readonly stderr: string;
}

/** The variables of the run: those of the test without any of ours, then the given ones. */
export function environmentOf({
	environment,
	dataDirectory,
}: RunOptions): Record<string, string | undefined> {
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TOKENLESS_'));
	return {
		...Object.fromEntries(inherited),
		TOKENLESS_DATA_DIR: dataDirectory ?? temporaryDirectory(),
		// Whoever runs the tests may have switched these off in the configuration of their home.
		TOKENLESS_COMPRESSION_ENABLED: '1',
		...environment,
	};
}

export function run(words: readonly string[], options: RunOptions = {}): RunResult {
	return resultOf(
		spawnSync(process.execPath, [executable, ...words], {
			input: options.input ?? '',
			env: environmentOf(options),
			cwd: options.currentDirectory,
			maxBuffer: 1024 ** 3,
			...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
		}),
	);
}

/** Runs a line of shell in which `tokenless` is the executable. */
export function runShell(line: string, options: RunOptions = {}): RunResult {
	const script = `tokenless() { '${process.execPath}' '${executable}' "$@"; }\n${line}`;
	return resultOf(
		spawnSync('bash', ['-c', script], {
			input: options.input ?? '',
			env: environmentOf(options),
			cwd: options.currentDirectory,
			maxBuffer: 1024 ** 3,
		}),
	);
}

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
	const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tokenless-test-'));
	onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }));
	return directory;
}

function resultOf({ status, signal, stdout, stderr, error }: SpawnSyncReturns<Buffer>): RunResult {
	if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE') {
		throw error;
	}

	return { exitCode: status, signal, stdout, stderr: stderr.toString() };
}
