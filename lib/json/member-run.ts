/**
 * Members of one object that stand one after another, each a plain key with a plain scalar behind it, as columns: what
 * most of a large input consists of. The tokenizer fills them and its handler reads them before it goes on, so one set
 * serves all; and arrays that no object holds are reached without a load or a check, which halves what a member costs.
 */

/** Members that one run may have: a bit for each fits one number. */
export const MAX_RUN = 32;

/** Offsets of lexemes, quotation marks included, from the start of the chunk at hand. */
export const keyStart = new Int32Array(MAX_RUN);
export const keyEnd = new Int32Array(MAX_RUN);
export const start = new Int32Array(MAX_RUN);
export const end = new Int32Array(MAX_RUN);

/** The two hashes of the key; see `joinHash`. */
export const low = new Int32Array(MAX_RUN);
export const high = new Int32Array(MAX_RUN);

/** The kind of the value. */
export const kind = new Uint8Array(MAX_RUN);
