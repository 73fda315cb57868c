/** The JSON compressor as a Node Transform: a thin adapter over the core, with back-pressure on both sides. */

import { Transform, type TransformCallback } from 'node:stream';
import { resolveDataDirectory } from '../../config/data-directory.js';
import { realHome } from '../../config/home.js';
import { SpoolFullError } from '../../source/errors.js';
import { Spool } from '../../source/spool.js';
import { SHARED_SPOOL_DIRECTORY } from '../../source/temporary-file.js';
import type { Source } from '../../source/types.js';
import type { StashStore } from '../../stash/types.js';
import { JsonCompression, type JsonOutcome } from './compress.js';
import type { JsonOptions } from './options.js';

export interface JsonCompressorOptions extends JsonOptions {
	/** Where what is left out goes. Without it nothing is left out, unless `lossy`. Stays open: the caller's. */
	readonly stash?: StashStore;
}

/** Bytes handed to the reader at a time. */
const BLOCK = 64 * 1024;

/**
 * Compresses one JSON document, or JSON Lines. Nothing comes out before all has come in.
 *
 * Emits `error` with a `JsonSyntaxError` where the input is not JSON. Where no room for the input can be had, it
 * comes out as it is.
 */
export class JsonCompressor extends Transform {
	/** What was done; there once the stream has finished. Undefined where the input was passed through. */
	outcome: JsonOutcome | undefined;

	readonly #directories: string[];
	readonly #input: Spool;
	readonly #compression: JsonCompression;
	#isPassingThrough = false;
	#resume: (() => void) | undefined;

	constructor(options: JsonCompressorOptions = {}) {
		super();
		const { stash, ...rest } = options;
		const data = resolveDataDirectory(process.env, realHome());
		this.#directories = [...(data.directory === undefined ? [] : [data.directory]), SHARED_SPOOL_DIRECTORY];
		this.#input = new Spool(this.#directories);
		this.#compression = new JsonCompression(this.#input, rest, {
			spoolDirectories: this.#directories,
			...(stash === undefined ? {} : { stash: (payloads) => stash.stash(payloads) }),
		});
	}

	override _transform(chunk: Uint8Array, _encoding: BufferEncoding, callback: TransformCallback): void {
		this.#take(chunk).then(() => callback(), callback);
	}

	override _flush(callback: TransformCallback): void {
		this.#finish().then(() => callback(), callback);
	}

	override _read(size: number): void {
		const resume = this.#resume;
		this.#resume = undefined;
		if (resume === undefined) {
			super._read(size);
		} else {
			resume();
		}
	}

	override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
		this.#compression.close();
		this.#input.close();
		this.#resume?.();
		callback(error);
	}

	async #take(chunk: Uint8Array): Promise<void> {
		if (this.#isPassingThrough) {
			await this.#push(Buffer.from(chunk));
			return;
		}

		try {
			this.#input.append(chunk);
		} catch (error) {
			if (!(error instanceof SpoolFullError)) {
				throw error;
			}

			this.#isPassingThrough = true;
			await this.#pushAll(this.#input);
			await this.#push(Buffer.from(chunk));
			return;
		}

		this.#compression.write(chunk);
	}

	async #finish(): Promise<void> {
		if (this.#isPassingThrough) {
			return;
		}

		const { outcome, writeTo } = await this.#compression.finish();
		this.outcome = outcome;
		if (outcome.disposition !== 'applied') {
			await this.#pushAll(this.#input);
			return;
		}

		// The core writes in one go; a reader that is slow must not make that a matter of memory.
		const output = new Spool(this.#directories);
		try {
			writeTo(output);
			await this.#pushAll(output);
		} finally {
			output.close();
		}
	}

	async #pushAll(source: Source): Promise<void> {
		for (let position = 0; position < source.size && !this.destroyed; ) {
			const block = Buffer.allocUnsafe(Math.min(BLOCK, source.size - position));
			position += source.read(block, 0, block.length, position);
			await this.#push(block);
		}
	}

	/** Hands a block over, and waits until the reader wants more. */
	async #push(block: Buffer): Promise<void> {
		if (!this.push(block)) {
			await new Promise<void>((resolve) => {
				this.#resume = resolve;
			});
		}
	}
}
