/** Recovery instructions, markers and bare hashes: how a reader is told of a stashed payload, and how it asks. */

/** The way by which whoever reads the output can ask for what was left out. */
export type Recovery =
	| { readonly kind: 'none' }
	| { readonly kind: 'shell' }
	| { readonly kind: 'tool'; readonly name: string };

const TOOL_NAME = /^[\w-]{1,64}$/;
const BARE_KEY = /^[\da-f]{24}$/i;

// Letters of every script count, so that an instruction glued to a Chinese word is as incomplete as one glued
// to an English one.
const BEFORE = String.raw`(?<![\p{Alphabetic}\p{N}_-])`;
const AFTER = String.raw`(?![\p{Alphabetic}\p{N}_-])`;
const KEY = '[0-9a-fA-F]{24}';
const SHELL = `If needed, run in shell: tokenless retrieve (?<shell>${KEY})${AFTER}`;
const TOOL = `If needed, call tool (?<tool>[A-Za-z0-9_-]{1,64}) with hash_or_marker=(?<called>${KEY})${AFTER}`;
const MARKER = `<<tokenless:(?<marked>${KEY})>>`;
const REFERENCE = new RegExp(`${BEFORE}(?:${SHELL}|${TOOL})|${MARKER}`, 'gu');

/** Whether an agent may call its retrieval tool so. */
export function isToolName(name: string): boolean {
	return TOOL_NAME.test(name);
}

/** The sentence that tells a reader how to get the payload; empty where there is no way. */
export function instructionFor(recovery: Recovery, key: string): string {
	switch (recovery.kind) {
		case 'none': {
			return '';
		}

		case 'shell': {
			return `If needed, run in shell: tokenless retrieve ${key}`;
		}

		case 'tool': {
			return `If needed, call tool ${recovery.name} with hash_or_marker=${key}`;
		}
	}
}

/**
 * The distinct keys that a text refers to, lower case, in order of appearance: complete instructions and markers.
 *
 * @param toolName the retrieval tool that is declared now; without it, an instruction for any tool counts.
 */
export function referencesIn(text: string, toolName?: string): string[] {
	const keys = new Set<string>();
	for (const { groups = {} } of text.matchAll(REFERENCE)) {
		const { shell, tool, called, marked } = groups;
		if (tool !== undefined && toolName !== undefined && tool !== toolName) {
			continue;
		}

		keys.add((shell ?? called ?? marked).toLowerCase());
	}

	return [...keys];
}

/**
 * The one key that a reader's request names, lower case: a bare hash, a marker, or a text that holds one marker or
 * complete instruction.
 *
 * @returns nothing where the text names no key, or several.
 */
export function parseReference(text: string): string | undefined {
	const bare = text.trim();
	if (BARE_KEY.test(bare)) {
		return bare.toLowerCase();
	}

	const keys = referencesIn(text);
	return keys.length === 1 ? keys[0] : undefined;
}
