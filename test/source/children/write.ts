/** Writes as many bytes as its argument says to stdout, in pieces of 100,000; reports what stopped it on stderr. */

import fs from 'node:fs';
import { fdSink } from '../../../lib/source/descriptor.js';

const total = Number(process.argv[2]);
const step = 100_000;
let waits = 0;

const { wait } = Atomics;
Atomics.wait = ((...parameters: Parameters<typeof wait>) => {
	waits++;
	return wait(...parameters);
}) as typeof wait;

let error: string | undefined;
try {
	const sink = fdSink(1);
	// One buffer for all pieces: a sink that kept a reference would show.
	const buffer = Buffer.alloc(step);
	for (let written = 0; written < total; written += step) {
		buffer.fill(65 + ((written / step) % 26));
		sink.write(buffer.subarray(0, Math.min(step, total - written)));
	}
} catch (caught) {
	error = `${(caught as Error).name}: ${(caught as Error).message}`;
}

fs.writeSync(2, `${JSON.stringify({ error, waits })}\n`);
