import { defineConfig } from '@playwright/test';
import { chromiumFlags, installedChromium } from './e2e/commands/chromium.mjs';

// Without a browser on this machine Playwright names its own missing one and how to install it.
const executablePath = await installedChromium();

const needsTheMachine = /(hiddenTab|speed)\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/buildPage.ts',
  forbidOnly: true,
  fullyParallel: true,
  // Training in software rendering fills the cores by itself.
  workers: 2,
  retries: 0,
  // Limits for what hangs. Nothing here says how fast a run trains: on a busy machine each check waits longer.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  projects: [
    { name: 'page', testIgnore: needsTheMachine },
    // `npm test` runs these afterwards: beside a test that trains, a hidden tab gets next to nothing and a frame rate says nothing.
    { name: 'alone', testMatch: needsTheMachine, workers: 1 },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      args: chromiumFlags('swiftshader'),
      ...(executablePath !== null && { executablePath }),
    },
  },
});
