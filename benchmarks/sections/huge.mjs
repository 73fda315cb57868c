/** 5 GiB of records, made on the way into a pipe: the same memory, and all of it back. */

import fs from 'node:fs';
import path from 'node:path';
import { measure } from '../measure/process.mjs';
import { retrievedHash } from '../measure/recovery.mjs';
import { createRunDirectory, executable, shapesDirectory } from '../places.mjs';
import { heading, mebibytes } from '../report.mjs';
import { MIB, QUARTER } from '../shapes/index.mjs';
import { MAX_GROWTH, MAX_PEAK } from './memory.mjs';

const SIZE = 5 * 1024 * MIB;

export default async function measureHuge(checks) {
	heading('5 GiB of records through a pipe, --max-input 0, TOKENLESS_STASH_MAX_BYTES=8GiB');
	const small = await runOnce(checks, QUARTER * MIB);
	const huge = await runOnce(checks, SIZE);
	checks.that('huge: peak <= 128 MiB', huge <= MAX_PEAK, `${mebibytes(huge)} MiB`);
	checks.that('huge: growth <= 1.15', huge <= small * MAX_GROWTH, (huge / small).toFixed(3));
}

/** @returns the peak. */
async function runOnce(checks, size) {
	const directory = createRunDirectory();
	const factsFile = path.join(directory, 'facts');
	try {
		const run = await measure({
			words: [executable, 'compress-response', '--max-input', '0'],
			feeder: [process.execPath, path.join(shapesDirectory, 'feed.mjs'), String(size), factsFile],
			directory,
			environment: { TOKENLESS_STASH_MAX_BYTES: '8GiB' },
		});
		const { bytes, items, sha256 } = JSON.parse(fs.readFileSync(factsFile, 'utf8'));
		const output = fs.readFileSync(run.output, 'utf8');
		const [notice = '', omitted, total] = /(\d+) of (\d+) records omitted\. .*(?=")/.exec(output) ?? [];
		console.log(
			`${mebibytes(bytes)} MiB, ${items} records: ${run.seconds.toFixed(1)} s with their making, ` +
				`peak ${mebibytes(run.peak)} MiB, ${output.length} characters out`,
		);

		const label = `huge: ${mebibytes(size, 0)} MiB`;
		checks.that(`${label}: exit 0`, run.exitCode === 0, run.stderr.trim());
		checks.that(`${label}: all of it came`, bytes <= size && bytes > size * 0.99, `${bytes} bytes`);
		const kept = notice === '' ? 0 : JSON.parse(output).length - 1;
		checks.that(
			`${label}: the notice counts right`,
			Number(total) === items && Number(omitted) === items - kept,
			`"${notice}" with ${kept} of ${items} there`,
		);
		const retrieved = notice === '' ? undefined : await retrievedHash(notice, directory);
		checks.that(`${label}: \`retrieve\` gives the input`, retrieved === sha256);
		return run.peak;
	} finally {
		fs.rmSync(directory, { recursive: true, force: true });
	}
}
