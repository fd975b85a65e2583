/** `npm run fuzz`: every parser against what strangers make, twenty times as often as the unit tests do. For nightly runs. */
import { ensureDependencies, requireNode, runMain, runTool } from './project.mjs';

const casesEach = process.env['MARLBOOK_FUZZ_RUNS'] ?? '10000';

await runMain(async () => {
  requireNode();
  await ensureDependencies();
  // Some parsers take milliseconds a case, and a busy machine several times as long. Unit: ms.
  const args = ['run', 'src/interop', '--testTimeout', '1800000', ...process.argv.slice(2)];
  return runTool('vitest', 'vitest', args, { MARLBOOK_FUZZ_RUNS: casesEach });
});
