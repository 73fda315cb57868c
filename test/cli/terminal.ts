/** Runs the built executable with a terminal where a user would have one. Python makes the terminal; Node cannot. */

import { spawnSync } from 'node:child_process';
import { environmentOf, executable, type RunOptions } from './run.js';

/**
 * Runs with the descriptors named in `TERMINAL` (0 and 2, say) on a terminal, and the input, where 0 is none, sent in
 * pieces until the terminal shows `AWAIT`. Prints what came of it as JSON.
 */
const PROGRAM = `
import json, os, pty, select, subprocess, sys, time

request = json.load(sys.stdin)
terminals = request['terminals']
master, slave = pty.openpty()
child = subprocess.Popen(
    request['command'],
    stdin=slave if 0 in terminals else subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=slave if 2 in terminals else subprocess.PIPE,
)
os.close(slave)

shown = b''
def look(seconds):
    global shown
    while select.select([master], [], [], seconds)[0]:
        try:
            piece = os.read(master, 65536)
        except OSError:
            return
        if not piece:
            return
        shown += piece

if child.stdin:
    child.stdin.write(request['start'].encode())
    child.stdin.flush()
    end = time.monotonic() + 45
    while request['awaited'] and request['awaited'].encode() not in shown and time.monotonic() < end:
        child.stdin.write(b' ')
        child.stdin.flush()
        look(0.1)
    child.stdin.write(request['rest'].encode())
    child.stdin.close()
    child.stdin = None

stdout, stderr = child.communicate()
look(0)
print(json.dumps({
    'exitCode': child.returncode,
    'stdout': stdout.decode(),
    'stderr': '' if stderr is None else stderr.decode(),
    'shown': shown.decode(),
}))
`;

export interface TerminalRun {
	/** Which of the descriptors 0 and 2 are the terminal. */
	readonly terminals: readonly number[];
	/** Sent at once where standard input is a pipe. */
	readonly start?: string;
	/** Blanks are sent until the terminal shows this. */
	readonly awaited?: string;
	/** Sent last. */
	readonly rest?: string;
}

export interface TerminalResult {
	readonly exitCode: number;
	readonly stdout: string;
	/** Where standard error is not the terminal. */
	readonly stderr: string;
	/** What came to the terminal. */
	readonly shown: string;
}

export function runOnTerminal(
	words: readonly string[],
	{ terminals, start = '', awaited = '', rest = '' }: TerminalRun,
	options: RunOptions = {},
): TerminalResult {
	const command = [process.execPath, executable, ...words];
	const { stdout, stderr, status } = spawnSync('python3', ['-c', PROGRAM], {
		input: JSON.stringify({ command, terminals, start, awaited, rest }),
		env: environmentOf(options),
		encoding: 'utf8',
	});
	if (status !== 0) {
		throw new Error(stderr);
	}

	return JSON.parse(stdout) as TerminalResult;
}
