/** Runs one command line and says with which exit code the process ends. */

import packageJson from '../../package.json' with { type: 'json' };
import { fdSink } from '../source/descriptor.js';
import { parseArguments, type Request, type RunRequest } from './arguments.js';
import { EXIT_BAD_INPUT, EXIT_DONE, report } from './errors.js';

const STDOUT = 1;
const STDERR = 2;

/** @param words the command line without the names of Node and of the script. */
export async function main(words: readonly string[]): Promise<number> {
	try {
		return await answer(parseArguments(words));
	} catch (error) {
		return report(error);
	}
}

async function answer(request: Request): Promise<number> {
	switch (request.kind) {
		case 'help': {
			const { helpText } = await import('./help.js');
			write(STDOUT, helpText(request.command));
			return EXIT_DONE;
		}

		case 'version': {
			write(STDOUT, `tokenless ${packageJson.version}\n`);
			return EXIT_DONE;
		}

		case 'nothing': {
			const { helpText } = await import('./help.js');
			write(STDERR, helpText(undefined));
			return EXIT_BAD_INPUT;
		}

		case 'run': {
			return run(request);
		}
	}
}

/** Each command is loaded only when it is the one: a hook pays for every module on every call. */
async function run(request: RunRequest): Promise<number> {
	switch (request.name) {
		case 'compress-response': {
			const { compressResponse } = await import('./compress-response.js');
			return compressResponse(request.invocation);
		}

		case 'retrieve': {
			const { retrieve } = await import('./retrieve.js');
			return retrieve(request.invocation);
		}
	}
}

function write(descriptor: number, text: string): void {
	fdSink(descriptor).write(Buffer.from(text));
}
