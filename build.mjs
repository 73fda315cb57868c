/**
 * Builds `dist`: the executable as CommonJS, because Node starts that in two thirds of the time of the same code as a
 * module; the library as modules. No code cache: it would spare a short call 20 ms, but V8 makes slower code, by a
 * third, of loops whose functions came out of one.
 */

import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(root, 'dist');
const require = createRequire(import.meta.url);

/**
 * What meow would load and compile on every start for features that we do not use: finding and normalizing
 * package.json (ours is handed over) and colouring an error of its own, which opens standard output.
 */
const leanMeow = {
	name: 'lean-meow',
	setup(pluginBuild) {
		pluginBuild.onLoad({ filter: /[\\/]meow[\\/]build[\\/]options\.js$/ }, async ({ path: file }) => ({
			contents: replaceOnce(
				await readFile(file, 'utf8'),
				/^import \{ a as readPackageUpSync, n as normalizePackageData \} from '.\/dependencies.js';$/m,
				'const readPackageUpSync = () => undefined; const normalizePackageData = () => {};',
			),
		}));
		pluginBuild.onLoad({ filter: /[\\/]meow[\\/]build[\\/]dependencies\.js$/ }, async ({ path: file }) => {
			let contents = await readFile(file, 'utf8');
			// Once these calls are known to have no effect of their own, tree shaking finds the rest.
			contents = replaceOnce(
				contents,
				/^((?:var|const) .* =) ((?:require|getDefault)[\w$]+\()/gm,
				'$1 /* @__PURE__ */ $2',
			);
			contents = replaceOnce(contents, /^promisify\(execFile\);$/m, '');
			contents = replaceOnce(
				contents,
				'createRequire ? createRequire(import.meta.url) : undefined',
				'undefined',
			);
			return { contents };
		});
	},
};

/** Modules of Node's own that cost a start something (tty brings net and streams), for a function that is seldom called. */
const seldomNeeded = new Set(['tty', 'v8']);

/**
 * Imports of Node's own modules, without esbuild's copy of each such module for each importer, and without those
 * whose importers are gone after tree shaking.
 */
const plainBuiltins = {
	name: 'plain-builtins',
	setup(pluginBuild) {
		const names = builtinModules.filter((name) => /^[a-z]/.test(name)).join('|');
		pluginBuild.onResolve({ filter: new RegExp(`^(?:node:)?(?:${names})$`) }, ({ path: name, kind }) =>
			kind === 'import-statement'
				? { path: name.replace(/^node:/, ''), namespace: 'builtin', sideEffects: false }
				: { path: name, external: true },
		);
		pluginBuild.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path: name }) => {
			const load = `require('node:${name}')`;
			const exports = Object.keys(require(`node:${name}`)).map((key) =>
				seldomNeeded.has(name)
					? `export const ${key} = (...values) => ${load}.${key}(...values);`
					: `export const ${key} = /* @__PURE__ */ (() => ${load}.${key})();`,
			);
			return { contents: [`export default /* @__PURE__ */ (() => ${load})();`, ...exports].join('\n') };
		});
	},
};

/** A newer meow that looks different must not silently become slow. */
function replaceOnce(text, pattern, replacement) {
	const replaced = text.replace(pattern, replacement);
	if (replaced === text) {
		throw new Error(`build.mjs: meow has changed, nothing matches ${pattern}`);
	}

	return replaced;
}

/** The licenses of what is bundled have to go where the code goes. */
async function writeLicenses(metafile, file) {
	const packages = new Set(
		Object.keys(metafile.inputs).flatMap(
			(input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
		),
	);
	const texts = [];
	for (const name of [...packages].sort()) {
		const directory = path.join(root, 'node_modules', name);
		for (const entry of (await readdir(directory, { recursive: true })).sort()) {
			if (/^licen[cs]es?(?:\.\w+)?$/i.test(path.basename(entry))) {
				texts.push(`# ${name}\n\n${(await readFile(path.join(directory, entry), 'utf8')).trim()}\n`);
			}
		}
	}

	await writeFile(file, texts.join('\n'));
}

/** What every bundle of ours shares. Nothing is written before all of them are made: a failed build leaves the last one. */
const common = {
	absWorkingDir: root,
	bundle: true,
	platform: 'node',
	target: 'node20',
	write: false,
	logLevel: 'warning',
};

const executable = path.join(dist, 'bin', 'tokenless.js');
const command = await build({
	...common,
	entryPoints: { tokenless: 'bin/tokenless.ts', 'key-thread': 'lib/stash/key-thread.ts' },
	outdir: path.dirname(executable),
	format: 'cjs',
	// A real dynamic import would start Node's module loader, which costs more than what it loads.
	supported: { 'dynamic-import': false },
	define: { 'import.meta.url': '__filename' },
	minify: true,
	// Loaded where something is stored or read, and not compiled elsewhere.
	external: ['better-sqlite3', 'hash-wasm'],
	plugins: [leanMeow, plainBuiltins],
	metafile: true,
});
const library = await build({
	...common,
	entryPoints: ['lib/index.ts'],
	outdir: path.join(dist, 'lib'),
	format: 'esm',
	packages: 'external',
});

await rm(dist, { recursive: true, force: true });
for (const { path: file, contents } of [command, library].flatMap(({ outputFiles }) => outputFiles)) {
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, contents);
}

await chmod(executable, 0o755);
await writeFile(path.join(dist, 'bin', 'package.json'), '{ "type": "commonjs" }\n');
await writeLicenses(command.metafile, path.join(dist, 'bin', 'LICENSES.txt'));
