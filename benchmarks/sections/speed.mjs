/** The record array against what a bare Node process and jq take to read and write it. */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { environmentOf } from '../measure/process.mjs';
import { entriesIn } from '../measure/recovery.mjs';
import { createRunDirectory, executable } from '../places.mjs';
import { heading, mebibytes, median } from '../report.mjs';
import { FULL, QUARTER, shapes } from '../shapes/index.mjs';
import { prepare } from '../shapes/prepare.mjs';

const PAIRS = 7;
const MAX_RATIO = 0.7;

const roundTrip =
	"const fs = require('node:fs');" +
	"fs.writeFileSync('/dev/null', JSON.stringify(JSON.parse(fs.readFileSync(process.argv[1], 'utf8'))));";

export default async function measureSpeed(checks, { isQuick }) {
	const shape = shapes.find(({ name }) => name === 'records');
	const { file, bytes } = prepare(shape, isQuick ? QUARTER : FULL);
	heading(`Speed: record array of ${mebibytes(bytes)} MiB from a file, its store committed`);

	const ours = () => timeOurs(file);
	const node = () => timeOf(process.execPath, ['-e', roundTrip, file]);
	const jq = hasJq() ? () => timeOf('jq', ['-c', '.', file]) : undefined;

	// Once without a watch: whatever has to be read from the disk, has been then.
	ours();
	node();
	const pairs = Array.from({ length: PAIRS }, () => ({ ours: ours(), node: node() }));
	const ratio = report(
		'JSON.parse + JSON.stringify in Node',
		pairs.map((pair) => [pair.ours, pair.node]),
	);
	if (!isQuick) {
		// A small input hides the price of a start, and shows that of a garbage collection.
		checks.that(`speed: at most ${MAX_RATIO} of Node`, ratio <= MAX_RATIO, ratio.toFixed(3));
	}

	if (jq === undefined) {
		console.log('jq -c .: not installed');
	} else {
		report(
			'jq -c .',
			Array.from({ length: 3 }, () => [ours(), jq()]),
		);
	}
}

/** Prints the medians and the ratio of a comparison. Ratios are taken pair by pair: what disturbs one run disturbs the next. */
function report(name, pairs) {
	const ratios = pairs.map(([ours, theirs]) => ours / theirs);
	const ratio = median(ratios);
	console.log(
		`${name}: ${median(pairs.map(([, theirs]) => theirs)).toFixed(2)} s; ours ` +
			`${median(pairs.map(([ours]) => ours)).toFixed(2)} s; ratio ${ratio.toFixed(2)} ` +
			`(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ${pairs.length} pairs)`,
	);
	return ratio;
}

function timeOurs(file) {
	const directory = createRunDirectory();
	try {
		const seconds = timeOf(process.execPath, [executable, 'compress-response', '-f', file], directory);
		if (entriesIn(directory) !== 1) {
			throw new Error('the array was not stored');
		}

		return seconds;
	} finally {
		fs.rmSync(directory, { recursive: true, force: true });
	}
}

function timeOf(command, words, directory = '/nonexistent') {
	const output = fs.openSync('/dev/null', 'w');
	const start = process.hrtime.bigint();
	const { status, stderr } = spawnSync(command, words, {
		env: environmentOf(directory),
		stdio: ['ignore', output, 'pipe'],
	});
	const seconds = Number(process.hrtime.bigint() - start) / 1e9;
	fs.closeSync(output);
	if (status !== 0) {
		throw new Error(`${command} failed: ${stderr}`);
	}

	return seconds;
}

function hasJq() {
	return spawnSync('jq', ['--version']).status === 0;
}
