/** What became of an input: whether all that the output promises can be had, and is what the input held. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { executable, library } from '../places.mjs';
import { environmentOf } from './process.mjs';

const { createKeyHasher, referencesIn, SqliteStash, TextCount } = await import(library).catch((error) => {
	throw new Error('the library is not built: run `npm run build`', { cause: error });
});

const BLOCK = 1024 * 1024;
const INSTRUCTION = /If needed, run in shell: tokenless retrieve [\da-f]{24}/;
const NOTICES = {
	records: /^(\d+) of (\d+) records omitted\. /,
	items: /^(\d+) items omitted\. /,
};

/**
 * Checks one run against what its shape says must come of it.
 *
 * @returns what the table shows of it.
 */
export async function examine(checks, label, { input, output, directory }) {
	const bytes = fs.readFileSync(output);
	const text = bytes.toString();
	const keys = referencesIn(text);
	const stored = await inspectStash(checks, label, keys, directory);

	for (const expected of payloadsOf(input)) {
		checks.that(`${label}: ${expected.what} is stored as it was`, stored.hashes.has(expected.sha256));
	}

	if (input.payloads.length > 0) {
		await checkCommand(checks, label, text, stored, directory);
	}

	if (input.complete !== undefined) {
		const hash = createHash('sha256').update(bytes).digest('hex');
		checks.that(`${label}: the output is complete`, hash === input.complete && keys.length === 0);
	}

	if (input.notice !== undefined) {
		checkCounts(checks, label, text, input);
	}

	const isUnchanged = bytes.length === input.bytes && bytes.equals(fs.readFileSync(input.file));
	return {
		disposition: isUnchanged ? 'unchanged' : keys.length === 0 ? 'complete' : 'reduced',
		tokens: tokensIn(output),
		entries: stored.entries,
		storedBytes: stored.bytes,
	};
}

/** @returns how many entries the stash of a run holds. */
export function entriesIn(directory) {
	const store = new SqliteStash(databaseIn(directory), { mode: 'read' });
	try {
		return store.count();
	} finally {
		store.close();
	}
}

function databaseIn(directory) {
	return path.join(directory, 'data', 'stash.db');
}

/** Every key of the output retrieves what it is the key of, and the stash holds nothing else. */
async function inspectStash(checks, label, keys, directory) {
	const database = databaseIn(directory);
	if (!fs.existsSync(database)) {
		checks.that(`${label}: what the output refers to is stored`, keys.length === 0, 'there is no stash');
		return { entries: 0, bytes: 0, hashes: new Map() };
	}

	const hasher = await createKeyHasher();
	const store = new SqliteStash(database, { mode: 'read' });
	const hashes = new Map();
	const lost = [];
	let bytes = 0;
	for (const key of keys) {
		const entry = store.retrieve(key);
		if (typeof entry === 'string') {
			lost.push(`${key} is ${entry}`);
			continue;
		}

		const hash = createHash('sha256');
		hasher.start();
		for (const chunk of entry.chunks()) {
			hash.update(chunk);
			hasher.update(chunk);
			bytes += chunk.length;
		}

		if (hasher.finish() !== key) {
			lost.push(`${key} is not the key of its payload`);
		}

		hashes.set(hash.digest('hex'), key);
	}

	const entries = store.count();
	store.close();
	checks.that(`${label}: every instruction retrieves`, lost.length === 0, lost.slice(0, 3).join('; '));
	checks.that(
		`${label}: nothing else is stored`,
		entries === keys.length,
		`${entries} for ${keys.length} keys`,
	);
	return { entries, bytes, hashes };
}

/** The hashes of the payloads that must have been stored: of stretches of the input, or known beforehand. */
function* payloadsOf({ file, payloads }) {
	for (const { from, to, kind = 'value', sha256 } of payloads) {
		if (sha256 !== undefined) {
			yield { what: 'the compact form of all of it', sha256 };
			continue;
		}

		const hash = createHash('sha256');
		if (kind === 'text') {
			hash.update(JSON.parse(Buffer.concat([...stretch(file, from, to)]).toString()));
		} else {
			hash.update(kind === 'items' ? '[' : '');
			for (const bytes of stretch(file, from, to)) {
				hash.update(bytes);
			}

			hash.update(kind === 'items' ? ']' : '');
		}

		yield { what: `${kind} ${from}-${to}`, sha256: hash.digest('hex') };
	}
}

function* stretch(file, from, to) {
	const descriptor = fs.openSync(file, 'r');
	for (let position = from; position < to; ) {
		const block = Buffer.allocUnsafe(Math.min(BLOCK, to - position));
		position += fs.readSync(descriptor, block, 0, block.length, position);
		yield block;
	}

	fs.closeSync(descriptor);
}

/** The command that the output tells its reader to run gives what the library gave. */
async function checkCommand(checks, label, text, { hashes }, directory) {
	const instruction = INSTRUCTION.exec(text)?.[0];
	const key = instruction?.slice(-24);
	const sha256 = instruction === undefined ? undefined : await retrievedHash(instruction, directory);
	checks.that(`${label}: \`retrieve\` gives the payload`, key !== undefined && hashes.get(sha256) === key);
}

/** Hashes what `tokenless retrieve` prints for an instruction, as it comes. */
export async function retrievedHash(instruction, directory) {
	const child = spawn(process.execPath, [executable, 'retrieve', instruction], {
		env: environmentOf(directory),
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const hash = createHash('sha256');
	for await (const chunk of child.stdout) {
		hash.update(chunk);
	}

	return hash.digest('hex');
}

/** The root's notice counts what is truly absent, and what no reduction may lose is there. */
function checkCounts(checks, label, text, { items, notice, critical = [] }) {
	const kept = parse(text);
	const sayings = kept.filter((item) => typeof item === 'string' && NOTICES[notice].test(item));
	const [, omitted, total = items] = (NOTICES[notice].exec(sayings[0] ?? '') ?? []).map(Number);
	const present = kept.length - 1;
	checks.that(
		`${label}: the notice counts right`,
		sayings.length === 1 && total === items && omitted === items - present,
		`"${sayings[0]}" with ${present} of ${items} there`,
	);

	const ids = new Set(kept.map((item) => item?.id));
	const missing = critical.filter((id) => !ids.has(id));
	checks.that(`${label}: edges, errors and outliers survive`, missing.length === 0, `without ${missing}`);
}

/** A document, or its lines as an array; a document that was passed through is not worth the memory. */
function parse(text) {
	if (text.length > 8 * BLOCK) {
		return [];
	}

	const lines = text.trimEnd().split('\n');
	return lines.length > 1 ? lines.map((line) => JSON.parse(line)) : JSON.parse(text);
}

/** The estimate, for input and output alike. */
export function tokensIn(file) {
	const total = new TextCount();
	for (const bytes of stretch(file, 0, fs.statSync(file).size)) {
		total.add(bytes, 0, bytes.length);
	}

	return total.tokens;
}
