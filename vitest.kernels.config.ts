import { defineConfig } from 'vitest/config';

/** Kernels on a device of Dawn for Node: `npm run kernels`. */
export default defineConfig({
  test: {
    include: ['src/**/*.gpu.test.ts'],
    testTimeout: 60_000,
    environment: 'node',
    // One process a file: a device each, and Dawn's threads end with it.
    pool: 'forks',
    // As in vite.config.ts.
    server: { deps: { inline: [/@tensorflow/] } },
    alias: [
      { find: /^(@tensorflow\/tfjs-(?:core|backend-cpu))$/, replacement: '$1/dist/index.js' },
    ],
  },
});
