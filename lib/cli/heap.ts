/** The JavaScript heap of a process that reads a large input. */

import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the young generation as small as it has become so far. It doubles, up to 16 MiB and the room to copy them,
 * with whatever chances to outlive a collection: over some hundred MiB of input that takes 12 MiB more, for nothing.
 */
export function keepHeapSmall(): void {
	setFlagsFromString('--semi-space-growth-factor=1');
}
