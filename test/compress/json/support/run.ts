/** Runs a compression in memory, with a stash that is a map. */

import os from 'node:os';
import { JsonCompression, type JsonOutcome } from '../../../../lib/compress/json/compress.js';
import type { JsonOptions } from '../../../../lib/compress/json/options.js';
import { memorySource } from '../../../../lib/source/memory.js';
import { StashError } from '../../../../lib/stash/errors.js';
import type { Payload, StashStore, StashWrite } from '../../../../lib/stash/types.js';

/** Takes everything, forgets nothing. */
export class MapStash implements StashStore {
	readonly limits = { timeToLive: Infinity, maxEntries: Infinity, maxBytes: Infinity };
	readonly payloads = new Map<string, Buffer>();
	readonly kinds = new Map<string, string>();
	calls = 0;
	#generation = 0n;

	stash(payloads: readonly Payload[]): StashWrite[] {
		this.calls++;
		return payloads.map((payload) => {
			const chunks: Buffer[] = [];
			for (const chunk of payload.chunks()) {
				chunks.push(Buffer.from(chunk));
			}

			const bytes = Buffer.concat(chunks);
			if (bytes.length !== payload.size) {
				throw new Error(`a payload of ${payload.size} bytes came as ${bytes.length}`);
			}

			const created = !this.payloads.has(payload.key);
			this.payloads.set(payload.key, bytes);
			this.kinds.set(payload.key, payload.kind);
			this.#generation++;
			return { key: payload.key, generation: this.#generation, created };
		});
	}

	retrieve(): never {
		throw new Error('nobody asks here');
	}

	deleteAtGeneration(): boolean {
		return false;
	}

	evictExpired(): number {
		return 0;
	}

	count(): number {
		return this.payloads.size;
	}

	close(): void {}
}

/** Takes nothing, as a locked database. */
export class FailingStash extends MapStash {
	override stash(): never {
		this.calls++;
		throw new StashError('locked', 'the stash is locked by another process');
	}
}

export interface Run {
	readonly outcome: JsonOutcome;
	readonly output: Buffer;
	readonly stash: MapStash;
}

export interface Circumstances {
	/** Bytes given at a time; `Infinity` for all at once. */
	readonly chunk?: number;

	/** False for none. */
	readonly stash?: MapStash | false;
}

export async function compress(
	input: Uint8Array,
	options: JsonOptions = {},
	{ chunk = Infinity, stash = new MapStash() }: Circumstances = {},
): Promise<Run> {
	const compression = new JsonCompression(memorySource(input), options, {
		spoolDirectories: [os.tmpdir()],
		...(stash === false ? {} : { stash: (payloads) => stash.stash(payloads) }),
	});
	for (let position = 0; position < input.length; position += chunk) {
		// A copy that is spoilt afterwards: nothing may go on reading a chunk that is over.
		const piece = Uint8Array.from(input.subarray(position, Math.min(input.length, position + chunk)));
		compression.write(piece);
		piece.fill(0xff);
	}

	const { outcome, writeTo } = await compression.finish();
	const parts: Buffer[] = [];
	writeTo({
		write(bytes) {
			parts.push(Buffer.from(bytes));
		},
	});
	compression.close();
	return { outcome, output: Buffer.concat(parts), stash: stash === false ? new MapStash() : stash };
}
