/** The public API. */

export {
	JsonCompression,
	type JsonEnvironment,
	type JsonOutcome,
	type JsonResult,
	type Operation,
} from './compress/json/compress.js';
export { JsonCompressor, type JsonCompressorOptions } from './compress/json/json-compressor.js';
export { DEFAULT_LIMITS, type JsonLimits, type JsonOptions } from './compress/json/options.js';
export { JsonSyntaxError } from './json/errors.js';
export { ESTIMATOR, estimateTokens, TextCount } from './measure/estimate.js';
export { SourceError, SpoolFullError } from './source/errors.js';
export { type Input, type InputOptions, openInput } from './source/input.js';
export { memorySource } from './source/memory.js';
export { Spool } from './source/spool.js';
export type { Sink, Source } from './source/types.js';
export { StashError } from './stash/errors.js';
export { createKeyHasher, type KeyHasher } from './stash/keys.js';
export { createStashLedger, type StashLedger } from './stash/ledger.js';
export { MemoryStash } from './stash/memory.js';
export { parseReference, type Recovery, referencesIn } from './stash/reference.js';
export { SqliteStash, type SqliteStashOptions } from './stash/sqlite/store.js';
export type { Absence, Payload, StashEntry, StashLimits, StashStore, StashWrite } from './stash/types.js';
