/**
 * Preloaded into every Node process of a measured tree: writes down the peak of its resident memory when it ends.
 *
 * Asked at the very end, the kernel's high-water mark misses nothing, which polling would. It is `VmHWM`, not
 * `maxRSS` of the resource usage: a process inherits the latter from the one that started it.
 */

'use strict';

const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');

function peak() {
	try {
		return Number(/^VmHWM:\s*(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'latin1'))[1]);
	} catch {
		// Not Linux.
		return process.resourceUsage().maxRSS;
	}
}

// Workers share the memory of their process.
if (isMainThread) {
	process.on('exit', () => {
		fs.appendFileSync(process.env.TOKENLESS_BENCH_PEAKS, `${process.pid} ${peak()}\n`);
	});
}
