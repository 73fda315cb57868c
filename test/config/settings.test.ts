/** config.json, the environment, and files that are not what they should be. */

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSettings, type SettingsResult } from '../../lib/config/settings.js';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'tokenless-test-')));
afterAll(() => fs.rmSync(root, { recursive: true }));

const defaults = { statsEnabled: true, slsEnabled: true, compressionEnabled: true, stashMaxBytes: undefined };
const GIBIBYTE = 1024 ** 3;

let homes = 0;

function homeWith(prepare: (file: string) => void): string {
	const home = path.join(root, String(homes++));
	fs.mkdirSync(path.join(home, '.tokenless'), { recursive: true });
	prepare(path.join(home, '.tokenless', 'config.json'));
	return home;
}

function settingsFrom(text: string, environment = {}): SettingsResult {
	return readSettings(
		environment,
		homeWith((file) => fs.writeFileSync(file, text)),
	);
}

describe('the file', () => {
	test.each<[string, object]>([
		['{}', {}],
		['{"stats_enabled":false}', { statsEnabled: false }],
		['{"sls_enabled":false,"compression_enabled":false}', { slsEnabled: false, compressionEnabled: false }],
		['\uFEFF{"stats_enabled": false}\n', { statsEnabled: false }],
		['{"stash_max_bytes":"4GiB"}', { stashMaxBytes: 4 * GIBIBYTE }],
		['{"stash_max_bytes":1000}', { stashMaxBytes: 1000 }],
		['{"something_new":{"a":[1]},"stats_enabled":false}', { statsEnabled: false }],
		['{"__proto__":{"stats_enabled":false,"stash_max_bytes":5}}', {}],
		['{"constructor":{"prototype":{"stats_enabled":false}}}', {}],
	])('%s', (text, expected) => {
		expect(settingsFrom(text)).toEqual({ settings: { ...defaults, ...expected }, warning: undefined });
	});

	test.each<[string, object, RegExp]>([
		['', {}, /not valid JSON/],
		['{"stats_enabled":false', {}, /not valid JSON/],
		['{"stats_enabled":no}', {}, /not valid JSON/],
		['[]', {}, /no JSON object/],
		['null', {}, /no JSON object/],
		['"{}"', {}, /no JSON object/],
		[
			'{"stats_enabled":"false","sls_enabled":false}',
			{ slsEnabled: false },
			/stats_enabled .*neither true nor false/,
		],
		['{"stats_enabled":null}', {}, /stats_enabled/],
		['{"compression_enabled":0}', {}, /compression_enabled/],
		['{"stash_max_bytes":"much"}', {}, /stash_max_bytes .*no size/],
		['{"stash_max_bytes":-1}', {}, /stash_max_bytes/],
		['{"stash_max_bytes":0}', {}, /stash_max_bytes .*more than 0/],
		['{"stash_max_bytes":1.5}', {}, /stash_max_bytes/],
		['{"stash_max_bytes":1e300}', {}, /stash_max_bytes/],
		['{"stash_max_bytes":[1]}', {}, /stash_max_bytes/],
		['{"stats_enabled":1,"sls_enabled":1}', {}, /stats_enabled .*; sls_enabled /],
		[`{"stats_enabled":false,"x":"${'x'.repeat(70_000)}"}`, {}, /larger than 64 KiB/],
	])('%.60s: the default and a warning', (text, expected, warning) => {
		const result = settingsFrom(text);
		expect(result.settings).toEqual({ ...defaults, ...expected });
		expect(result.warning).toMatch(warning);
		expect(result.warning).toMatch(/^[^\n]+: using the default$/);
	});

	test.each<[string, (file: string) => void, RegExp]>([
		['a symbolic link', (file) => fs.symlinkSync('/etc/passwd', file), /is a symbolic link/],
		['a directory', (file) => fs.mkdirSync(file), /not a regular file/],
		['a FIFO', (file) => void execFileSync('mkfifo', [file]), /not a regular file/],
		['a huge file', (file) => void execFileSync('truncate', ['-s', '5G', file]), /larger than 64 KiB/],
	])('%s: the defaults and a warning', (_, prepare, warning) => {
		const result = readSettings({}, homeWith(prepare));
		expect(result.settings).toEqual(defaults);
		expect(result.warning).toMatch(warning);
	});

	test.each<[string, string | undefined]>([
		['no home', undefined],
		['no such home', path.join(root, 'missing')],
		['a home that is a file', process.execPath],
		['no file', homeWith(() => {})],
	])('%s: the defaults, nothing to say', (_, home) => {
		expect(readSettings({}, home)).toEqual({ settings: defaults, warning: undefined });
	});

	test('is the one in the home even when the databases are elsewhere', () => {
		const elsewhere = path.join(root, 'elsewhere');
		fs.mkdirSync(elsewhere);
		fs.writeFileSync(path.join(elsewhere, 'config.json'), '{"sls_enabled":false}');
		expect(settingsFrom('{"stats_enabled":false}', { TOKENLESS_DATA_DIR: elsewhere }).settings).toEqual({
			...defaults,
			statsEnabled: false,
		});
	});
});

describe('the environment', () => {
	const switches = [
		['TOKENLESS_STATS_ENABLED', 'stats_enabled', 'statsEnabled'],
		['TOKENLESS_SLS_ENABLED', 'sls_enabled', 'slsEnabled'],
		['TOKENLESS_COMPRESSION_ENABLED', 'compression_enabled', 'compressionEnabled'],
	] as const;

	const values: [value: string, meaning: boolean][] = [
		['1', true],
		['true', true],
		['TRUE', true],
		['Yes', true],
		['0', false],
		['false', false],
		['no', false],
		['on', false],
		['y', false],
		['2', false],
		[' 1', false],
		['true\n', false],
	];

	test.each(switches.flatMap((names) => values.map((value) => [...names, ...value] as const)))(
		'%s overrides %s (%s): %j is %s',
		(variable, key, property, value, meaning) => {
			const { settings, warning } = settingsFrom(JSON.stringify({ [key]: !meaning }), { [variable]: value });
			expect(settings).toEqual({ ...defaults, [property]: meaning });
			expect(warning).toBeUndefined();
		},
	);

	test.each(switches)('an empty %s is not set', (variable, key, property) => {
		const { settings } = settingsFrom(JSON.stringify({ [key]: false }), { [variable]: '' });
		expect(settings).toEqual({ ...defaults, [property]: false });
	});

	test('TOKENLESS_STASH_MAX_BYTES overrides the file', () => {
		const text = '{"stash_max_bytes":1000}';
		const stashMaxBytes = (value: string): unknown =>
			settingsFrom(text, { TOKENLESS_STASH_MAX_BYTES: value }).settings.stashMaxBytes;
		expect(stashMaxBytes('6GiB')).toBe(6 * GIBIBYTE);
		expect(stashMaxBytes('')).toBe(1000);
	});

	test.each(['much', '0', '-1', '1.5'])(
		'TOKENLESS_STASH_MAX_BYTES=%s: the default and a warning',
		(value) => {
			const result = settingsFrom('{}', { TOKENLESS_STASH_MAX_BYTES: value });
			expect(result.settings.stashMaxBytes).toBeUndefined();
			expect(result.warning).toMatch(`TOKENLESS_STASH_MAX_BYTES '${value}' is no size`);
		},
	);

	test('counts without a home', () => {
		expect(readSettings({ TOKENLESS_STATS_ENABLED: 'no' }, undefined).settings.statsEnabled).toBe(false);
	});
});
