import { lossPresets, type LossPresetName } from '../rl/lossPresets';
import type { Recipe } from './recipe';

type Overrides = Recipe['overrides'];

/** Words do not depend on the longest length. */
const texts = lossPresets(1);

function named(
  id: string,
  preset: LossPresetName,
  recipe: Pick<Recipe, 'family' | 'overrides'>,
): Recipe {
  const { label, formula, source, note } = texts[preset];
  return { id, label, formula, source, note, ...recipe };
}

export const ppoClip: Overrides = {
  'loss.kind': 'clip',
  'loss.clipLow': 0.2,
  'loss.clipHigh': 0.2,
  'loss.dualClip': null,
  'loss.aggregation': 'tokenMean',
};

export const dualClip: Overrides = { ...ppoClip, 'loss.dualClip': 3 };

export const clipHigher: Overrides = { ...ppoClip, 'loss.clipHigh': 0.28 };

export const constantLength: Overrides = { ...ppoClip, 'loss.aggregation': 'constantLength' };

export const gspo: Overrides = {
  'loss.kind': 'gspo',
  'loss.clipLow': 3e-4,
  'loss.clipHigh': 4e-4,
  'loss.aggregation': 'sequenceMean',
};

export const reinforce: Overrides = {
  'loss.kind': 'cispoBand',
  'loss.clipLow': 0,
  'loss.clipHigh': 0,
  'loss.aggregation': 'tokenMean',
};

const clipFamily = 'Token ratio, clipped';
const softFamily = 'Token ratio as a weight or gate';

/** Policy losses by name, in the order of the form. */
export const lossRecipes: readonly Recipe[] = [
  {
    id: 'ppoClip',
    label: 'PPO clip',
    family: clipFamily,
    formula: 'max(−Aρ, −A·clip(ρ, 0.8, 1.2)); mean over all tokens',
    source: 'Schulman et al. 2017 (arXiv 1707.06347) Eq. 7',
    note: 'Without the bound that the dual clip sets for A < 0.',
    overrides: ppoClip,
  },
  {
    ...named('dualClip', 'drMas', { family: clipFamily, overrides: dualClip }),
    label: 'Dual clip (verl, Dr. MAS)',
  },
  {
    ...named('grpoLoss', 'grpo', {
      family: clipFamily,
      overrides: { ...ppoClip, 'loss.aggregation': 'sequenceMean' },
    }),
    label: 'GRPO, mean of turns',
  },
  {
    ...named('clipHigher', 'dapo', { family: clipFamily, overrides: clipHigher }),
    label: 'Clip-higher (DAPO)',
  },
  {
    ...named('constantLength', 'drGrpo', { family: clipFamily, overrides: constantLength }),
    label: 'Constant length (Dr. GRPO)',
  },
  named('gspo', 'gspo', { family: 'Ratio of a turn', overrides: gspo }),
  named('gspoToken', 'gspoToken', {
    family: 'Ratio of a turn',
    overrides: { ...gspo, 'loss.kind': 'gspoToken' },
  }),
  named('cispoCap', 'cispoAbsolute', {
    family: softFamily,
    overrides: {
      'loss.kind': 'cispoAbsolute',
      'loss.weightCap': 5,
      'loss.aggregation': 'tokenMean',
    },
  }),
  named('cispoBand', 'cispoBand', {
    family: softFamily,
    overrides: { ...reinforce, 'loss.clipLow': 0.2, 'loss.clipHigh': 0.28 },
  }),
  named('sapo', 'sapo', {
    family: softFamily,
    overrides: {
      'loss.kind': 'sapo',
      'loss.tauPositive': 1,
      'loss.tauNegative': 1.05,
      'loss.aggregation': 'sequenceMean',
    },
  }),
  {
    ...named('reinforceLoss', 'reinforce', { family: softFamily, overrides: reinforce }),
    label: 'REINFORCE, no ratio',
  },
];
