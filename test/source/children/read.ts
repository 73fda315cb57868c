/**
 * Reads the input that its argument (JSON) names, as a command would: in order, then backwards from the source; passes
 * it through where it has to. Reports on stderr, as one line of JSON.
 */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { fdSink } from '../../../lib/source/descriptor.js';
import { InputTooLargeError, SpoolFullError } from '../../../lib/source/errors.js';
import { type InputOptions, openInput } from '../../../lib/source/input.js';

export interface ReadReport {
	/** Bytes that `next` returned, and their SHA-256. */
	bytes: number;
	hash: string;
	/** SHA-256 of the same bytes, read from the source last to first. */
	hashOfSource: string;
	size: number;
	passedThrough: boolean;
	/** Files without a name that were open when everything had been read, and after `close`. */
	namelessFiles: number;
	namelessFilesAfterClose: number;
	/** How often a read or write had to wait. */
	waits: number;
	error?: { name: string; kind?: string; message: string };
}

const report: ReadReport = {
	bytes: 0,
	hash: '',
	hashOfSource: '',
	size: 0,
	passedThrough: false,
	namelessFiles: 0,
	namelessFilesAfterClose: 0,
	waits: 0,
};

const { wait } = Atomics;
Atomics.wait = ((...parameters: Parameters<typeof wait>) => {
	report.waits++;
	return wait(...parameters);
}) as typeof wait;

function countNamelessFiles(): number {
	let count = 0;
	for (let descriptor = 3; descriptor < 200; descriptor++) {
		try {
			const status = fs.fstatSync(descriptor);
			count += status.isFile() && status.nlink === 0 ? 1 : 0;
		} catch {
			// Not open.
		}
	}

	return count;
}

try {
	const options = JSON.parse(process.argv[2]) as InputOptions & { alwaysPassThrough?: boolean };
	const input = openInput(options);
	try {
		const hash = createHash('sha256');
		for (let chunk = input.next(); chunk !== undefined; chunk = input.next()) {
			hash.update(chunk);
			report.bytes += chunk.byteLength;
		}

		report.hash = hash.digest('hex');
		input.verify();
	} catch (error) {
		if (!(error instanceof InputTooLargeError || error instanceof SpoolFullError)) {
			throw error;
		}

		report.error = { name: error.name, message: error.message };
	}

	report.size = input.size;
	report.namelessFiles = countNamelessFiles();
	if (report.error !== undefined || options.alwaysPassThrough) {
		input.passThrough(fdSink(1));
		report.passedThrough = true;
	} else {
		// An odd step, so that reads straddle whatever boundaries there are inside.
		const whole = Buffer.alloc(input.size);
		const step = 100_003;
		for (let end = input.size; end > 0; end -= step) {
			const start = Math.max(0, end - step);
			if (input.source.read(whole, start, end - start, start) !== end - start) {
				throw new Error('short read');
			}
		}

		report.hashOfSource = createHash('sha256').update(whole).digest('hex');
	}

	input.close();
	report.namelessFilesAfterClose = countNamelessFiles();
} catch (error) {
	const { name, message, kind } = error as Error & { kind?: string };
	report.error = kind === undefined ? { name, message } : { name, message, kind };
}

fs.writeSync(2, `${JSON.stringify(report)}\n`);
