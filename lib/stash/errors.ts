/** What a stash says when it cannot do as asked: a kind to act on, and one line to show. */

/**
 * Why a stash could not do as asked.
 *
 * - `no-store`: the SQLite driver cannot be loaded here.
 * - `missing`: there is no database to read.
 * - `refused`: what lies at the path is not a database of ours, or not a regular file.
 * - `locked`: another process held the write lock for longer than the busy timeout.
 * - `corrupt`: the database is damaged.
 * - `newer`: a later release wrote the database.
 * - `unwritable`, `unreadable`: permissions, or a read-only place.
 * - `full`: no room on the disk.
 * - `replaced`: the file was removed or replaced while it was open, so what was written cannot be found again.
 * - `vanished`: the entry was deleted while its payload was being read.
 * - `too-large`: the payloads of one call exceed the limits of the store by themselves.
 * - `exhausted`: no generation is left to give.
 * - `mismatch`: a payload's chunks are not of the size it declared.
 * - `closed`: the store was closed, or opened for reading only.
 * - `unavailable`: anything else; the message says what.
 */
export type StashFailure =
	| 'no-store'
	| 'missing'
	| 'refused'
	| 'locked'
	| 'corrupt'
	| 'newer'
	| 'unwritable'
	| 'unreadable'
	| 'full'
	| 'replaced'
	| 'vanished'
	| 'too-large'
	| 'exhausted'
	| 'mismatch'
	| 'closed'
	| 'unavailable';

/** A stash that could not do as asked. The message is one line: what happened, where, what to do. */
export class StashError extends Error {
	override readonly name = 'StashError';

	constructor(
		readonly kind: StashFailure,
		message: string,
		options?: ErrorOptions,
	) {
		super(message, options);
	}
}
