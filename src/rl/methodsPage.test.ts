import { expect, test } from 'vitest';
import { estimatorPresets } from './estimatorPresets';
import { lossPresets } from './lossPresets';
import { corrections, criticEstimators, otherEstimators } from './methodTexts';

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

Every estimator and policy loss with a name of its own in Marlbook: formula, source, our default, and where others differ. Written
from the tables in \`src/rl\`; a test fails when the two differ. r is the score of a sample, A its advantage, ρ = π/π_old the ratio of a
token; mean and std are of the sample's group. A score that is NaN or infinite takes no part in any statistic and gets A = 0.

## Estimators over groups

One function, \`groupAdvantages\`: scope × unit × baseline × divisor. Defaults of the presets in the form: n − 1, ε = 1e-6, a group of one and a group whose std is below 1e-6 get A = 0.

${sections(Object.values(estimatorPresets))}
## Estimators with statistics of their own

${sections(otherEstimators)}
## Critics

${sections(criticEstimators)}
## Losses

To be minimised. Default of the presets in the form: clip 0.2/0.2 with dual clip 3, mean over tokens, as in Dr. MAS. The constant
length is 512 tokens here.

${sections(Object.values(lossPresets(512)))}
## Beside the loss

${sections(corrections)}`;

test('the page in public is the one that the tables give', async () => {
  await expect(page).toMatchFileSnapshot('../../public/methods.md');
});

test.each([
  ['estimator', Object.values(estimatorPresets)],
  ['loss', Object.values(lossPresets(512))],
  ['other method', [...otherEstimators, ...criticEstimators, ...corrections]],
])(
  'every %s has a formula, a source and a note, and no two share a label',
  (_kind, entries: readonly Entry[]) => {
    for (const { label, formula, source, note } of entries)
      for (const text of [label, formula, source, note]) expect(text).not.toBe('');
    expect(new Set(entries.map(({ label }) => label)).size).toBe(entries.length);
  },
);
