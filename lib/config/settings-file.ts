/** Reads config.json, and does not trust it to be what it should. */

import fs from 'node:fs';
import path from 'node:path';
import { quote } from './quote.js';
import { systemReason } from './reason.js';

/** Bytes. Ours has four lines. */
const LARGEST_FILE = 64 * 1024;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

export interface SettingsFile {
	/** The members of the file's object, none where it could not be read. Ask for own properties only. */
	readonly values: Readonly<Record<string, unknown>>;
	/** What is wrong with the file, one line; `undefined` also where there is no file. */
	readonly problem?: string | undefined;
}

/** Reads `<home>/.tokenless/config.json`. Never throws. */
export function readSettingsFile(home: string): SettingsFile {
	const file = path.join(home, '.tokenless', 'config.json');
	const fail = (reason: string): SettingsFile => ({ values: {}, problem: `${quote(file)} ${reason}` });

	let text: string;
	try {
		const bytes = readRegularFile(file);
		if (typeof bytes === 'string') {
			return fail(bytes);
		}

		text = bytes.toString('utf8').replace(/^\uFEFF/, '');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT' || code === 'ENOTDIR') {
			return { values: {} };
		}

		return fail(code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${systemReason(error)})`);
	}

	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value)
			? { values: value as Record<string, unknown> }
			: fail('holds no JSON object');
	} catch {
		// The parser's message quotes the text, which may be any file at all.
		return fail('is not valid JSON');
	}
}

/** @returns the contents, or the reason why there are none. */
function readRegularFile(file: string): Buffer | string {
	// Non-blocking: a FIFO of that name would hold us for ever.
	const descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	try {
		if (!fs.fstatSync(descriptor).isFile()) {
			return 'is not a regular file';
		}

		const buffer = Buffer.allocUnsafeSlow(LARGEST_FILE + 1);
		let used = 0;
		for (let count = -1; count !== 0 && used < buffer.byteLength; used += count) {
			count = fs.readSync(descriptor, buffer, used, buffer.byteLength - used, used);
		}

		return used > LARGEST_FILE ? 'is larger than 64 KiB' : buffer.subarray(0, used);
	} finally {
		fs.closeSync(descriptor);
	}
}
