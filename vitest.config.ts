/** How the tests run: two at a time, with time to spare for those that start processes. */

import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		exclude: [...configDefaults.exclude, 'dist/**'],
		testTimeout: 60_000,
		hookTimeout: 60_000,
		maxWorkers: 2,
	},
});
