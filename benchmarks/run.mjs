/** `npm run bench`: prints every figure that we claim, and fails where a claim does not hold. */

import { parseArgs } from 'node:util';
import { inputsDirectory, isMemory, prepareRuns, runsDirectory } from './places.mjs';
import { Checks } from './report.mjs';
import { shapes } from './shapes/index.mjs';

/** Each is a file in `sections`, in the order in which they run. */
const sections = ['memory', 'speed', 'start', 'transform', 'hot-paths'];

const help = `Usage: npm run bench -- [options]

Measures the built executable and library, and checks what is claimed of them.

  --only NAME   A section or a shape; may be repeated
  --quick       Inputs of 16 MiB only: no growth
  --huge        Only 5 GiB of records through a pipe; needs 16 GiB on disk for the time
  --help        This text

Sections: ${sections.join(', ')}
Shapes:   ${shapes.map(({ name }) => name).join(', ')}

Inputs are made when they are missing, and kept: ${inputsDirectory}
`;

const options = {
	only: { type: 'string', multiple: true, default: [] },
	quick: { type: 'boolean', default: false },
	huge: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

function readOptions() {
	try {
		const { values } = parseArgs({ options });
		const names = [...sections, ...shapes.map(({ name }) => name)];
		const unknown = values.only.find((name) => !names.includes(name));
		if (unknown !== undefined) {
			throw new Error(`nothing is called '${unknown}'`);
		}

		return values;
	} catch (error) {
		console.error(`${error.message}\n\n${help}`);
		process.exit(2);
	}
}

async function run({ only, quick: isQuick, huge: isHuge }) {
	const checks = new Checks();
	if (isHuge) {
		await runSection(checks, 'huge', {});
		return checks.conclude();
	}

	const isWanted = (section) => only.length === 0 || only.includes(section);
	const chosen = shapes.filter(({ name }) => only.includes(name));
	if (isWanted('memory') || chosen.length > 0) {
		await runSection(checks, 'memory', { shapes: chosen.length > 0 ? chosen : shapes, isQuick });
	}

	for (const section of sections.slice(1).filter(isWanted)) {
		await runSection(checks, section, { isQuick });
	}

	return checks.conclude();
}

/** One that breaks down must not take the figures of the others with it. */
async function runSection(checks, name, settings) {
	try {
		const { default: measure } = await import(`./sections/${name}.mjs`);
		await measure(checks, settings);
	} catch (error) {
		checks.that(`${name}: could be measured`, false, error.stack);
	}
}

const values = readOptions();
if (values.help) {
	console.log(help);
} else {
	prepareRuns();
	console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
	if (isMemory(runsDirectory)) {
		console.log(`${runsDirectory} is on a tmpfs: what is stored counts as memory, and no figure is a claim.`);
	}

	process.exitCode = await run(values);
}
