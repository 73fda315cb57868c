/** Arrays of records, as an API or a log store returns them, and the same as JSON Lines. */

const SERVICES = ['checkout', 'inventory', 'payments', 'search', 'shipping', 'accounts', 'gateway'];
const REGIONS = ['eu-west-1', 'us-east-1', 'ap-south-1'];
const CAUSES = ['card issuer unreachable', 'stock lock lost', 'upstream closed the connection'];
const NAMES = ['Ada', 'Grace', 'Alan', 'Zoë', 'José', '小林', 'Mei', 'Björn'];
const START = Date.UTC(2026, 0, 5);

// Prime distances, so that the rare ones do not coincide with each other or with any sample.
const isError = (index) => index % 20_011 === 777;
const isOutlier = (index) => index % 30_011 === 1234;

function recordAt(index, random) {
	const record = {
		id: index,
		at: new Date(START + index * 137).toISOString(),
		service: random.pick(SERVICES),
		region: random.pick(REGIONS),
		status: 'ok',
		latency_ms: isOutlier(index) ? 45_000 + random.below(9000) : 20 + random.below(60),
		bytes: 512 + random.below(4096),
		customer: { name: random.pick(NAMES), tier: 1 + random.below(3) },
		total: (random.below(1_000_000) + 1) / 100,
		message: `order ${random.below(1_000_000)} accepted, ${1 + random.below(9)} items reserved`,
		tags: ['v2', random.pick(REGIONS)],
	};
	if (isError(index)) {
		record.status = 'failed';
		record.message = random.pick(CAUSES);
	}

	return record;
}

/** What every shape of records tells of itself; `critical` are the ids that no reduction may lose. */
function factsOf(count, payload) {
	const critical = [];
	for (let index = 0; index < count; index++) {
		if (isError(index) || isOutlier(index) || index < 4 || index >= count - 4) {
			critical.push(index);
		}
	}

	return { items: count, notice: 'records', critical, payloads: [payload] };
}

export function writeRecords(output, { size, random }) {
	const { count } = writeArrayOf(output, size, (index) => JSON.stringify(recordAt(index, random)));
	return factsOf(count, { from: 0, to: output.position });
}

export function writePrettyRecords(output, { size, random }) {
	// The payload is the array without its white space, which stands nowhere in the file.
	const { count } = writeArrayOf(output, size, (index) => {
		const record = recordAt(index, random);
		return {
			text: `\n  ${JSON.stringify(record, null, 2).replaceAll('\n', '\n  ')}`,
			compact: JSON.stringify(record),
		};
	});
	output.write('\n');
	return factsOf(count, { sha256: output.digest() });
}

export function writeRecordLines(output, { size, random }) {
	let count = 0;
	for (; ; count++) {
		const line = `${JSON.stringify(recordAt(count, random))}\n`;
		if (output.position + Buffer.byteLength(line) > size) {
			break;
		}

		output.write(line);
	}

	return factsOf(count, { from: 0, to: output.position - 1 });
}

/** Forty shapes that are common, and one record in 9,973 with a field of its own. */
export function writeMixedRecords(output, { size, random }) {
	const { count } = writeArrayOf(output, size, (index) => {
		const record = recordAt(index, random);
		const kind = random.below(40);
		for (let bit = 0; bit < 6; bit++) {
			if ((kind >> bit) & 1) {
				record[`detail_${bit}`] =
					bit < 3 ? random.below(1000) : [random.next(), { note: 'checked', by: index }];
			}
		}

		if (index % 9973 === 5000) {
			record[`migration_${index % 7}`] = 'pending';
		}

		return JSON.stringify(record);
	});
	return factsOf(count, { from: 0, to: output.position });
}

function writeArrayOf(output, size, itemAt) {
	let count = 0;
	output.write('[');
	output.hash('[');
	for (; ; count++) {
		const item = itemAt(count);
		const text = (count === 0 ? '' : ',') + (item.text ?? item);
		if (output.position + Buffer.byteLength(text) + 3 > size) {
			break;
		}

		output.write(text);
		if (item.compact !== undefined) {
			output.hash((count === 0 ? '' : ',') + item.compact);
		}
	}

	output.write(']');
	output.hash(']');
	return { count };
}
