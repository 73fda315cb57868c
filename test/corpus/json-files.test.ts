/**
 * Real JSON: what is done with each file, what of it must be in the output, and that the rest can be had again.
 * Passing a file through is no success, so the table says for each what happens to it.
 */

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryDirectory } from '../cli/run.js';
import { check, read } from '../compress/json/support/check.js';
import { compact } from '../compress/json/support/parse.js';
import { compress, type Run } from '../compress/json/support/run.js';
import { corpus, filesOf } from './corpus.js';

const CLEAN = ['json_cleanup'] as const;
const CUT = ['json_cleanup', 'json_truncation'] as const;
const RECORDS = ['json_cleanup', 'json_record_reduction'] as const;
const BOTH = ['json_cleanup', 'json_record_reduction', 'json_truncation'] as const;

interface Expected {
	readonly operations: readonly string[];

	/** Share of the estimate that must be saved, at least, %. */
	readonly saves: number;

	/** What a reader looks for in such a file. */
	readonly keeps?: readonly string[];
}

/** Every file is `applied`. */
const FILES: Readonly<Record<string, Expected>> = {
	'apache_builds.json': { operations: CLEAN, saves: 20 },
	'apk-history.json': { operations: CUT, saves: 30 },
	'aws-describe-images.json': { operations: RECORDS, saves: 95 },
	'aws-describe-subnets.json': { operations: CLEAN, saves: 35 },
	'betamax-bugzilla.json': { operations: CUT, saves: 15 },
	'cargo-messages.ndjson': {
		operations: RECORDS,
		saves: 50,
		keeps: ['"reason":"build-finished"', '"success":true'],
	},
	'citm_catalog.json': { operations: RECORDS, saves: 90 },
	'earthquakes.json': { operations: RECORDS, saves: 95, keeps: ['"count":1707', '"mag":6.4', '573.76'] },
	'emoji-pretty.json': { operations: RECORDS, saves: 90 },
	'es-cat-indices.json': { operations: CLEAN, saves: 20 },
	'es-nodes-stats.json': { operations: CLEAN, saves: 40 },
	'eslint-report.json': { operations: CLEAN, saves: 50, keeps: ['"errorCount"', '"ruleId"'] },
	'gh-errors.json': { operations: CLEAN, saves: 15 },
	'gh-paginate-issues.json': { operations: CUT, saves: 20 },
	'gh-top-repos.json': { operations: CLEAN, saves: 15 },
	'github_events.json': { operations: CLEAN, saves: 15 },
	'go-test-json.ndjson': {
		operations: RECORDS,
		saves: 95,
		keeps: [
			'"Action":"fail","Package":"net/http","Test":"TestCmdGoNoHTTPServer"',
			'"Action":"fail","Package":"net/http","Test":"TestOmitHTTP2"',
			'"Action":"fail","Package":"net/http","Elapsed":102.816',
		],
	},
	'mesh.json': { operations: CUT, saves: 95 },
	'movies.json': { operations: RECORDS, saves: 90 },
	'nab-plot-result.ipynb': { operations: CUT, saves: 90, keeps: ['"nbformat"', '"cell_type"'] },
	'npm-audit.json': { operations: CLEAN, saves: 35, keeps: ['"severity":"critical"'] },
	'numbers.json': { operations: CUT, saves: 95 },
	'openapi-stripe.json': { operations: CUT, saves: 30, keeps: ['"/v1/customers"'] },
	'package-lock-v3.json': { operations: CLEAN, saves: 20, keeps: ['"lockfileVersion":3'] },
	'perf-alert-summary.json': { operations: CLEAN, saves: 30 },
	'perfherder-record.har': { operations: CLEAN, saves: 20 },
	'powerdns-statistics.json': { operations: CLEAN, saves: 25 },
	'security-scan.sarif': { operations: CLEAN, saves: 50, keeps: ['"ruleId"'] },
	'semgrep-report.json': { operations: CLEAN, saves: 20 },
	'sigstore-bundle.json': { operations: CLEAN, saves: 10 },
	'sonarqube-issues.json': { operations: CLEAN, saves: 15 },
	'taskcluster-tasks.json': { operations: CLEAN, saves: 20 },
	'terraform-plan.json': { operations: CLEAN, saves: 20, keeps: ['"resource_changes"'] },
	'treeherder-jobs.ndjson': { operations: RECORDS, saves: 70 },
	'trivy-alpine39.json': { operations: CLEAN, saves: 20, keeps: ['"VulnerabilityID"'] },
	'trivy-helm-misconfig.json': { operations: CLEAN, saves: 35 },
	'twitter.json': { operations: RECORDS, saves: 70 },
	'twitterescaped.json': { operations: RECORDS, saves: 65 },
	'vitest-report.json': { operations: RECORDS, saves: 50, keeps: ['"numFailedTests":30'] },
	'world-countries.json': { operations: BOTH, saves: 85 },
};

