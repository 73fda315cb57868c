/** Recovery instructions and markers: exact texts, and which texts count as a reference. */

import { describe, expect, it } from 'vitest';
import { instructionFor, isToolName, parseReference, referencesIn } from '../../lib/stash/reference.js';

const key = '0123456789abcdef01234567';
const other = 'c30ccf5ed1125e0ed871ba8e';
const shell = `If needed, run in shell: tokenless retrieve ${key}`;
const tool = `If needed, call tool tokenless_retrieve with hash_or_marker=${key}`;

describe('instructionFor', () => {
	it('says how a shell and how a tool get the payload', () => {
		expect(instructionFor({ kind: 'shell' }, key)).toBe(shell);
		expect(instructionFor({ kind: 'tool', name: 'tokenless_retrieve' }, key)).toBe(tool);
	});

	it('says nothing where there is no way', () => {
		expect(instructionFor({ kind: 'none' }, key)).toBe('');
	});
});

describe('isToolName', () => {
	it.each(['a', 'tokenless_retrieve', 'A-1', 'x'.repeat(64)])('accepts %s', (name) => {
		expect(isToolName(name)).toBe(true);
	});

	it.each(['', 'a b', 'a.b', '工具', 'a\n', 'x'.repeat(65)])('refuses %j', (name) => {
		expect(isToolName(name)).toBe(false);
	});
});

describe('parseReference', () => {
	it.each([
		['a bare hash', key],
		['upper case', key.toUpperCase()],
		['white space around it', ` ${key}\n`],
		['a marker', `<<tokenless:${key}>>`],
		['a marker in upper case', `<<tokenless:${key.toUpperCase()}>>`],
		['a marker within words', `see<<tokenless:${key}>>here`],
		['the shell instruction', shell],
		['the tool instruction', tool],
		['a whole line', `12 passing-test lines omitted. ${shell}`],
		['an instruction in quotation marks', `"187 items omitted. ${shell}"`],
		['an instruction at the end of a sentence', `(${shell}).`],
		['the same reference twice', `${shell} ${tool}`],
		['an emoji before it', `🙂${shell}`],
	])('finds the key in %s', (_, text) => {
		expect(parseReference(text)).toBe(key);
	});

	it.each([
		['nothing', ''],
		['a word', 'hello'],
		['23 digits', key.slice(1)],
		['25 digits', `${key}0`],
		['a digit that is not hexadecimal', `${key.slice(1)}g`],
		['a hash among words', `the hash ${key}`],
		['an instruction with 25 digits', `${shell}0`],
		['an instruction followed by a hyphen', `${shell}-`],
		['an instruction followed by an underscore', `${shell}_`],
		['an instruction followed by a CJK letter', `${shell}了`],
		['an instruction preceded by a letter', `x${shell}`],
		['an instruction preceded by a CJK letter', `如${shell}`],
		['an instruction preceded by an astral letter', `𠀀${shell}`],
		['an instruction in other words', shell.replace('If needed', 'if needed')],
		['a tool name with a space', tool.replace('tokenless_retrieve', 'a b')],
		['a tool name of 65 characters', tool.replace('tokenless_retrieve', 'x'.repeat(65))],
		['an unfinished marker', `<<tokenless:${key}>`],
		['a marker with 25 digits', `<<tokenless:${key}0>>`],
		['two different keys', `<<tokenless:${key}>> <<tokenless:${other}>>`],
	])('finds none in %s', (_, text) => {
		expect(parseReference(text)).toBeUndefined();
	});
});

describe('referencesIn', () => {
	it('gives distinct keys in order of appearance, lower case', () => {
		const text = `<<tokenless:${other.toUpperCase()}>> ${shell} <<tokenless:${other}>>`;
		expect(referencesIn(text)).toEqual([other, key]);
	});

	it('does not count a bare hash', () => {
		expect(referencesIn(key)).toEqual([]);
	});

	it('counts a tool instruction for the declared tool only', () => {
		expect(referencesIn(tool, 'tokenless_retrieve')).toEqual([key]);
		expect(referencesIn(tool, 'another')).toEqual([]);
		expect(
			referencesIn(tool.replace('tokenless_retrieve', 'tokenless_retrieve2'), 'tokenless_retrieve'),
		).toEqual([]);
	});

	it('counts shell instructions and markers whatever tool is declared', () => {
		expect(referencesIn(`${shell} <<tokenless:${other}>>`, 'another')).toEqual([key, other]);
	});
});
