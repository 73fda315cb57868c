/** The shapes that are measured, in the order of the table. */

import { writeDeepArray, writeMillionLevels, writeNestedArrays } from './nests.mjs';
import { writeMembers, writeNumbers, writeString, writeStrings, writeTinyObjects } from './plain.mjs';
import { writeMixedRecords, writePrettyRecords, writeRecordLines, writeRecords } from './records.mjs';

export const MIB = 1024 * 1024;

/** Size at which the bounds hold, and the one it is compared with; MiB. */
export const FULL = 64;
export const QUARTER = 16;

/**
 * `write(output, { size, random, share })` fills at most `size` bytes; a shape with a fixed number of parts writes
 * `share` of them. It returns what must come of it:
 * - `items`: how many there are; `notice`: how the notice at the root counts them.
 * - `payloads`: what must be stored, as a byte range of the input or as a hash.
 * - `critical`: the ids of records that must survive.
 * - `complete`: the hash of the output, where nothing is to be left out.
 */
export const shapes = [
	{ name: 'records', title: 'record array', write: writeRecords },
	{ name: 'pretty', title: 'record array, pretty-printed', write: writePrettyRecords },
	{ name: 'mixed', title: 'records of mixed shapes', write: writeMixedRecords },
	{ name: 'lines', title: 'JSON Lines of records', write: writeRecordLines },
	{ name: 'numbers', title: '8 million numbers', write: writeNumbers },
	{ name: 'tiny', title: '8 million tiny objects', write: writeTinyObjects },
	{ name: 'strings', title: '15,000 strings of 4.2 KB', write: writeStrings },
	{ name: 'string', title: 'one string of 60 MiB', write: writeString },
	{ name: 'members', title: 'object of a million members', write: writeMembers },
	{ name: 'arrays', title: '100,000 nested arrays', write: writeNestedArrays },
	{ name: 'nest', title: 'nest 100,000 deep', write: writeDeepArray },
	{ name: 'levels', title: 'a million levels, one leaf', write: writeMillionLevels },
];