const directory = corpus('json');

function bytesOf(file: string): Buffer {
	return fs.readFileSync(path.join(directory, file));
}

const runs = new Map<string, Promise<Run>>();

/** The run of a file, once for all tests of it. */
function runOf(file: string): Promise<Run> {
	let known = runs.get(file);
	if (known === undefined) {
		known = compress(bytesOf(file));
		runs.set(file, known);
	}

	return known;
}

/** Occurrences of a text. */
function count(haystack: string, needle: string): number {
	return haystack.split(needle).length - 1;
}

it('the table knows every file', () => {
	expect(Object.keys(FILES).sort()).toEqual(filesOf(directory));
});

describe.each(Object.entries(FILES))('%s', (file, { operations, saves, keeps = [] }) => {
	it('is reduced as the table says', async () => {
		const { outcome } = await runOf(file);
		expect(outcome).toMatchObject({ disposition: 'applied', operations });
		expect(100 - (100 * outcome.afterTokens) / outcome.beforeTokens).toBeGreaterThanOrEqual(saves);
	});

	it('has lost nothing', async () => {
		const seen = check(bytesOf(file), {}, await runOf(file));
		expect(seen.omissions > 0).toBe(operations.length > 1);
	});

	it('still says what one looks for in it', async () => {
		const { output } = await runOf(file);
		for (const text of keeps) {
			expect(output.toString()).toContain(text);
		}
	});

	it('comes to rest', async () => {
		const { output, outcome } = await runOf(file);
		const second = await compress(output);
		if (outcome.recoverability === 'retrievable') {
			expect(second.output.equals(output)).toBe(true);
		} else {
			expect((await compress(second.output)).output.equals(second.output)).toBe(true);
		}
	});

	it('comes out of the executable alike, and its payloads out of the stash', async () => {
		const { output, stash, outcome } = await runOf(file);
		const dataDirectory = temporaryDirectory();
		const { exitCode, stdout } = run(['compress-response', '--file', path.join(directory, file)], {
			dataDirectory,
		});
		expect(exitCode).toBe(0);
		expect(stdout.equals(output)).toBe(true);
		for (const { key } of outcome.writes.slice(0, 3)) {
			const retrieved = run(['retrieve', key], { dataDirectory });
			expect(retrieved.stdout.equals(stash.payloads.get(key) as Buffer)).toBe(true);
		}
	});
});

describe('facts that a reader asks for', () => {
	it('every diagnostic of a build is there', async () => {
		const { output } = await runOf('cargo-messages.ndjson');
		expect(count(output.toString(), '"reason":"compiler-message"')).toBe(
			count(bytesOf('cargo-messages.ndjson').toString(), '"reason":"compiler-message"'),
		);
	});

	it('every failed test of a test report is there', async () => {
		const { output } = await runOf('vitest-report.json');
		const input = compact(read(bytesOf('vitest-report.json').toString()).values[0]);
		expect(count(output.toString(), '"status":"failed"')).toBe(count(input, '"status":"failed"'));
	});

	it('every vulnerability of a scan that is short is there', async () => {
		for (const file of [
			'trivy-alpine39.json',
			'npm-audit.json',
			'security-scan.sarif',
			'semgrep-report.json',
		]) {
			const { output } = await runOf(file);
			const input = compact(read(bytesOf(file).toString()).values[0]);
			for (const word of ['"VulnerabilityID"', '"severity"', '"Severity"', '"ruleId"', '"check_id"']) {
				expect(count(output.toString(), word), `${file}: ${word}`).toBe(count(input, word));
			}
		}
	});
});
