/** Paths brought to the one form in which they can be compared. */

import fs from 'node:fs';
import path from 'node:path';

/** Whether a path climbs: has `..` as one of its parts, wherever that would lead. */
export function hasParentTraversal(name: string): boolean {
	return name.split(path.sep).includes('..');
}

/**
 * The path with every symbolic link in its existing part resolved; what does not exist yet is kept as it is written.
 *
 * @param absolute an absolute path without `..`.
 * @throws {NodeJS.ErrnoException} when a part of it exists and yet leads nowhere: a dangling or circular link, a
 * directory that may not be searched, a file in the place of a directory.
 */
export function canonicalize(absolute: string): string {
	const missing: string[] = [];
	let existing = path.resolve(absolute);
	// Links themselves count as existing: a dangling one may be given a target by somebody else later.
	while (fs.lstatSync(existing, { throwIfNoEntry: false }) === undefined) {
		missing.unshift(path.basename(existing));
		existing = path.dirname(existing);
	}

	const real = fs.realpathSync(existing);
	if (missing.length > 0 && !fs.statSync(real).isDirectory()) {
		throw Object.assign(new Error(`ENOTDIR: not a directory, ${real}`), { code: 'ENOTDIR' });
	}

	return path.join(real, ...missing);
}

/** Whether `inner` lies below `directory`; both canonical. The root contains nothing: it would contain everything. */
export function isInside(inner: string, directory: string): boolean {
	return directory !== path.parse(directory).root && inner.startsWith(directory + path.sep);
}
