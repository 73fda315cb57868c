/** What the user switched on, off or raised: `~/.tokenless/config.json` and the environment, which overrides it. */

import type { Environment } from './data-directory.js';
import { quote } from './quote.js';
import { readSettingsFile } from './settings-file.js';
import { parseSize } from './size.js';

export interface Settings {
	readonly statsEnabled: boolean;
	readonly slsEnabled: boolean;
	/** Off is a dry run: everything is computed, the original is printed. */
	readonly compressionEnabled: boolean;
	/** Bytes of live payloads that the stash may hold; `undefined` where the user left it to us. */
	readonly stashMaxBytes: number | undefined;
}

export interface SettingsResult {
	readonly settings: Settings;
	/** One line: what was wrong and therefore left at its default. */
	readonly warning: string | undefined;
}

/**
 * Reads the settings. Never throws: what cannot be understood stays at its default and is told in the warning.
 *
 * The file is the one in the real home even where `TOKENLESS_DATA_DIR` is set: that variable moves the databases only.
 *
 * @param home the real home (`realHome()`); without one, only the environment counts.
 */
export function readSettings(environment: Environment, home: string | undefined): SettingsResult {
	const file = home === undefined ? { values: {} } : readSettingsFile(home);
	const warnings: string[] = file.problem === undefined ? [] : [file.problem];

	const readSwitch = (key: string, variable: string): boolean => {
		const override = environment[variable];
		if (override !== undefined && override !== '') {
			return /^(?:1|true|yes)$/i.test(override);
		}

		const value = ownValue(file.values, key);
		if (value === undefined || typeof value === 'boolean') {
			return value ?? true;
		}

		warnings.push(`${key} in config.json is neither true nor false`);
		return true;
	};

	const readBytes = (key: string, variable: string): number | undefined => {
		const override = environment[variable];
		const overridden = override !== undefined && override !== '';
		const value = overridden ? override : ownValue(file.values, key);
		if (value === undefined) {
			return undefined;
		}

		const bytes = typeof value === 'string' ? parseSize(value) : value;
		// Zero would not mean "no limit" but "keep nothing", which is hardly what anybody wants.
		if (typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes > 0) {
			return bytes;
		}

		const shown = overridden ? `${variable} ${quote(override)}` : `${key} in config.json`;
		warnings.push(`${shown} is no size such as 4GiB, more than 0`);
		return undefined;
	};

	const settings: Settings = {
		statsEnabled: readSwitch('stats_enabled', 'TOKENLESS_STATS_ENABLED'),
		slsEnabled: readSwitch('sls_enabled', 'TOKENLESS_SLS_ENABLED'),
		compressionEnabled: readSwitch('compression_enabled', 'TOKENLESS_COMPRESSION_ENABLED'),
		stashMaxBytes: readBytes('stash_max_bytes', 'TOKENLESS_STASH_MAX_BYTES'),
	};

	return {
		settings,
		warning: warnings.length === 0 ? undefined : `${warnings.join('; ')}: using the default`,
	};
}

function ownValue(values: Readonly<Record<string, unknown>>, key: string): unknown {
	return Object.hasOwn(values, key) ? values[key] : undefined;
}
