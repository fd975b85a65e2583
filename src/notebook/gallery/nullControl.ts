import { chart, claim, comparison, experiment, prose, quantity, rollouts, text } from './cellParts';
import { actOnce } from './experiments';
import type { GalleryNotebook } from './gallery';

const intro = prose`Before an effect is believed, the measurement must be silent where there is none. Here a solver and a verifier each act **exactly once** per episode and share one reward. Then the episodes in which an agent acted are all episodes: $\mu_k=\mu$, $\sigma_k=\sigma$, and agent-wise normalization (Dr. MAS, [Feng et al. 2026](https://arxiv.org/abs/2602.08847)) is the same formula as global normalization. Any gap between \`global\` and \`agentWise\` would be a fault of the software.

Largest advantage of the solver in {{once.global.seeds}} seeds: {{once.global.solver.advAbsMax.peak}} under \`global\`, {{once.agentWise.solver.advAbsMax.peak}} under \`agentWise\`. The charts subtract \`global\` at the same seed: \`agentWise\` has to lie on zero.`;

const steps = prose`## The third arm is not at zero, and should not be

\`globalStep\` counts every *step*, so each reward enters twice, once per agent. Mean and population variance stay; the sample variance divides by $2n-1$ in place of $2(n-1)$ and comes out a little smaller, so advantages grow by the constant factor $\sqrt{(2n-1)/(2n-2)}$. Largest advantage of the solver: {{once.globalStep.solver.advAbsMax.peak}}.

## How the claims say "equal"

The statement we want is $\max|A_{\text{global}}-A_{\text{agent}}|=0$. A claim compares two numbers of the runs, so equality is claimed as *at most* and *at least* together, in all seeds: of the last gradient norm, which depends on every advantage before it, and of the largest advantage. A change of a single bit in an early advantage would move the last norm.

This backend computes on the processor in a fixed order: the same link gives the same numbers to the last bit in the same browser, so "equal" here means equal bits.`;

const norm = (arm: string, agent: string) => quantity(arm, agent, 'gradNorm', 'last');
const largest = (arm: string, agent: string) => quantity(arm, agent, 'advAbsMax', 'peak');

const equalities = (['solver', 'verifier'] as const).flatMap((agent) =>
  (['atMost', 'atLeast'] as const).flatMap((relation) => [
    claim([`norm${relation}${agent}`, 'once'], norm('agentWise', agent), relation, {
      right: norm('global', agent),
      inAtLeast: 5,
    }),
    claim([`advantage${relation}${agent}`, 'once'], largest('agentWise', agent), relation, {
      right: largest('global', agent),
      inAtLeast: 5,
    }),
  ]),
);

export const nullControlNotebook: GalleryNotebook = {
  id: 'null-control',
  summary:
    'Where every agent acts once on a shared reward, global and agent-wise normalization are the same formula: the curves must coincide to the last bit.',
  notebook: {
    version: 1,
    title: 'The null control',
    cells: [
      text('intro', intro),
      experiment('once', actOnce),
      chart(['normDifference', 'once'], ['gradNorm'], { pairedBaseline: 'global', width: 'full' }),
      chart(['advantageDifference', 'once'], ['advAbsMax'], { pairedBaseline: 'global' }),
      chart(['success', 'once'], ['success']),
      comparison(['arms', 'once']),
      text('steps', steps),
      ...equalities,
      rollouts(['episodes', 'once']),
    ],
    deletedExperiments: [],
  },
};
