/** A document that is one JSON string: the JSON in it, where it holds any. */

import { JsonSyntaxError } from '../../json/errors.js';
import { TextDecoder8 } from '../../json/text.js';
import { SpoolFullError } from '../../source/errors.js';
import { Spool } from '../../source/spool.js';
import type { Source } from '../../source/types.js';
import type { OurNotices } from '../notice.js';
import type { ScannedDocument } from './document.js';
import { DocumentScan } from './scan.js';

/**
 * The document in the document, where it is one string that holds an object or an array.
 *
 * @param ours which notices count as ours in it.
 */
export function unwrap(
	outer: Source,
	document: ScannedDocument,
	ours: OurNotices,
	spoolDirectories: readonly string[],
): { source: Spool; document: ScannedDocument } | undefined {
	const { start, end, sequence } = document;
	const first = new Uint8Array(1);
	outer.read(first, 0, 1, start);
	if (sequence !== undefined || first[0] !== 0x22) {
		return undefined;
	}

	const spool = new Spool(spoolDirectories);
	const scan = new DocumentScan({ source: spool, ours });
	const decoder = new TextDecoder8();
	const block = new Uint8Array(64 * 1024);
	const text = new Uint8Array(block.length + 4);
	let isDocument = false;
	try {
		for (let position = start + 1; position < end - 1; ) {
			const length = outer.read(block, 0, Math.min(block.length, end - 1 - position), position);
			const decoded = text.subarray(0, decoder.write(block, 0, length, text, 0));
			// Most strings are no documents, which their first character tells.
			isDocument ||= /^[ \t\r\n]*[[{]/u.test(Buffer.from(decoded.subarray(0, 4096)).toString('latin1'));
			if (!isDocument) {
				break;
			}

			spool.append(decoded);
			scan.write(decoded);
			position += length;
		}

		// Half a surrogate pair at the end is no JSON.
		const inner = isDocument && decoder.end(text, 0) === 0 ? scan.end() : undefined;
		if (inner !== undefined && inner.sequence === undefined) {
			return { source: spool, document: inner };
		}
	} catch (error) {
		if (!(error instanceof JsonSyntaxError || error instanceof SpoolFullError)) {
			throw error;
		}
	}

	spool.close();
	return undefined;
}
