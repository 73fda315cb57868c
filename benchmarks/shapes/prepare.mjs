/** Sees to it that an input is there, as the generators of today would write it. */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { inputsDirectory, shapesDirectory } from '../places.mjs';
import { FULL, MIB } from './index.mjs';
import { Output } from './output.mjs';
import { createRandom } from './random.mjs';

/** Whatever changes in a generator changes the version: nobody has to remember to raise it. */
const version = createHash('sha256')
	.update(
		fs
			.readdirSync(shapesDirectory)
			.sort()
			.map((name) => fs.readFileSync(path.join(shapesDirectory, name), 'utf8'))
			.join('\0'),
	)
	.digest('hex')
	.slice(0, 16);

/** @returns the file, its size, and what the shape says must come of it. */
export function prepare(shape, mebibytes) {
	const file = path.join(inputsDirectory, `${shape.name}-${mebibytes}.json`);
	const factsFile = `${file}.facts`;
	const known = readFacts(factsFile);
	const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size;
	if (known?.version === version && known.bytes === bytes) {
		return { ...known, file };
	}

	fs.mkdirSync(inputsDirectory, { recursive: true });
	const descriptor = fs.openSync(file, 'w');
	const output = new Output(descriptor);
	const random = createRandom(createHash('sha256').update(shape.name).digest().readUInt32LE());
	const facts = {
		version,
		...shape.write(output, { size: mebibytes * MIB, random, share: mebibytes / FULL }),
		bytes: output.position,
	};
	output.flush();
	fs.closeSync(descriptor);
	fs.writeFileSync(factsFile, JSON.stringify(facts));
	return { ...facts, file };
}

function readFacts(file) {
	try {
		return JSON.parse(fs.readFileSync(file, 'utf8'));
	} catch {
		return undefined;
	}
}
