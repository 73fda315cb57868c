/** The stash that lives in a file and is shared by all processes of a user. */

import { storedChunks } from '../chunks.js';
import { StashError } from '../errors.js';
import { checkGenerations, checkPayloads, SQLITE_LIMITS } from '../limits.js';
import type { Absence, Payload, StashEntry, StashLimits, StashStore, StashWrite } from '../types.js';
import {
	type Connection,
	configureForReading,
	configureForWriting,
	connect,
	writeTransaction,
} from './connection.js';
import { asStashError, type Intent, isSqliteFailure } from './failures.js';
import {
	checkReadableFile,
	type FileIdentity,
	identify,
	isSameFile,
	logOf,
	preparePrivateFile,
} from './files.js';
import { closeWriter, emptyLog, inheritsLog, prepareLog } from './log.js';
import { assertStash, ensureReadable, ensureSchema } from './schema.js';
import { prepareReads, prepareWrites, type ReadStatements, type WriteStatements } from './statements.js';

export interface SqliteStashOptions {
	/** `write`, the default, makes the database where there is none; `read` never writes, nor makes anything. */
	readonly mode?: Intent | undefined;

	/** Those not given are `SQLITE_LIMITS`: 1 hour, 10,000 entries, 1 GiB. */
	readonly limits?: Partial<StashLimits> | undefined;

	/** How long to wait for another process's lock, milliseconds: 5,000 unless given. */
	readonly busyTimeout?: number | undefined;

	/** The clock, milliseconds since the epoch. */
	readonly now?: (() => number) | undefined;
}

const BUSY_TIMEOUT = 5000;

/**
 * A stash in a SQLite database.
 *
 * Close it: a process that wrote much and ends without closing waits at its end for the disk.
 */
export class SqliteStash implements StashStore {
	readonly limits: StashLimits;
	readonly #path: string;
	readonly #mode: Intent;
	readonly #busyTimeout: number;
	readonly #now: () => number;
	readonly #identity: FileIdentity | undefined;
	readonly #inheritedLog: boolean;
	readonly #connection: Connection;
	readonly #reads: ReadStatements;
	readonly #writes: WriteStatements | undefined;

