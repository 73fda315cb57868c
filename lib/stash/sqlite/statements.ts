/** The statements of the stash, by what they do; no other file of the store speaks SQL about entries. */

import type { Connection } from './connection.js';

/** An entry as far as a write is concerned with it. */
export interface EntryRow {
	readonly id: bigint;
	readonly size: bigint;
	/** Milliseconds since the epoch. */
	readonly expires: bigint;
	readonly generation: bigint;
}

/** What an entry is to be. */
export interface EntryValues {
	readonly key: string;
	readonly kind: string;
	readonly origin: string;
	readonly session: string | null;
	readonly size: number;
	/** Milliseconds since the epoch. */
	readonly created: number;
	/** Milliseconds since the epoch. */
	readonly expires: number;
	readonly generation: bigint;
}

export interface Totals {
	readonly entries: number;
	/** Bytes of payload. */
	readonly bytes: number;
}

/** An entry as far as a reader is concerned with it. */
export interface ReadableRow {
	readonly id: number;
	readonly size: number;
	/** Milliseconds since the epoch. */
	readonly expires: number;
}

/** Chunks come in order of their positions, from 0. */
export interface StoredChunks {
	readonly chunks: number;
	/** Bytes in all. */
	readonly bytes: number;
	/** -1 where there are none. */
	readonly lastPosition: number;
}

export type ReadStatements = ReturnType<typeof prepareReads>;
export type WriteStatements = ReturnType<typeof prepareWrites>;

export function prepareReads(connection: Connection) {
	const find = connection.prepare<[string], ReadableRow>(
		'SELECT id, size, expires_at AS expires FROM stash_entry WHERE key = ?',
	);
	const stored = connection.prepare<[number | bigint], StoredChunks>(
		`SELECT count(*) AS chunks, coalesce(sum(length(bytes)), 0) AS bytes, coalesce(max(position), -1) AS lastPosition
		FROM stash_chunk WHERE entry = ?`,
	);
	const chunk = connection
		.prepare<[number, number], Buffer>('SELECT bytes FROM stash_chunk WHERE entry = ? AND position = ?')
		.pluck();
	const live = connection
		.prepare<[number], number>('SELECT count(*) FROM stash_entry WHERE expires_at >= ?')
		.pluck();

	return {
		find: (key: string) => find.get(key),

		/** Whether the chunks of an entry make up a payload of that size. */
		isComplete(id: number | bigint, size: number): boolean {
			const { chunks, bytes, lastPosition } = stored.get(id) as StoredChunks;
			return bytes === size && lastPosition === chunks - 1;
		},

		chunk: (id: number, position: number) => chunk.get(id, position),

		countLive: (now: number) => live.get(now) as number,
	};
}

export function prepareWrites(connection: Connection) {
	const find = connection
		.prepare<[string], EntryRow>(
			'SELECT id, size, expires_at AS expires, generation FROM stash_entry WHERE key = ?',
		)
		.safeIntegers();
	const insert = connection
		.prepare<[EntryValues]>(
			`INSERT INTO stash_entry (key, kind, origin, session, size, created_at, expires_at, generation)
			VALUES (@key, @kind, @origin, @session, @size, @created, @expires, @generation)`,
		)
		.safeIntegers();
	const refresh = connection.prepare<[EntryValues & { id: bigint }]>(
		`UPDATE stash_entry
		SET kind = @kind, origin = @origin, session = @session, expires_at = @expires, generation = @generation
		WHERE id = @id`,
	);
	const insertChunk = connection.prepare<[bigint, number, Uint8Array]>(
		'INSERT INTO stash_chunk VALUES (?, ?, ?)',
	);
	const deleteEntry = connection.prepare<[bigint]>('DELETE FROM stash_entry WHERE id = ?');
	const deleteAt = connection.prepare<[string, bigint]>(
		'DELETE FROM stash_entry WHERE key = ? AND generation = ?',
	);
	const deleteExpired = connection.prepare<[number]>('DELETE FROM stash_entry WHERE expires_at < ?');
	const totals = connection.prepare<[], Totals>(
		'SELECT count(*) AS entries, coalesce(sum(size), 0) AS bytes FROM stash_entry',
	);

	// The shortest beginning of the queue whose removal is enough, entries and bytes.
	const evict = connection.prepare<[{ now: number; own: bigint; entries: number; bytes: number }]>(
		`DELETE FROM stash_entry WHERE id IN (
			SELECT id FROM (
				SELECT id, row_number() OVER queue - 1 AS entries_before, sum(size) OVER queue - size AS bytes_before
				FROM stash_entry
				WHERE generation <= @own
				WINDOW queue AS (ORDER BY expires_at >= @now, generation, expires_at, id ROWS UNBOUNDED PRECEDING)
			)
			WHERE entries_before < @entries OR bytes_before < @bytes
		)`,
	);
	const lastGeneration = connection
		.prepare<[], bigint>(
			`SELECT max(
				coalesce((SELECT last_generation FROM stash_metadata WHERE singleton = 1), 0),
				coalesce((SELECT max(generation) FROM stash_entry), 0)
			)`,
		)
		.pluck()
		.safeIntegers();
	const setLastGeneration = connection.prepare<[bigint]>(
		`INSERT INTO stash_metadata (singleton, last_generation) VALUES (1, ?)
		ON CONFLICT (singleton) DO UPDATE SET last_generation = excluded.last_generation`,
	);

	return {
		find: (key: string) => find.get(key),

		/** @returns the id of the new entry, which has no chunk yet. */
		insert: (values: EntryValues) => insert.run(values).lastInsertRowid as bigint,

		/** Gives an entry a new life; its chunks and the time of its creation stay. */
		refresh(id: bigint, values: EntryValues): void {
			refresh.run({ ...values, id });
		},

		insertChunk(id: bigint, position: number, bytes: Uint8Array): void {
			insertChunk.run(id, position, bytes);
		},

		/** Deletes an entry and its chunks. */
		delete(id: bigint): void {
			deleteEntry.run(id);
		},

		/** @returns whether there was such an entry. */
		deleteAt: (key: string, generation: bigint) => deleteAt.run(key, generation).changes > 0,

		/** @returns how many had expired before that time. */
		deleteExpired: (time: number) => deleteExpired.run(time).changes,

		totals: () => totals.get() as Totals,

		/** Evicts as many as needed of the entries up to the generation `own`: the expired, then the oldest. */
		evict(now: number, own: bigint, surplus: Totals): void {
			evict.run({ now, own, ...surplus });
		},

		/** The highest generation ever given. */
		lastGeneration: () => lastGeneration.get() as bigint,

		setLastGeneration(generation: bigint): void {
			setLastGeneration.run(generation);
		},
	};
}
