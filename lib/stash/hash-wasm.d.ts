/** The single-hash build of hash-wasm, which brings no types of its own: a fifth of the whole package to load. */
declare module 'hash-wasm/dist/blake3.umd.min.js' {
	const blake3: Pick<typeof import('hash-wasm'), 'createBLAKE3'>;
	export default blake3;
}
