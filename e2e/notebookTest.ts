import { test as base } from '@playwright/test';
import { distFolder } from './commands/project.mjs';
import { serveFolder } from './commands/server.mjs';
import { NotebookPage } from './notebookPage';

type Site = Awaited<ReturnType<typeof serveFolder>>;

/** Playwright's `test` with the built page served under a sub-path, as a static host may do, and a notebook to open there. */
export const test = base.extend<{ notebook: NotebookPage }, { site: Site }>({
  site: [
    async ({ browserName }, use) => {
      if (browserName !== 'chromium')
        throw new Error(`The tests need Chromium with WebGPU, this is ${browserName}.`);
      const site = await serveFolder({ folder: distFolder, basePath: '/lab/marlbook/' });
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  notebook: async ({ page, site }, use) => {
    await use(new NotebookPage(page, site.url));
  },
});
