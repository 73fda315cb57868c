#!/usr/bin/env node
/**
 * The executable. It starts the command from code that was compiled when it was built: a hook calls us for every tool
 * that an agent uses, and most of the time of a short call would go into compiling.
 */

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

const filename = `${__dirname}/command.js`;

function compiledCode(): Buffer | undefined {
	try {
		return readFileSync(`${__dirname}/command.${process.versions.v8}-${process.arch}.cache`);
	} catch {
		// Built by another version of Node: it compiles for itself.
		return undefined;
	}
}

// What does not fit this Node after all, or is damaged, V8 refuses by itself, and compiles the source.
const cachedData = compiledCode();
const script = new Script(
	// All of it is ASCII, and a string of single bytes is the cheapest.
	readFileSync(filename, 'latin1'),
	cachedData === undefined ? { filename } : { filename, cachedData },
);
const run = script.runInThisContext() as (load: NodeJS.Require, name: string) => void;
run(require, filename);
