import { expect, test } from 'vitest';
import { estimatorPresets } from './estimatorPresets';
import { lossPresets } from './lossPresets';

/** The page that lists every estimator and loss is written from the tables that the code uses, so it cannot say something else. */

interface Entry {
  readonly label: string;
  readonly formula: string;
  readonly source: string;
  readonly note: string;
}

function sections(entries: readonly Entry[]): string {
  return entries
    .map(
      ({ label, formula, source, note }) =>
        `### ${label}\n\n    ${formula}\n\n${note}\n\nSource: ${source}.\n`,
    )
    .join('\n');
}

const page = `# Estimators and losses

Every group-relative estimator and policy loss with a name of its own in Marlbook: formula, source, and where others differ. Written
from the tables in \`src/rl\`; a test fails when the two differ. r is the score of a sample, A its advantage, ρ = π/π_old the ratio of a
token; mean and std are of the sample's group. A score that is NaN or infinite takes no part in any statistic and gets A = 0.

## Estimators

Defaults of the presets in the form: n − 1, ε = 1e-6, a group of one and a group whose std is below 1e-6 get A = 0.

${sections(Object.values(estimatorPresets))}
## In the library, not in the form yet

Each is a file of \`src/rl\` with its formula, source and vectors: GiGPO (\`gigpo.ts\`), role-wise moving baselines (RAE) and REINFORCE with
a moving baseline (\`movingBaseline.ts\`), statistics once per rollout (LightningRL, \`rolloutStatistics.ts\`), values averaged up a rollout
tree (MALT, \`maltValues.ts\`), weights by agent frequency (\`lossBalance.ts\`), weights by failure tags (SEAL, \`failureTags.ts\`), GAE, V-trace,
n-step returns and value decomposition (\`gae.ts\`, \`vtrace.ts\`, \`nStepReturns.ts\`, \`valueDecomposition.ts\`), truncated and masked importance
weights (\`samplerWeights.ts\`), KL in the reward (\`klPenalty.ts\`), distillation (\`distillation.ts\`).

## Losses

To be minimised. Default of the presets in the form: clip 0.2/0.2 with dual clip 3, mean over tokens, as in Dr. MAS. The constant
length is 512 tokens here.

${sections(Object.values(lossPresets(512)))}`;

test('the page in public is the one that the tables give', async () => {
  await expect(page).toMatchFileSnapshot('../../public/methods.md');
});

test.each([
  ['estimator', Object.values(estimatorPresets)],
  ['loss', Object.values(lossPresets(512))],
])(
  'every %s has a formula, a source and a note, and no two share a label',
  (_kind, entries: readonly Entry[]) => {
    for (const { label, formula, source, note } of entries)
      for (const text of [label, formula, source, note]) expect(text).not.toBe('');
    expect(new Set(entries.map(({ label }) => label)).size).toBe(entries.length);
  },
);
