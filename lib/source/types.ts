/** The two ends of every compressor: a `Source` it may read anywhere, and a `Sink` it writes to in order. */

/** Bytes that can be read at any position, synchronously, any number of times. */
export interface Source {
	/** Length in bytes. Grows only while a spool is still being filled. */
	readonly size: number;

	/** Of a file that is read in place: the descriptor, for who reads it on another thread. */
	readonly descriptor?: number;

	/**
	 * Copies up to `length` bytes from `position` into `target` at `offset`.
	 *
	 * @returns the number of bytes copied: less than `length` only where the source ends.
	 * @throws {SourceError} when the bytes cannot be read, or a file changed since it was opened.
	 */
	read(target: Uint8Array, offset: number, length: number, position: number): number;
}

/** Takes bytes in order. */
export interface Sink {
	/** Takes `bytes` before it returns; the caller may reuse the memory afterwards. */
	write(bytes: Uint8Array): void;
}
