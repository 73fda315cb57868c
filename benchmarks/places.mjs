/** Where things are, and where there is room for large files. */

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

export const root = path.dirname(here);

export const shapesDirectory = path.join(here, 'shapes');

export const measureDirectory = path.join(here, 'measure');

export const executable = path.join(root, 'dist', 'bin', 'tokenless.js');

export const library = path.join(root, 'dist', 'lib', 'index.js');

/** Made when needed, kept between runs, not part of the repository. */
export const inputsDirectory = path.join(here, 'inputs');

const allRunsDirectory = path.join(inputsDirectory, 'runs');

/** Data directories and outputs of the runs of this process. */
export const runsDirectory = path.join(allRunsDirectory, String(process.pid));

const TMPFS = 0x01_02_19_94;
const RAMFS = 0x85_84_58_f6;

/** Whether what is written to a path stays in memory. */
export function isMemory(file) {
	const { type } = fs.statfsSync(file);
	return type === TMPFS || type === RAMFS;
}

/** Makes the directory of runs, sees to its end, and removes those of processes that were killed. */
export function prepareRuns() {
	fs.mkdirSync(runsDirectory, { recursive: true });
	for (const name of fs.readdirSync(allRunsDirectory)) {
		if (!isAlive(Number(name))) {
			fs.rmSync(path.join(allRunsDirectory, name), { recursive: true, force: true });
		}
	}

	process.on('exit', () => fs.rmSync(runsDirectory, { recursive: true, force: true }));
	process.on('SIGINT', () => process.exit(130));
}

function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** A fresh directory for one run. Its user removes it. */
export function createRunDirectory() {
	return fs.mkdtempSync(path.join(runsDirectory, 'run-'));
}
