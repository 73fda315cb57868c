/** Runs one process on one input, and tells how long it took and how much memory it and its children had. */

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { measureDirectory } from '../places.mjs';
import { watchTree } from './tree.mjs';

const hook = path.join(measureDirectory, 'peak-hook.cjs');

/** The variables of a run: ours, and none by which whoever runs the benchmark has set up Tokenless or Node. */
export function environmentOf(directory, more = {}) {
	const inherited = Object.entries(process.env).filter(
		([name]) => !name.startsWith('TOKENLESS_') && name !== 'NODE_OPTIONS',
	);
	return {
		...Object.fromEntries(inherited),
		TOKENLESS_DATA_DIR: path.join(directory, 'data'),
		TOKENLESS_COMPRESSION_ENABLED: '1',
		...more,
	};
}

/**
 * Runs `node words…`, its output in a file.
 *
 * @param {object} run
 * @param {string[]} run.words what follows `node`.
 * @param {string[]} [run.feeder] the command whose output comes in by a pipe; without it nothing comes in.
 * @param {string} run.directory where the data directory and the output go.
 * @param {object} [run.environment] variables besides the usual ones.
 */
export async function measure({ words, feeder, directory, environment }) {
	const output = path.join(directory, 'output');
	const peaksFile = path.join(directory, 'peaks');
	fs.writeFileSync(peaksFile, '');
	const env = environmentOf(directory, {
		NODE_OPTIONS: `--require ${JSON.stringify(hook)}`,
		TOKENLESS_BENCH_PEAKS: peaksFile,
		...environment,
	});

	const fifo = path.join(directory, 'pipe');
	const writer = feeder === undefined ? undefined : startFeeder(feeder, fifo);
	const start = process.hrtime.bigint();
	const child = startChild(
		[process.execPath, ...words],
		output,
		env,
		writer === undefined ? undefined : fifo,
	);
	const stop = watchTree(child.pid);
	let stderr = '';
	child.stderr.on('data', (text) => {
		stderr += text;
	});
	const [exitCode, signal] = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (...result) => resolve(result));
	});
	const seconds = Number(process.hrtime.bigint() - start) / 1e9;
	// One that waits for a reader that never came would wait for ever.
	writer?.kill();
	return { exitCode, signal, stderr, output, seconds, peak: peakOf(stop(), peaksFile) };
}

/**
 * Node would give a child a socket, not a pipe; a named pipe is one, and leaves the feeder out of the tree that is
 * measured. The shells make way for the commands, so that the process ids are theirs.
 */
function startFeeder(feeder, fifo) {
	const { status } = spawnSync('mkfifo', [fifo]);
	if (status !== 0) {
		throw new Error(`mkfifo ${fifo} failed`);
	}

	return spawn('sh', ['-c', 'exec "$@" > "$0"', fifo, ...feeder], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function startChild([command, ...words], output, env, fifo) {
	const descriptor = fs.openSync(output, 'w');
	const stdio = ['ignore', descriptor, 'pipe'];
	const child =
		fifo === undefined
			? spawn(command, words, { env, stdio })
			: spawn('sh', ['-c', 'exec "$@" < "$0"', fifo, command, ...words], { env, stdio });
	fs.closeSync(descriptor);
	return child;
}

/**
 * The sum of the peaks of all processes, though they need not have come together: what is claimed holds for the
 * worst case. Of a process alone it is exact.
 */
function peakOf({ peaks, memoryFiles }, peaksFile) {
	for (const line of fs.readFileSync(peaksFile, 'latin1').split('\n').filter(Boolean)) {
		const [pid, kibibytes] = line.split(' ').map(Number);
		peaks.set(pid, Math.max(peaks.get(pid) ?? 0, kibibytes));
	}

	return [...peaks.values()].reduce((sum, kibibytes) => sum + kibibytes * 1024, memoryFiles);
}
