/** A program that uses the library's Transform. `node transform-child.mjs LIBRARY FILE fast|slow` */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds that the slow reader needs for what it is given at a time. */
const PAUSE = 3;

const [library, file, reader] = process.argv.slice(2);
const { JsonCompressor, SqliteStash } = await import(library);
const stash = new SqliteStash(path.join(process.env.TOKENLESS_DATA_DIR, 'stash.db'));
const compressor = new JsonCompressor({ stash });
const hash = createHash('sha256');
let bytes = 0;

await pipeline(
	fs.createReadStream(file),
	compressor,
	new Writable({
		async write(chunk, _encoding, callback) {
			bytes += chunk.length;
			hash.update(chunk);
			if (reader === 'slow') {
				await setTimeout(PAUSE);
			}

			callback();
		},
	}),
);
const entries = stash.count();
stash.close();
console.log(
	JSON.stringify({ bytes, entries, sha256: hash.digest('hex'), ...compressor.outcome, writes: undefined }),
);
