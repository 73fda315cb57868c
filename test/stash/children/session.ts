/** Another process on the same stash, doing what it is told to over IPC, one request after another. */

import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { createStashLedger } from '../../../lib/stash/ledger.js';
import { SqliteStash, type SqliteStashOptions } from '../../../lib/stash/sqlite/store.js';
import { largePayload, payloadOf, textOf } from '../support/payloads.js';
import type { Reply, Request } from '../support/sessions.js';

let store: SqliteStash | undefined;
let ledger: ReturnType<typeof createStashLedger> | undefined;

function opened(): SqliteStash {
	if (store === undefined) {
		throw new Error('no stash is open');
	}

	return store;
}

const actions = {
	open(path: string, options: SqliteStashOptions, umask: number | undefined) {
		if (umask !== undefined) {
			process.umask(umask);
		}

		store = new SqliteStash(path, options);
		ledger = createStashLedger(store);
	},
	stash(texts: string[]) {
		return (ledger ?? opened()).stash(texts.map((text) => payloadOf(text)));
	},
	stashLarge(label: string, size: number) {
		return opened().stash([largePayload(label, size)]);
	},
	commit(referenced: string[]) {
		return ledger?.commit(referenced);
	},
	rollback() {
		ledger?.rollback();
	},
	text(key: string) {
		return textOf(opened(), key);
	},
	count() {
		return opened().count();
	},
	close() {
		opened().close();
	},
	/** Takes the write lock and keeps it. */
	lock(path: string) {
		const Driver = createRequire(import.meta.url)('better-sqlite3') as typeof BetterSqlite3;
		new Driver(path).exec('BEGIN IMMEDIATE');
	},
};

process.on('message', ({ action, values }: Request) => {
	let reply: Reply;
	try {
		const run = actions[action as keyof typeof actions] as (...values: unknown[]) => unknown;
		reply = { result: run(...values) };
	} catch (error) {
		const { kind, message } = error as { kind?: string; message: string };
		reply = { failure: { kind, message } };
	}

	process.send?.(reply);
});
process.on('disconnect', () => process.exit());
