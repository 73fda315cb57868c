/** `tokenless retrieve`: a stashed payload to standard output, byte for byte, or some lines of it. */

import { quote } from '../config/quote.js';
import { fdSink } from '../source/descriptor.js';
import { parseReference, referencesIn } from '../stash/reference.js';
import type { StashEntry } from '../stash/types.js';
import type { Invocation, LineRange } from './commands.js';
import { EXIT_DONE, OperationError, say } from './errors.js';
import { selectLines } from './lines.js';
import { locateStash } from './stash.js';

/** @throws where there is nothing to print, saying why. */
export async function retrieve({ operand, values }: Invocation<'retrieve'>): Promise<number> {
	const key = keyIn(operand);
	const { path, dataDirectory, refusals } = locateStash(values['stash-db']);
	for (const refusal of refusals) {
		say(refusal);
	}

	if (path === undefined) {
		throw new OperationError(
			dataDirectory === undefined ? 'no stash to read without a data directory' : 'no stash to read',
		);
	}

	const { SqliteStash } = await import('../stash/sqlite/store.js');
	const store = new SqliteStash(path, { mode: 'read' });
	try {
		const entry = store.retrieve(key);
		if (entry === 'expired') {
			throw new OperationError(`${key} has expired in ${quote(path)}: run the command again that printed it`);
		}

		if (entry === 'unknown') {
			throw new OperationError(
				`${key} is not in ${quote(path)}: it was removed, or never stored there (see --stash-db)`,
			);
		}

		print(entry, values.lines);
		return EXIT_DONE;
	} finally {
		store.close();
	}
}

function keyIn(operand: string): string {
	const key = parseReference(operand);
	if (key !== undefined) {
		return key;
	}

	throw new OperationError(
		referencesIn(operand).length > 1
			? `${quote(operand)} names more than one hash: give one of them`
			: `${quote(operand)} holds no valid hash: give 24 hexadecimal digits, or the whole line that names them`,
	);
}

function print(entry: StashEntry, range: LineRange | undefined): void {
	const output = fdSink(1);
	let isEmpty = true;
	for (const chunk of range === undefined ? entry.chunks() : selectLines(entry.chunks(), range)) {
		output.write(chunk);
		isEmpty = false;
	}

	if (range !== undefined && isEmpty) {
		say(`nothing to print: the payload ends before line ${range.first}`);
	}
}
