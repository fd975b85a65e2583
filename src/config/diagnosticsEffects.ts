import type { diagnosticsFields } from './diagnosticsFields';
import { byOption, numberOf, whether, type Effect } from './effectGiven';
import { counted, effectNumber } from './effectNumber';

/** What the settings of the diagnostics mean in numbers. */

const off: Effect = () => 'Not measured.';

/** Iterations that are measured, with what stands for them. */
const when: Effect = ({ spec }) => {
  const { every } = spec.diagnostics;
  const numMeasured = Math.floor(spec.iterations / every);
  return `${counted(numMeasured, 'iteration')} of ${effectNumber(spec.iterations)}`;
};

/** Only whole episodes have turns that read one another. */
function blamed(effect: Effect): Effect {
  return (given) => {
    const { sampling } = given.spec.groups;
    if (sampling !== 'parallel')
      return 'Nothing is measured: the turns of a branch do not read one another.';
    return `The failed ones among at most 24 kept episodes. ${effect(given)}`;
  };
}

export const diagnosticsEffects = {
  'diagnostics.counterfactualNorms': whether(
    (given) =>
      `Five passes over the batch in ${when(given)}: four normalizations, and the one in use.`,
    off,
  ),
  'diagnostics.gradientConflict': whether(
    (given) => `Eight random splits of every agent’s turns, and of its spans, in ${when(given)}.`,
    off,
  ),
  'diagnostics.gradientConcentration': whether(
    (given) => `One pass over the batch in ${when(given)}.`,
    off,
  ),
  'diagnostics.blame': byOption<'off' | 'gradNorm' | 'occlusion'>({
    off,
    gradNorm: blamed((given) => `One pass over their turns in ${when(given)}.`),
    occlusion: blamed(
      (given) => `Up to five scores of each of their messages and tasks in ${when(given)}.`,
    ),
  }),
  'diagnostics.every': (given) =>
    numberOf(given) > given.spec.iterations
      ? `No iteration is measured: the run has ${effectNumber(given.spec.iterations)}.`
      : `Measured in ${when(given)}, the first of them ${effectNumber(numberOf(given))}.`,
} satisfies Record<keyof typeof diagnosticsFields, Effect>;
