/** The library's Transform: the same bounds, whether what comes out is read fast or slowly. */

import fs from 'node:fs';
import path from 'node:path';
import { measure } from '../measure/process.mjs';
import { createRunDirectory, library, measureDirectory } from '../places.mjs';
import { heading, mebibytes, Table } from '../report.mjs';
import { FULL, QUARTER, shapes } from '../shapes/index.mjs';
import { prepare } from '../shapes/prepare.mjs';
import { MAX_PEAK } from './memory.mjs';

/** One whose output is small, one that stays as large as it was: only that one makes a slow reader matter. */
const SHAPES = ['records', 'members'];

const child = path.join(measureDirectory, 'transform-child.mjs');

export default async function measureTransform(checks, { isQuick }) {
	heading('JsonCompressor in stream.pipeline');
	const table = new Table([
		['shape', -29],
		['reader', -6],
		['MiB', 5],
		['seconds', 7],
		['peak MiB', 8],
		['out MiB', 7],
		['entries', 7],
	]);
	for (const { title, ...shape } of shapes.filter(({ name }) => SHAPES.includes(name))) {
		const input = prepare(shape, isQuick ? QUARTER : FULL);
		const outputs = [];
		for (const reader of ['fast', 'slow']) {
			const { seconds, peak, result } = await runOnce(input, reader);
			const label = `transform: ${shape.name}, ${reader} reader`;
			table.row([
				title,
				reader,
				mebibytes(input.bytes),
				seconds.toFixed(2),
				mebibytes(peak),
				mebibytes(result.bytes),
				result.entries,
			]);
			checks.that(`${label}: peak <= 128 MiB`, peak <= MAX_PEAK, `${mebibytes(peak)} MiB`);
			checks.that(`${label}: applied`, result.disposition === 'applied', result.disposition);
			checks.that(`${label}: stored`, result.entries === input.payloads.length, `${result.entries} entries`);
			outputs.push(result.sha256);
		}

		checks.that(`transform: ${shape.name}: the same output for both`, outputs[0] === outputs[1]);
	}
}

async function runOnce({ file }, reader) {
	const directory = createRunDirectory();
	try {
		const run = await measure({ words: [child, library, file, reader], directory });
		if (run.exitCode !== 0) {
			throw new Error(`the transform failed: ${run.stderr}`);
		}

		return { ...run, result: JSON.parse(fs.readFileSync(run.output, 'utf8')) };
	} finally {
		fs.rmSync(directory, { recursive: true, force: true });
	}
}