	/**
	 * Opens the database, and in `write` mode makes it (0600, in a directory of 0700) or brings an older one up to
	 * date.
	 *
	 * @param path an absolute path. A symbolic link is refused.
	 * @throws {StashError} `no-store`, `missing` (only in `read` mode), `refused`, `locked`, `corrupt`, `newer`,
	 * `unwritable`, `unreadable`, `full`, `replaced`, `unavailable`.
	 */
	constructor(path: string, options: SqliteStashOptions = {}) {
		this.limits = { ...SQLITE_LIMITS, ...options.limits };
		this.#path = path;
		this.#mode = options.mode ?? 'write';
		this.#busyTimeout = options.busyTimeout ?? BUSY_TIMEOUT;
		this.#now = options.now ?? Date.now;

		const isReader = this.#mode === 'read';
		let connection: Connection | undefined;
		try {
			if (isReader) {
				checkReadableFile(path);
			} else {
				preparePrivateFile(path);
			}

			this.#identity = identify(path);
			this.#inheritedLog = inheritsLog(path);
			connection = connect(path, { readonly: isReader, busyTimeout: this.#busyTimeout });
			if (isReader) {
				configureForReading(connection);
				ensureReadable(connection, path);
			} else {
				assertStash(connection, path);
				configureForWriting(connection, this.#busyTimeout);
				ensureSchema(connection, path, this.#now());
				this.#writes = prepareWrites(connection);
				this.#assertSameFile();
			}

			this.#reads = prepareReads(connection);
			this.#connection = connection;
		} catch (error) {
			connection?.close();
			throw asStashError(error, path, this.#mode);
		}
	}

	stash(payloads: readonly Payload[]): StashWrite[] {
		checkPayloads(payloads, this.limits);
		let log: FileIdentity | undefined;
		const size = payloads.reduce((sum, payload) => sum + payload.size, 0);
		const writes = this.#write(size, (statements) => {
			log = identify(logOf(this.#path));
			const done = this.#writeAll(statements, payloads);
			this.#assertSameFile(log);
			return done;
		});

		// A file that was removed under our hands took the payloads with it; nothing may be promised of them.
		this.#assertSameFile(log);
		return writes;
	}

	retrieve(key: string): StashEntry | Absence {
		return this.#read(() => {
			const row = this.#reads.find(key);
			if (row === undefined) {
				return 'unknown';
			}

			if (row.expires < this.#now()) {
				return 'expired';
			}

			// Said now rather than in the midst of the payload, when half of it has gone out.
			if (!this.#reads.isComplete(row.id, row.size)) {
				throw new StashError('corrupt', `the stash ${this.#path} has lost a part of the payload ${key}`);
			}

			return { key, size: row.size, chunks: () => this.#chunks(key, row.id, row.size) };
		});
	}

	deleteAtGeneration(key: string, generation: bigint): boolean {
		return this.#write(0, (statements) => statements.deleteAt(key, generation));
	}

	evictExpired(): number {
		return this.#write(0, (statements) => statements.deleteExpired(this.#now()));
	}

	count(): number {
		return this.#read(() => this.#reads.countLive(this.#now()));
	}

	close(): void {
		if (!this.#connection.open) {
			return;
		}

		if (this.#mode === 'write') {
			closeWriter(this.#connection, this.#path, this.#inheritedLog);
		} else {
			this.#connection.close();
		}
	}

	#read<Result>(work: () => Result): Result {
		this.#assertOpen();
		try {
			return work();
		} catch (error) {
			throw asStashError(error, this.#path, 'read');
		}
	}

	/**
	 * What `work` throws is passed on, unless SQLite said it: a payload is read in here, by the caller's code.
	 *
	 * @param size of what is to be written, bytes.
	 */
	#write<Result>(size: number, work: (statements: WriteStatements) => Result): Result {
		this.#assertOpen();
		const statements = this.#writes;
		if (statements === undefined) {
			throw new StashError('closed', `the stash ${this.#path} was opened for reading only`);
		}

		try {
			prepareLog(this.#connection, this.#path, this.#busyTimeout, size);
			return writeTransaction(this.#connection, () => work(statements));
		} catch (error) {
			emptyLog(this.#connection, this.#path, this.#busyTimeout);
			throw isSqliteFailure(error) ? asStashError(error, this.#path, 'write') : error;
		}
	}

	#writeAll(statements: WriteStatements, payloads: readonly Payload[]): StashWrite[] {
		const now = this.#now();
		const last = statements.lastGeneration();
		checkGenerations(last, payloads.length);
		statements.deleteExpired(now - this.limits.timeToLive);

		const missing: { readonly id: bigint; readonly payload: Payload }[] = [];
		const writes = payloads.map((payload, index): StashWrite => {
			const { key, size } = payload;
			const generation = last + BigInt(index + 1);
			const values = {
				key,
				kind: payload.kind,
				origin: payload.origin,
				session: payload.session ?? null,
				size,
				created: now,
				expires: now + this.limits.timeToLive,
				generation,
			};

			const row = statements.find(key);
			const isOfThisCall = row !== undefined && row.generation > last;
			if (row !== undefined && (isOfThisCall || this.#holds(row.id, Number(row.size), size))) {
				statements.refresh(row.id, values);
			} else {
				if (row !== undefined) {
					statements.delete(row.id);
				}

				missing.push({ id: statements.insert(values), payload });
			}

			return row === undefined || row.expires < now
				? { key, generation, created: true }
				: { key, generation, created: false, previousGeneration: row.generation };
		});

		// Before the chunks are written, so that they take the place of what went.
		this.#makeRoom(statements, now, last);
		for (const { id, payload } of missing) {
			let position = 0;
			for (const chunk of storedChunks(payload)) {
				statements.insertChunk(id, position++, chunk);
			}
		}

		statements.setLastGeneration(last + BigInt(payloads.length));
		return writes;
	}

	#holds(id: bigint, storedSize: number, size: number): boolean {
		return storedSize === size && this.#reads.isComplete(id, size);
	}

	#makeRoom(statements: WriteStatements, now: number, last: bigint): void {
		const { entries, bytes } = statements.totals();
		const surplus = {
			entries: Math.max(0, entries - this.limits.maxEntries),
			bytes: Math.max(0, bytes - this.limits.maxBytes),
		};
		if (surplus.entries > 0 || surplus.bytes > 0) {
			statements.evict(now, last, surplus);
		}
	}

	/** Each chunk is read by itself: a reader that waits for a pager holds up nobody's log. */
	*#chunks(key: string, id: number, size: number): Generator<Uint8Array> {
		let read = 0;
		for (let position = 0; read < size; position++) {
			const chunk = this.#read(() => this.#reads.chunk(id, position));
			if (chunk === undefined) {
				throw new StashError(
					'vanished',
					`the payload ${key} left the stash while it was being read, after ${read} of its ${size} bytes`,
				);
			}

			read += chunk.length;
			yield chunk;
		}
	}

	#assertOpen(): void {
		if (!this.#connection.open) {
			throw new StashError('closed', `the stash ${this.#path} was closed`);
		}
	}

	#assertSameFile(log?: FileIdentity): void {
		const isDatabaseThere = this.#identity !== undefined && isSameFile(this.#path, this.#identity);
		if (!isDatabaseThere || (log !== undefined && !isSameFile(logOf(this.#path), log))) {
			throw new StashError(
				'replaced',
				`the stash ${this.#path} was removed or replaced while it was open; nothing was stored, try again`,
			);
		}
	}
}
