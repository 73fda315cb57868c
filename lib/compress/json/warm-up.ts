/**
 * Runs the scan once over everything it may meet. The engine compiles a loop for the branches it has seen taken;
 * one taken for the first time in the midst of a large input throws the compiled code away, and such an input
 * meets its first escape, its first exponent and its first lexeme that straddles two chunks one after another.
 */

import { memorySource } from '../../source/memory.js';
import { DocumentScan } from './scan.js';

const RECORDS = Array.from(
	{ length: 40 },
	(_, index) =>
		`{"id":${index},"name":"é中😀 \\u00e9\\ud83d\\ude00\\n","ratio":-0.5${index},"exact":1${index}.25,"tiny":1.5E-3,"status":"${index === 20 ? 'failed' : 'ok'}","error":null,"\\u0064ebug":true,"debug":{"a":[1,{}]},"tags":["a","",[],0],"on":false,"note":"${'x'.repeat(index * 4)}0"${index % 9 === 0 ? ',"odd":[ ]' : ''}}`,
);
const REPEATED = '{"a":null,"a":1,"b":{"c":[[],{}]}}';
const LEXEMES = ['1', '-20', '0', '2.5', '6e7', 'true', 'false', 'null', '"s"', '"\\t"', '"中"', '[]', '{}'];

/** Every kind of value, with every neighbour it may have. */
const NEIGHBOURS = LEXEMES.map(
	(lexeme) =>
		`[${lexeme},${lexeme} , ${lexeme}],[ ${lexeme} ],{"k":${lexeme}},{ "k" : ${lexeme}\n},{"k":${lexeme},"l":${lexeme} ,"m":[${lexeme}]}`,
);
const documentOf = (records: readonly string[]): Buffer =>
	Buffer.from(
		`{"records" : [\n${records.join(' ,\r\n\t')} ],"other":[${[REPEATED, ...NEIGHBOURS].join()}]}\n`,
	);

/** Costs about as much as reading a quarter of a megabyte: worth it for inputs of some megabytes. */
export function warmUp(): void {
	scan(documentOf(RECORDS), Infinity);
	const short = documentOf(RECORDS.slice(0, 10));
	scan(short, 1);
	scan(short, 7);
}

function scan(document: Buffer, step: number): void {
	const scan = new DocumentScan({
		source: memorySource(document),
		ours: { recovery: { kind: 'shell' }, isLossy: false },
	});
	for (let offset = 0; offset < document.length; offset += step) {
		scan.write(document.subarray(offset, offset + step));
	}

	scan.end();
}
