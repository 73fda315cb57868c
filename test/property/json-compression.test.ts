/**
 * Whatever the document: what the output does not show is behind a notice in it; what it shows is the input's own
 * bytes; it is smaller, valid, the same on every run, and a second run changes nothing.
 */

import type fc from 'fast-check';
import { describe, it } from 'vitest';
import type { JsonOptions } from '../../lib/compress/json/options.js';
import {
	deep,
	longText,
	plainArray,
	recordArray,
	small,
	string,
} from '../compress/json/support/arbitraries.js';
import { big, lines, recordLines, together, wrapped } from '../compress/json/support/documents.js';
import { keepsItsPromises, limits, ways } from '../compress/json/support/promise.js';

/** Limits small enough for what the documents of a test hold. */
function bound(some: NonNullable<JsonOptions['limits']>): fc.Arbitrary<JsonOptions> {
	return limits.map((options) => ({ limits: { ...options.limits, ...some } }));
}

const tool: JsonOptions = { recovery: { kind: 'tool', name: 'tokenless_retrieve' } };

describe('nothing is lost, and nothing changed', () => {
	it('where values are cleaned away', async () => {
		await keepsItsPromises(together(small, plainArray, deep), ways, { runs: 150, feats: ['isCleaned'] });
	});

	it('where long arrays are cut', async () => {
		await keepsItsPromises(together(plainArray, small), bound({ arrays: 6, arrayTail: 2 }), {
			runs: 120,
			feats: ['items'],
		});
	});

	it('where records are left out', async () => {
		// An explicit limit that binds, so that a compact form alone does not win.
		const documents = recordArray.map((records) => `{"rows":${records},"list":[${'1,'.repeat(99)}1]}`);
		await keepsItsPromises(documents, bound({ arrays: 8, depth: 5 }), {
			runs: 60,
			feats: ['records', 'items', 'isCleaned'],
		});
	});

	it('where long strings are cut', async () => {
		await keepsItsPromises(together(longText, string, plainArray), bound({ strings: 110, depth: 6 }), {
			runs: 150,
			feats: ['text'],
		});
		await keepsItsPromises(together(longText, string), bound({ strings: 5 }), { runs: 100, feats: ['text'] });
	});

	it('where values lie too deep', async () => {
		await keepsItsPromises(together(deep, small), bound({ depth: 2 }), { runs: 150, feats: ['subtree'] });
	});

	it('where everything happens at once, whoever recovers it', async () => {
		const documents = together(small, plainArray, recordArray, deep);
		await keepsItsPromises(documents, ways, { runs: 100, feats: ['isCleaned'] });
		const called = limits.map((options) => ({ ...options, ...tool }));
		await keepsItsPromises(documents, called, { runs: 80, feats: ['isCleaned', 'subtree'] });
	});

	it('where what is left out is gone, as the caller said', async () => {
		const lossy = bound({ arrays: 6, arrayTail: 2, strings: 120, depth: 3 }).map((options) => ({
			...options,
			lossy: true,
		}));
		const documents = together(plainArray, longText, recordArray, deep);
		await keepsItsPromises(documents, lossy, {
			runs: 120,
			feats: ['items', 'text', 'subtree'],
			circumstances: { stash: false },
		});
	});

	it('where there is no stash: only what clean-up removes is not there', async () => {
		const documents = together(small, plainArray, recordArray, deep);
		await keepsItsPromises(documents, limits, {
			runs: 100,
			feats: ['isCleaned'],
			circumstances: { stash: false },
		});
	});
});

describe('nothing is lost in other forms of a document', () => {
	it('one value a line', async () => {
		await keepsItsPromises(lines, ways, { runs: 80, feats: ['isSequence', 'isCleaned'] });
		await keepsItsPromises(recordLines, bound({ strings: 110, depth: 5 }), {
			runs: 60,
			feats: ['isSequence', 'records'],
		});
	});

	it('a document in a string', async () => {
		await keepsItsPromises(wrapped, ways, { runs: 120, feats: ['isUnwrapped', 'isCleaned'] });
	});

	it('after a byte order mark', async () => {
		const documents = together(small, plainArray, recordArray).map((text) => `\u{feff}${text}`);
		await keepsItsPromises(documents, ways, { runs: 60, feats: ['isCleaned'] });
	});
});

describe('nothing is lost in documents of many parts and large ones', () => {
	it('by default', async () => {
		await keepsItsPromises(together(big, small), ways, { runs: 25, feats: ['isCleaned'] });
	}, 180_000);

	it('within small limits', async () => {
		const options = bound({ arrays: 5, arrayTail: 3, depth: 3 });
		await keepsItsPromises(together(big, plainArray), options, { runs: 25, feats: ['items', 'subtree'] });
	}, 180_000);
});
