/**
 * Fills a spool with pieces of a size, in directories, until it is full or has all (argument, JSON); tries one byte more
 * after that; reads everything back. Reports on stderr, as one line of JSON.
 */

import fs from 'node:fs';
import { Spool } from '../../../lib/source/spool.js';

export interface SpoolReport {
	/** Bytes that were accepted. */
	accepted: number;
	size: number;
	/** Whether the spool gives back exactly what it accepted. */
	intact: boolean;
	/** Whether a byte more was taken after the spool had been full. */
	tookAnotherByte: boolean;
	/** Permission bits and link count of its file. */
	mode?: number;
	links?: number;
	error?: { name: string; message: string; code: string | undefined };
}

/** Byte at a position: no period that a block size could hide. */
function byteAt(position: number): number {
	return (position * 31 + Math.floor(position / 251)) & 0xff;
}

function piece(from: number, length: number): Uint8Array {
	return Uint8Array.from({ length }, (_, index) => byteAt(from + index));
}

const { directories, total, step } = JSON.parse(process.argv[2]) as {
	directories: string[];
	total: number;
	step: number;
};

const spool = new Spool(directories);
const report: SpoolReport = { accepted: 0, size: 0, intact: true, tookAnotherByte: false };

try {
	while (report.accepted < total) {
		const length = Math.min(step, total - report.accepted);
		spool.append(piece(report.accepted, length));
		report.accepted += length;
	}
} catch (error) {
	const { name, message, cause } = error as Error;
	report.error = { name, message, code: (cause as NodeJS.ErrnoException | undefined)?.code };
	try {
		spool.append(piece(report.accepted, 1));
		report.accepted++;
		report.tookAnotherByte = true;
	} catch {
		// Not even that.
	}
}

report.size = spool.size;
const back = Buffer.alloc(report.accepted + 10);
const count = spool.read(back, 0, back.byteLength, 0);
report.intact =
	count === report.accepted && back.subarray(0, count).every((byte, position) => byte === byteAt(position));

for (let descriptor = 3; descriptor < 200; descriptor++) {
	try {
		const status = fs.fstatSync(descriptor);
		if (status.isFile() && status.nlink === 0) {
			report.mode = status.mode & 0o7777;
			report.links = status.nlink;
		}
	} catch {
		// Not open.
	}
}

fs.writeSync(2, `${JSON.stringify(report)}\n`);
