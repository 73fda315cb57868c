/** Writes records to standard output: more of them than anybody wants on a disk. `node feed.mjs BYTES FACTS` */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Output } from './output.mjs';
import { createRandom } from './random.mjs';
import { writeRecords } from './records.mjs';

/** An output that hashes all that goes through it. */
class HashedOutput extends Output {
	#all = createHash('sha256');

	write(text) {
		this.#all.update(text);
		super.write(text);
	}

	digestAll() {
		return this.#all.digest('hex');
	}
}

const [size, factsFile] = process.argv.slice(2);
const output = new HashedOutput(1);
const { items } = writeRecords(output, { size: Number(size), random: createRandom(5) });
output.flush();
fs.writeFileSync(factsFile, JSON.stringify({ bytes: output.position, items, sha256: output.digestAll() }));
