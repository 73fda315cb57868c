/** The key of a payload: the first 24 hex digits of BLAKE3 over its bytes. */

/** Length of a key, hex digits. */
export const KEY_LENGTH = 24;

/** Hashes payloads one after another, in chunks. Synchronous, and to be used for one payload at a time. */
export interface KeyHasher {
	/** Begins a payload; one that was not finished is forgotten. */
	start(): void;

	/** Takes the next bytes of the payload; the caller may reuse the memory afterwards. */
	update(bytes: Uint8Array): void;

	/** Ends the payload. @returns its key: 24 lower-case hex digits. */
	finish(): string;

	/** The key of a whole payload, in one call. */
	keyOf(chunks: Iterable<Uint8Array>): string;
}

/**
 * Makes a hasher. Loading and compiling BLAKE3 is the one asynchronous step.
 *
 * @throws {Error} where WebAssembly is not to be had.
 */
export async function createKeyHasher(): Promise<KeyHasher> {
	// Loaded here and not above: most calls hash nothing, and every call pays for what is loaded at the start.
	const { default: blake3 } = await import('hash-wasm/dist/blake3.umd.min.js');
	const hash = await blake3.createBLAKE3();

	const hasher: KeyHasher = {
		start() {
			hash.init();
		},
		update(bytes) {
			hash.update(bytes);
		},
		finish() {
			return hash.digest('hex').slice(0, KEY_LENGTH);
		},
		keyOf(chunks) {
			hasher.start();
			for (const chunk of chunks) {
				hasher.update(chunk);
			}

			return hasher.finish();
		},
	};
	return hasher;
}

/**
 * The key of bytes that are at hand: 24 lower-case hex digits.
 *
 * @throws {Error} where WebAssembly is not to be had.
 */
export async function payloadKey(bytes: Uint8Array): Promise<string> {
	const hasher = await createKeyHasher();
	return hasher.keyOf([bytes]);
}
