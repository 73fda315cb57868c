/**
 * Builds `dist`: the executable as CommonJS, because Node starts that in two thirds of the time of the same code as a
 * module, and compiled ahead; the library as modules.
 */

import { execFileSync } from 'node:child_process';
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

/** Modules of Node's own that bring half of Node with them (tty: net, streams), for a function that is seldom called. */
const seldomNeeded = new Set(['tty']);

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

/**
 * Runs the command once on a small input, in a Node of its own, and keeps what V8 compiled for it. A cache is good for
 * one version of V8 and one kind of processor, hence its name.
 */
function compileAhead(file) {
	const program = `
		const { readFileSync, writeFileSync } = require('node:fs');
		const { Script } = require('node:vm');
		const filename = ${JSON.stringify(file)};
		const script = new Script(readFileSync(filename, 'latin1'), { filename });
		process.argv = [process.execPath, filename, 'compress-response', '--no-stash'];
		script.runInThisContext()(require, filename);
		process.on('exit', () => {
			const cache = filename.replace(/js$/, process.versions.v8 + '-' + process.arch + '.cache');
			writeFileSync(cache, script.createCachedData());
		});`;
	const records = Array.from({ length: 50 }, (_, id) => ({
		id,
		name: `record ${id}`,
		isGood: id % 2 === 0,
		none: null,
	}));
	execFileSync(process.execPath, ['-e', program], {
		input: JSON.stringify(
			{ records, numbers: records.map(({ id }) => id), text: 'é'.repeat(5000) },
			undefined,
			2,
		),
		stdio: ['pipe', 'ignore', 'inherit'],
	});
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
	entryPoints: ['bin/command.ts'],
	outfile: path.join(dist, 'bin', 'command.js'),
	format: 'cjs',
	// A real dynamic import would start Node's module loader, which costs more than what it loads.
	supported: { 'dynamic-import': false },
	define: { 'import.meta.url': '__filename' },
	// The launcher calls it as a function.
	banner: { js: '(function (require, __filename) {' },
	footer: { js: '})' },
	minify: true,
	// Loaded where something is stored or read, and not compiled elsewhere.
	external: ['better-sqlite3', 'hash-wasm'],
	plugins: [leanMeow, plainBuiltins],
	metafile: true,
});
const launcher = await build({
	...common,
	entryPoints: ['bin/tokenless.ts'],
	outfile: executable,
	format: 'cjs',
	plugins: [plainBuiltins],
});
const library = await build({
	...common,
	entryPoints: ['lib/index.ts'],
	outdir: path.join(dist, 'lib'),
	format: 'esm',
	packages: 'external',
});

await rm(dist, { recursive: true, force: true });
for (const { path: file, contents } of [command, launcher, library].flatMap(
	({ outputFiles }) => outputFiles,
)) {
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, contents);
}

await chmod(executable, 0o755);
await writeFile(path.join(dist, 'bin', 'package.json'), '{ "type": "commonjs" }\n');
await writeLicenses(command.metafile, path.join(dist, 'bin', 'LICENSES.txt'));
compileAhead(path.join(dist, 'bin', 'command.js'));
