/**
 * The key of what will most likely be stored, found out on another thread while the input is still being scanned: a
 * tenth of the time that a large array takes. A guess, and a help: where it does not come true, or the thread fails,
 * the key is made in the usual way.
 */

import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Worker } from 'node:worker_threads';

/** A part of an open file, by absolute offsets, `end` exclusive. */
export interface Stretch {
	readonly descriptor: number;
	readonly start: number;
	readonly end: number;
}

export interface KeyAhead {
	/** The key of the bytes between two offsets if those were guessed, once it is known; undefined for any others. */
	keyOf(start: number, end: number): Promise<string | undefined>;

	/** Ends the thread. Call before the descriptor is closed. */
	close(): void;
}

/** Starts to hash a stretch of a file. Never throws. */
export function hashAhead(stretch: Stretch): KeyAhead | undefined {
	if (isAddressSpaceLimited()) {
		return undefined;
	}

	try {
		const require = createRequire(import.meta.url);
		// Loaded here and not above: small inputs do without.
		const { Worker } = require('node:worker_threads') as typeof import('node:worker_threads');
		// Beside this code, where the build puts it for the executable.
		return follow(new Worker(require.resolve('./key-thread.js'), { workerData: stretch }), stretch);
	} catch {
		return undefined;
	}
}

function follow(thread: Worker, { start, end }: Stretch): KeyAhead {
	const key = new Promise<string | undefined>((resolve) => {
		thread.once('message', resolve);
		thread.once('error', () => resolve(undefined));
		thread.once('exit', () => resolve(undefined));
	});
	// Nobody need wait for it unless its answer is asked for.
	thread.unref();
	return {
		async keyOf(wantedStart, wantedEnd) {
			if (wantedStart !== start || wantedEnd !== end) {
				return undefined;
			}

			thread.ref();
			const answer = await key;
			thread.unref();
			return answer;
		},
		close() {
			void thread.terminate();
		},
	};
}

/** Whether a limit is set (`ulimit -v`): the engine ends the process where a thread finds no room for its heap. */
function isAddressSpaceLimited(): boolean {
	try {
		return !/^Max address space +unlimited/m.test(fs.readFileSync('/proc/self/limits', 'latin1'));
	} catch {
		// Not Linux, where the limit is not heeded or not set.
		return false;
	}
}
