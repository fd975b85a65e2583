import { ensureBuild } from './commands/project.mjs';

/** Playwright's global set-up: the tests run against the built page, never against an old one. */
export default ensureBuild;
