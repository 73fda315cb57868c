/** What a small input costs that stashes nothing, in units of a Node that does nothing: hooks pay it on every call. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { environmentOf } from '../measure/process.mjs';
import { createRunDirectory, executable } from '../places.mjs';
import { heading, median } from '../report.mjs';
import { createRandom } from '../shapes/random.mjs';

const ROUNDS = 30;
const MAX_RATIO = 1.8;
const SIZE = 2048;

export default function measureStart(checks) {
	heading('Start: CPU for 2 KiB that stash nothing');
	const directory = createRunDirectory();
	try {
		const input = path.join(directory, 'input.json');
		fs.writeFileSync(input, smallInput());
		const run = (words) => cpuOf(words, input, directory);
		const ours = () => run([executable, 'compress-response']);
		const node = () => run(['-e', '0']);

		ours();
		node();
		const pairs = Array.from({ length: ROUNDS }, () => [ours(), node()]);
		const [oursMedian, nodeMedian] = [0, 1].map((index) => median(pairs.map((pair) => pair[index])));
		const ratio = oursMedian / nodeMedian;
		console.log(
			`node -e 0: ${nodeMedian.toFixed(0)} ms; ours ${oursMedian.toFixed(0)} ms; ratio ${ratio.toFixed(2)} ` +
				`(medians of ${ROUNDS})`,
		);
		checks.that(`start: at most ${MAX_RATIO} of node -e 0`, ratio <= MAX_RATIO, ratio.toFixed(3));
		checks.that('start: no store was opened', !fs.existsSync(path.join(directory, 'data', 'stash.db')));
	} finally {
		fs.rmSync(directory, { recursive: true, force: true });
	}
}

/** A pretty-printed answer of an API; what is left of it is complete. */
function smallInput() {
	const random = createRandom(2);
	const items = [];
	const text = () => JSON.stringify({ next: null, items }, null, 2);
	while (text().length < SIZE - 110) {
		items.push({
			sku: `A-${random.below(10_000)}`,
			price: random.below(10_000) / 100,
			stock: random.below(50),
		});
	}

	return text()
		.padEnd(SIZE - 1, ' ')
		.concat('\n');
}

/**
 * User and system time of `node words…`, milliseconds. Node tells the times of its own process only, and never those of
 * its children; the shell asks the kernel for them, to the millisecond.
 */
function cpuOf(words, input, directory) {
	const script = 'TIMEFORMAT="%3U %3S"; input=$1; shift; time "$@" < "$input" > /dev/null';
	const { stderr, status } = spawnSync('bash', ['-c', script, 'bash', input, process.execPath, ...words], {
		env: environmentOf(directory, { LC_ALL: 'C' }),
		encoding: 'utf8',
	});
	const times = /^([\d.]+) ([\d.]+)$/m.exec(stderr);
	if (status !== 0 || times === null) {
		throw new Error(`cannot measure: ${stderr}`);
	}

	return (Number(times[1]) + Number(times[2])) * 1000;
}
