/** Starts other processes that work on a stash: bundled from TypeScript, driven over IPC. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, onTestFinished } from 'vitest';
import type { SqliteStashOptions } from '../../../lib/stash/sqlite/store.js';
import type { StashWrite } from '../../../lib/stash/types.js';

export interface Request {
	readonly action: string;
	readonly values: readonly unknown[];
}

export interface Reply {
	readonly result?: unknown;
	readonly failure?: { readonly kind: string | undefined; readonly message: string };
}

/** What another process could not do, by the kind of its `StashError`. */
export class SessionFailure extends Error {
	constructor(
		readonly kind: string | undefined,
		message: string,
	) {
		super(message);
	}
}

export interface SessionOptions extends SqliteStashOptions {
	/** User and group to run as; only root may choose. */
	readonly user?: number | undefined;
	readonly umask?: number | undefined;
	/** Bytes that a file may grow to in that process, a multiple of 512. */
	readonly maxFileSize?: number | undefined;
}

export interface Session {
	readonly process: ChildProcess;
	stash(...texts: string[]): Promise<StashWrite[]>;
	stashLarge(label: string, size: number): Promise<StashWrite[]>;
	commit(referenced: string[]): Promise<string[]>;
	rollback(): Promise<void>;
	text(key: string): Promise<string>;
	count(): Promise<number>;
	close(): Promise<void>;
	/** Ends the process as the kernel ends it: without a word. */
	kill(): Promise<void>;
}

/**
 * Bundles the script of the other processes.
 *
 * @param directory where to put it; the driver is found from there, or is not.
 */
export async function bundleSession(directory: string): Promise<string> {
	const file = join(directory, 'stash-session.mjs');
	await build({
		entryPoints: [fileURLToPath(new URL('../children/session.ts', import.meta.url))],
		outfile: file,
		bundle: true,
		platform: 'node',
		format: 'esm',
		target: 'node20',
		external: ['better-sqlite3'],
		logLevel: 'error',
	});
	return file;
}

let bundled: Promise<string> | undefined;
let bundledIn: string | undefined;

afterAll(() => {
	if (bundledIn !== undefined) {
		rmSync(bundledIn, { recursive: true, force: true });
	}
});

/** The script where the driver is found; in a directory of this test file's own, which other users may search. */
function sessionScript(): Promise<string> {
	if (bundled === undefined) {
		const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
		mkdirSync(cache, { recursive: true });
		const directory = mkdtempSync(join(cache, 'stash-test-'));
		chmodSync(directory, 0o755);
		bundledIn = directory;
		bundled = bundleSession(directory);
	}

	return bundled;
}

async function request<Result>(child: ChildProcess, action: string, ...values: unknown[]): Promise<Result> {
	const { result, failure } = await new Promise<Reply>((resolve, reject) => {
		const onEnd = (code: number | null, signal: string | null) => {
			reject(new SessionFailure(undefined, `the process ended during '${action}': ${code ?? signal}`));
		};
		child.once('exit', onEnd);
		child.once('message', (reply) => {
			child.off('exit', onEnd);
			resolve(reply as Reply);
		});
		child.send({ action, values } satisfies Request);
	});
	if (failure !== undefined) {
		throw new SessionFailure(failure.kind, failure.message);
	}

	return result as Result;
}

/** Starts a process that has nothing open yet. */
function start(script: string, { user, maxFileSize }: SessionOptions = {}): ChildProcess {
	const child = fork(script, {
		serialization: 'advanced',
		...(user === undefined ? {} : { uid: user, gid: user }),
		...(maxFileSize === undefined
			? { execArgv: [] }
			: {
					execPath: '/bin/sh',
					execArgv: ['-c', `ulimit -f ${maxFileSize / 512} && exec "$0" "$@"`, process.execPath],
				}),
	});
	onTestFinished(() => {
		child.kill('SIGKILL');
	});
	return child;
}

/**
 * Starts a process and lets it open a stash.
 *
 * @throws {SessionFailure} as the other process met it.
 */
export async function openSession(
	path: string,
	{ user, umask, maxFileSize, ...options }: SessionOptions = {},
	script?: string,
): Promise<Session> {
	const child = start(script ?? (await sessionScript()), { user, maxFileSize });
	await request(child, 'open', path, options, umask);
	return {
		process: child,
		stash: (...texts) => request(child, 'stash', texts),
		stashLarge: (label, size) => request(child, 'stashLarge', label, size),
		commit: (referenced) => request(child, 'commit', referenced),
		rollback: () => request(child, 'rollback'),
		text: (key) => request(child, 'text', key),
		count: () => request(child, 'count'),
		close: () => request(child, 'close'),
		kill: () => endOf(child),
	};
}

/**
 * Starts a process that takes the write lock of a database and keeps it.
 *
 * @returns how to let go of it.
 */
export async function holdLock(path: string): Promise<() => Promise<void>> {
	const child = start(await sessionScript());
	await request(child, 'lock', path);
	return () => endOf(child);
}

async function endOf(child: ChildProcess): Promise<void> {
	const end = once(child, 'exit');
	child.kill('SIGKILL');
	await end;
}
