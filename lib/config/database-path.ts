/** Which database file to use, and which ones not to: the policy every database of ours follows. */

import fs from 'node:fs';
import path from 'node:path';
import { canonicalize, hasParentTraversal, isInside } from './canonical.js';
import { type Environment, resolveDataDirectory } from './data-directory.js';
import { quote } from './quote.js';
import { systemReason } from './reason.js';

/** One database and the ways to name its file. */
export interface DatabaseKind {
	/** Name of the file in the data directory. */
	readonly file: string;
	/** The flag that overrides it, as the user types it; used in messages. */
	readonly flag: string;
	/** The variable that overrides it where the flag does not. */
	readonly variable: string;
}

export const STASH_DATABASE: DatabaseKind = {
	file: 'stash.db',
	flag: '--stash-db',
	variable: 'TOKENLESS_STASH_DB',
};

export interface DatabaseChoice {
	/** The value of the flag, where it was given. */
	readonly flag?: string | undefined;
	readonly environment: Environment;
	/** The real home: `realHome()`. */
	readonly home: string | undefined;
}

export interface DatabaseLocation {
	/** Canonical path of the file, which may not exist yet; `undefined` where no database may be used. */
	readonly path: string | undefined;
	/** Canonical data directory, which may not exist yet. */
	readonly dataDirectory: string | undefined;
	/** Why a source was passed over, in the order of the sources; one line each. */
	readonly refusals: readonly string[];
}

/** Resolves the file of the stash. See {@link resolveDatabasePath}. */
export function resolveStashPath(choice: DatabaseChoice): DatabaseLocation {
	return resolveDatabasePath(STASH_DATABASE, choice);
}

/**
 * Takes the first source that is allowed: the flag, the variable, the file in the data directory. Nothing is created.
 *
 * An override has to be absolute, free of `..`, no symbolic link, and to lie in the real home or the data directory once
 * the links on its way are resolved. A leading `~/` stands for the real home: after `--stash-db=` a shell leaves it
 * alone. An empty variable counts as not set. Without a data directory because `TOKENLESS_DATA_DIR` is invalid, or
 * because there is none, no database is used, whatever the overrides say.
 */
export function resolveDatabasePath(kind: DatabaseKind, choice: DatabaseChoice): DatabaseLocation {
	const { directory, refusal } = resolveDataDirectory(choice.environment, choice.home);
	if (directory === undefined) {
		return { path: undefined, dataDirectory: undefined, refusals: [refusal] };
	}

	const allowed = [directory, ...canonicalHome(choice.home)];
	const refusals: string[] = [];

	const overrides: [label: string, value: string | undefined][] = [
		[kind.flag, choice.flag],
		[kind.variable, choice.environment[kind.variable] || undefined],
	];
	for (const [label, value] of overrides) {
		if (value !== undefined) {
			const verdict = judgeOverride(expandHome(value, choice.home), allowed);
			if (verdict.path !== undefined) {
				return { path: verdict.path, dataDirectory: directory, refusals };
			}

			refusals.push(`${label} ${quote(value)} refused: ${verdict.refusal}`);
		}
	}

	const standard = path.join(directory, kind.file);
	const objection = objectionToFile(standard);
	if (objection !== undefined) {
		refusals.push(`database ${quote(standard)} refused: ${objection}`);
	}

	return { path: objection === undefined ? standard : undefined, dataDirectory: directory, refusals };
}

type Verdict =
	| { readonly path: string; readonly refusal?: undefined }
	| { readonly path?: undefined; readonly refusal: string };

function judgeOverride(file: string, allowed: readonly string[]): Verdict {
	if (!path.isAbsolute(file)) {
		return { refusal: 'it is not an absolute path' };
	}

	if (hasParentTraversal(file)) {
		return { refusal: "it contains '..'" };
	}

	if (/\/\.?$/.test(file)) {
		return { refusal: 'it names a directory' };
	}

	if (/-(?:wal|shm|journal)$/.test(file)) {
		// SQLite would take it for a part of the database beside it, and delete it.
		return { refusal: 'SQLite keeps names ending in -wal, -shm and -journal for itself' };
	}

	let canonical: string;
	try {
		// Only the parents: were the file itself a link, resolving it would hide that.
		canonical = path.join(canonicalize(path.dirname(file)), path.basename(file));
	} catch (error) {
		return { refusal: systemReason(error) };
	}

	if (!allowed.some((directory) => isInside(canonical, directory))) {
		return { refusal: 'it is outside the home directory and the data directory' };
	}

	const objection = objectionToFile(canonical);
	return objection === undefined ? { path: canonical } : { refusal: objection };
}

/** Why an existing file cannot be a database; `undefined` where nothing speaks against it, or it does not exist. */
function objectionToFile(file: string): string | undefined {
	try {
		const status = fs.lstatSync(file, { throwIfNoEntry: false });
		if (status?.isSymbolicLink()) {
			return 'it is a symbolic link';
		}

		return status === undefined || status.isFile() ? undefined : 'it is not a regular file';
	} catch (error) {
		return systemReason(error);
	}
}

function canonicalHome(home: string | undefined): string[] {
	try {
		return home === undefined ? [] : [canonicalize(home)];
	} catch {
		return [];
	}
}

function expandHome(value: string, home: string | undefined): string {
	// Not joined: that would resolve `..` before it is seen.
	return home !== undefined && value.startsWith('~/') ? home + value.slice(1) : value;
}
