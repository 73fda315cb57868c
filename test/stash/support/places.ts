/** Places on the disk for databases: private directories, and a disk that is small. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that is gone when the test is over. */
export function temporaryDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), 'stash-test-'));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	return directory;
}

/** A path for a database that does not exist yet. */
export function databasePath(): string {
	return join(temporaryDirectory(), 'stash.db');
}

/** Permission bits of a file, as `chmod` takes them. */
export function modeOf(path: string): string {
	return (statSync(path).mode & 0o7777).toString(8);
}

/**
 * A directory on a disk of its own, which only root may have.
 *
 * @param size of the disk, bytes.
 * @returns nothing where it cannot be had.
 */
export function smallDisk(size: number): string | undefined {
	const directory = join(temporaryDirectory(), 'disk');
	mkdirSync(directory);
	if (process.getuid?.() !== 0) {
		return undefined;
	}

	const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory]);
	if (status !== 0) {
		return undefined;
	}

	onTestFinished(() => {
		spawnSync('umount', [directory]);
	});
	return directory;
}

/** A directory that a process without privileges owns but must not change: not even root's tests may. */
export function lockAgainstWriting(directory: string): void {
	chmodSync(directory, 0o555);
	onTestFinished(() => chmodSync(directory, 0o755));
}
