import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { contentPolicy } from './e2e/commands/contentPolicy.mjs';
import manifest from './package.json' with { type: 'json' };

/** Writes the policy into the built page. The development server puts scripts into the page that it would refuse. */
const pageWithPolicy: Plugin = {
  name: 'marlbook:content-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: contentPolicy },
      injectTo: 'head-prepend',
    },
  ],
};

export default defineConfig({
  // Relative addresses: the built page works from any static host and any sub-path.
  base: './',
  plugins: [react(), pageWithPolicy],
  define: { MARLBOOK_VERSION: JSON.stringify(manifest.version) },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The wasm binaries must stay files of their own: inlined, they would be loaded whether used or not.
    assetsInlineLimit: 0,
    // tfjs lives in one worker chunk of about 1.5 MB, which the page never waits for.
    chunkSizeWarningLimit: 2500,
  },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'workers/**/*.test.ts', 'e2e/**/*.test.ts'],
    // Kernels want a device: vitest.kernels.config.ts. Miniatures of papers take minutes: vitest.slow.config.ts.
    exclude: ['src/**/*.gpu.test.ts', 'src/**/*.slow.test.ts'],
    // Whole runs on the CPU backend; two busy cores can take a while.
    testTimeout: 60_000,
    environment: 'node',
    // One copy of tfjs, the browser's: its entries for Node are bundles that do not share modules with its gradient register.
    server: { deps: { inline: [/@tensorflow/] } },
    alias: [
      { find: /^(@tensorflow\/tfjs-(?:core|backend-cpu))$/, replacement: '$1/dist/index.js' },
    ],
  },
});
