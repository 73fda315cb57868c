/** Runs of the executable that are watched, stopped and killed on their way. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { environmentOf, executable, type RunOptions, type RunResult } from '../run.js';

export interface Child {
	readonly process: ChildProcess;

	/** What came of it. Reads standard output, which nobody does before. */
	result(): Promise<RunResult>;

	isRunning(): boolean;
}

/** Starts the executable. Standard input and output are pipes. */
export function start(words: readonly string[], options: RunOptions & { umask?: string } = {}): Child {
	const command = [process.execPath, executable, ...words];
	const umask = options.umask === undefined ? '' : `umask ${options.umask}; `;
	const child = spawn('sh', ['-c', `${umask}exec "$@"`, 'sh', ...command], {
		env: environmentOf(options),
		stdio: 'pipe',
		...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
	});
	const end = once(child, 'close');
	const errors: Buffer[] = [];
	child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
	// A child that has been killed takes nothing any more.
	child.stdin.on('error', () => {});
	if (options.input !== undefined) {
		child.stdin.end(options.input);
	}

	onTestFinished(() => {
		child.kill('SIGKILL');
	});

	return {
		process: child,
		isRunning: () => child.exitCode === null && child.signalCode === null,
		async result() {
			const output: Buffer[] = [];
			child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
			const [exitCode, signal] = await end;
			return { exitCode, signal, stdout: Buffer.concat(output), stderr: Buffer.concat(errors).toString() };
		},
	};
}

/** Bytes of a file, 0 where there is none. Looked up by name: to open a database would touch its locks. */
export function sizeOf(file: string): number {
	return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Waits until something is so. @returns whether it is: the child may have ended before. */
export async function until(condition: () => boolean, child: Child): Promise<boolean> {
	while (!condition()) {
		if (!child.isRunning()) {
			return false;
		}

		await sleep(1);
	}

	return true;
}

/** Waits until the write-ahead log of a stash is larger than that. @returns whether it is. */
export function untilLogExceeds(stash: string, size: number, child: Child): Promise<boolean> {
	return until(() => sizeOf(`${stash}-wal`) > size, child);
}

/** Stops a child where it stands, until `SIGCONT`. */
export async function stop(child: Child): Promise<void> {
	child.process.kill('SIGSTOP');
	await until(() => stateOf(child) === 'T', child);
}

function stateOf({ process: { pid } }: Child): string | undefined {
	// The name of the process, in parentheses, may hold anything.
	return /.*\) (\w)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

export interface OpenSpool {
	/** A path by which others can look at the file. */
	readonly link: string;
	/** The name that it had and has no more. */
	readonly name: string;
}

/** The temporary file that a child has open, once it has lost its name. */
export function openSpool({ process: { pid } }: Child): OpenSpool | undefined {
	for (const descriptor of fs.readdirSync(`/proc/${pid}/fd`)) {
		const link = `/proc/${pid}/fd/${descriptor}`;
		let target: string;
		try {
			target = fs.readlinkSync(link);
		} catch {
			// Closed since the directory was read.
			continue;
		}

		// A file that never had a name is shown as one of a number.
		const [, name] = /^(.*\/(?:\.tokenless-spool-|#\d).*) \(deleted\)$/.exec(target) ?? [];
		if (name !== undefined) {
			return { link, name };
		}
	}

	return undefined;
}
