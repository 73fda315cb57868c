/** Watches a process and all that it starts: their peaks of resident memory, and what they hold on a tmpfs. */

import fs from 'node:fs';
import { isMemory } from '../places.mjs';

/** Milliseconds between two looks. A Node process reports its own peak as well, so nothing hangs on this. */
const INTERVAL = 25;

/**
 * @param {number} pid
 * @returns stops the watch, and gives the peaks (KiB by process id) and the most bytes seen on a tmpfs.
 */
export function watchTree(pid) {
	const peaks = new Map();
	let memoryFiles = 0;
	const look = () => {
		const sizes = new Map();
		for (const member of membersOf(pid)) {
			peaks.set(member, Math.max(peaks.get(member) ?? 0, peakOf(member)));
			addMemoryFiles(member, sizes);
		}

		memoryFiles = Math.max(
			memoryFiles,
			[...sizes.values()].reduce((sum, size) => sum + size, 0),
		);
	};
	const timer = setInterval(look, INTERVAL);
	look();
	return () => {
		clearInterval(timer);
		return { peaks, memoryFiles };
	};
}

function membersOf(pid) {
	const members = [pid];
	for (const member of members) {
		for (const thread of list(`/proc/${member}/task`)) {
			members.push(...read(`/proc/${member}/task/${thread}/children`).split(' ').filter(Boolean).map(Number));
		}
	}

	return members;
}

function peakOf(pid) {
	return Number(/^VmHWM:\s*(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Files that are open on a tmpfs are memory, whether they still have a name or not. */
function addMemoryFiles(pid, sizes) {
	for (const descriptor of list(`/proc/${pid}/fd`)) {
		const file = `/proc/${pid}/fd/${descriptor}`;
		try {
			const status = fs.statSync(file);
			if (status.isFile() && isMemory(file)) {
				sizes.set(`${status.dev}:${status.ino}`, status.blocks * 512);
			}
		} catch {
			// Closed meanwhile.
		}
	}
}

/** A process may end at any moment; what is gone counts for nothing. */
function read(file) {
	try {
		return fs.readFileSync(file, 'latin1');
	} catch {
		return '';
	}
}

function list(directory) {
	try {
		return fs.readdirSync(directory);
	} catch {
		return [];
	}
}
