/** The loops that see every byte, each alone, beside what Node and stream-json do with the same bytes. */

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import StreamJsonParser from 'stream-json/Parser.js';
import { inputsDirectory, library, root } from '../places.mjs';
import { heading, median, Table } from '../report.mjs';
import { MIB, QUARTER, shapes } from '../shapes/index.mjs';
import { prepare } from '../shapes/prepare.mjs';

const ROUNDS = 7;

/** As the command reads them. */
const CHUNK = 128 * 1024;

/** What the library does not export is bundled from the sources. */
const entry = `
	export { Tokenizer } from './lib/json/tokenizer.ts';
	export { Compactor } from './lib/json/compact.ts';
`;

export default async function measureHotPaths() {
	heading(`Hot paths, each alone: MiB/s over ${QUARTER} MiB of records (median of ${ROUNDS})`);
	const [compact, pretty] = ['records', 'pretty'].map((name) => {
		const { file } = prepare(
			shapes.find((shape) => shape.name === name),
			QUARTER,
		);
		return fs.readFileSync(file);
	});
	const paths = await pathsOf({ ...(await import(library)), ...(await bundle()) });
	const table = new Table([
		['path', -40],
		['compact', 8],
		['pretty', 8],
	]);

	for (const [name, run] of Object.entries(paths)) {
		table.row([name, await speedOf(run, compact), await speedOf(run, pretty)]);
	}
}

async function bundle() {
	const outfile = path.join(inputsDirectory, 'hot-paths.mjs');
	await build({
		stdin: { contents: entry, resolveDir: root },
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		target: 'node20',
		packages: 'external',
		logLevel: 'warning',
	});
	return import(pathToFileURL(outfile).href);
}

async function pathsOf({ Tokenizer, Compactor, JsonCompression, memorySource, createKeyHasher }) {
	const hasher = await createKeyHasher();
	const target = new Uint8Array(CHUNK + 1);
	const nothing = () => {};
	const handler = {
		openObject: nothing,
		closeObject: nothing,
		openArray: nothing,
		closeArray: nothing,
		key: nothing,
		scalar: nothing,
		members: nothing,
	};
	return {
		'our tokenizer, validating': (bytes) => {
			const tokenizer = new Tokenizer(handler, true);
			each(bytes, (chunk) => tokenizer.write(chunk));
			tokenizer.end();
		},
		'our scan: tokens, index, statistics': (bytes) => {
			// All that it does before it is told to finish.
			const compression = new JsonCompression(memorySource(bytes), {}, { spoolDirectories: [] });
			each(bytes, (chunk) => compression.write(chunk));
			compression.close();
		},
		'our compaction': (bytes) => {
			const compactor = new Compactor();
			each(bytes, (chunk) => compactor.write(chunk, 0, chunk.length, target, 0));
		},
		'our key (BLAKE3)': (bytes) => {
			hasher.start();
			each(bytes, (chunk) => hasher.update(chunk));
			hasher.finish();
		},
		'JSON.parse, its values thrown away': (bytes) => {
			JSON.parse(bytes.toString());
		},
		'stream-json Parser': (bytes) =>
			new Promise((resolve, reject) => {
				const parser = new StreamJsonParser({ streamValues: false });
				parser.on('data', nothing).on('end', resolve).on('error', reject);
				each(bytes, (chunk) => parser.write(chunk));
				parser.end();
			}),
	};
}

function each(bytes, take) {
	for (let offset = 0; offset < bytes.length; offset += CHUNK) {
		take(bytes.subarray(offset, offset + CHUNK));
	}
}

async function speedOf(run, bytes) {
	// Twice without a watch: what is compiled by then is what a large input meets.
	await run(bytes);
	await run(bytes);
	const seconds = [];
	for (let round = 0; round < ROUNDS; round++) {
		const start = process.hrtime.bigint();
		await run(bytes);
		seconds.push(Number(process.hrtime.bigint() - start) / 1e9);
	}

	return (bytes.length / MIB / median(seconds)).toFixed(0);
}
