import { defineConfig } from 'vitest/config';

/** Miniatures of papers that train for minutes: `npm run miniatures`. */
export default defineConfig({
  test: {
    include: ['src/**/*.slow.test.ts'],
    environment: 'node',
    // As in vite.config.ts.
    server: { deps: { inline: [/@tensorflow/] } },
    alias: [
      { find: /^(@tensorflow\/tfjs-(?:core|backend-cpu))$/, replacement: '$1/dist/index.js' },
    ],
  },
});
