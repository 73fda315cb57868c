/** The compressor as a stream: the same bytes as the core gives, whoever is slow. */

import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { JsonCompressor, type JsonCompressorOptions } from '../../../lib/compress/json/json-compressor.js';
import { JsonSyntaxError } from '../../../lib/json/errors.js';
import { MemoryStash } from '../../../lib/stash/memory.js';
import { compress, FailingStash, MapStash } from './support/run.js';

interface Reader {
	readonly chunk?: number;
	readonly isSlow?: boolean;
}

async function through(
	input: Buffer,
	options: JsonCompressorOptions,
	{ chunk = 10_000, isSlow = false }: Reader = {},
): Promise<{ output: Buffer; compressor: JsonCompressor }> {
	const compressor = new JsonCompressor(options);
	const chunks: Buffer[] = [];
	function* pieces(): Generator<Buffer> {
		for (let position = 0; position < input.length; position += chunk) {
			yield input.subarray(position, position + chunk);
		}
	}

	await pipeline(
		Readable.from(pieces()),
		compressor,
		new Writable({
			highWaterMark: isSlow ? 1 : 16_384,
			async write(bytes: Buffer, _, callback) {
				chunks.push(bytes);
				for (let turns = isSlow ? 5 : 0; turns > 0; turns--) {
					await turn();
				}

				callback();
			},
		}),
	);
	return { output: Buffer.concat(chunks), compressor };
}

const pretty = Buffer.from(
	JSON.stringify(
		Array.from({ length: 30_000 }, (_, id) => ({ id, name: `n${id}`, gone: null })),
		undefined,
		2,
	),
);
const dense = Buffer.from(JSON.stringify(Array.from({ length: 300_000 }, (_, index) => index)));

describe('JsonCompressor', () => {
	it.each([
		['a fast reader', {}],
		['a slow one', { isSlow: true }],
		['single large chunks', { chunk: Infinity }],
		['odd small ones', { chunk: 1013, isSlow: true }],
	])('gives to %s what the core gives', async (_, reader) => {
		for (const input of [pretty, dense, Buffer.from('[1,2]'), Buffer.from('[1,   null,    2]')]) {
			const stash = new MapStash();
			const expected = await compress(input);
			const { output, compressor } = await through(input, { stash }, reader);
			expect(output.equals(expected.output)).toBe(true);
			expect(compressor.outcome).toEqual(expected.outcome);
			expect([...stash.payloads.keys()]).toEqual([...expected.stash.payloads.keys()]);
		}
	});

	it('gives back the input where there is no stash, however large', async () => {
		const { output, compressor } = await through(dense, {}, { isSlow: true });
		expect(output.equals(dense)).toBe(true);
		expect(compressor.outcome).toMatchObject({ disposition: 'no_savings' });
	});

	it('gives back the input where the stash fails', async () => {
		const { output, compressor } = await through(dense, { stash: new FailingStash() });
		expect(output.equals(dense)).toBe(true);
		expect(compressor.outcome).toMatchObject({
			disposition: 'recoverability_unavailable',
			recoverability: 'lossless',
		});
	});

	it('works with a stash of the project, and leaves it open', async () => {
		const stash = new MemoryStash();
		const { compressor } = await through(dense, { stash });
		const [{ key }] = compressor.outcome?.writes ?? [];
		const entry = stash.retrieve(key);
		if (typeof entry === 'string') {
			expect.fail(entry);
		}

		const payload = Buffer.concat([...entry.chunks()].map((bytes) => Buffer.from(bytes)));
		expect(payload.toString()).toBe(
			JSON.stringify(Array.from({ length: 299_960 }, (_, index) => index + 32)),
		);
		stash.close();
	});

	it('takes text as well as bytes', async () => {
		const compressor = new JsonCompressor();
		compressor.end('["漢",      null,       1]');
		expect(Buffer.concat(await compressor.toArray()).toString()).toBe('["漢",1]\n');
	});

	it.each(['', '[1,', '[1]]', '\u0000'])('fails with a syntax error at %j', async (text) => {
		await expect(through(Buffer.from(text), {})).rejects.toThrow(JsonSyntaxError);
	});

	it('can be given up at any time', async () => {
		const compressor = new JsonCompressor();
		const failure = pipeline(Readable.from([dense]), compressor, async (source) => {
			for await (const _ of source) {
				throw new Error('enough');
			}
		});
		// Which of the two errors a pipeline reports, the reader's or the abortion it causes, is for Node to say.
		await expect(failure).rejects.toThrow(/enough|aborted/u);
		expect(compressor.destroyed).toBe(true);

		const early = new JsonCompressor();
		early.write('[1,');
		early.destroy();
		expect(early.destroyed).toBe(true);
	});
});
