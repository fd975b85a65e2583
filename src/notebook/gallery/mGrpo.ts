import {
  chart,
  claim,
  comparison,
  experiment,
  microscope,
  prose,
  quantity,
  rollouts,
  text,
} from './cellParts';
import { planExecute } from './experiments';
import type { GalleryNotebook } from './gallery';

const intro = prose`A **planner** reads a task, hands out sub-calls, and answers from the reports of **executors**, who work in parallel over a few tool turns. M-GRPO ([Hong et al. 2025](https://arxiv.org/abs/2511.13288)) gives both their own policy, optimizer and reward, compares rollouts on both levels, and brings the varying number of sub-calls to one size by duplicating or dropping random ones.

Beside it run the paper's two baselines: \`frozenExecutor\` trains the planner only, \`singleAgent\` lets the planner take the tool turns itself. Evaluation success at the end, median over {{plan.mgrpo.seeds}} seeds: {{plan.mgrpo.team.evalSuccess.last}} (\`mgrpo\`), {{plan.frozenExecutor.team.evalSuccess.last}} (\`frozenExecutor\`), {{plan.singleAgent.team.evalSuccess.last}} (\`singleAgent\`).`;

const seen = prose`## What the paper says, and what these runs say

The abstract reports that M-GRPO is consistently above both baselines on GAIA, XBench-DeepSearch and WebWalkerQA. The claims ask for the same order in at least four of five seeds.

- Against the frozen executor the comparison is fair here: the same planner, the same world, one policy less that learns.
- Against the single agent it is harder on M-GRPO than in the paper. Our world is small enough for one policy to hold both roles, and the cost of a long context, which sub-agents save a language model, does not exist in it. If that claim fails, it says so about this world.

## What is ours

The judge of the paper, a language model, is a scripted oracle. The reward weights are the paper's. Its public code queues sub-trajectories differently from its abstract; this is the abstract's version. An episode without sub-calls has nothing to align and is left out of the executor's batch.`;

const evaluation = (arm: string) => quantity(arm, 'team', 'evalSuccess', 'last');

export const mGrpoNotebook: GalleryNotebook = {
  id: 'm-grpo',
  summary:
    'A planner with parallel executors, each with a policy and reward of its own, against a frozen executor and against a single agent.',
  notebook: {
    version: 1,
    title: 'M-GRPO: a planner with sub-agents',
    cells: [
      text('intro', intro),
      experiment('plan', planExecute),
      chart(['evaluation', 'plan'], ['evalSuccess'], { height: 160 }),
      chart(['success', 'plan'], ['success'], { height: 160 }),
      chart(['norms', 'plan'], ['gradNorm'], { yScale: 'log' }),
      chart(['turns', 'plan'], ['numTurns']),
      comparison(['scores', 'plan'], {
        metric: 'evalSuccess',
        baseline: 'mgrpo',
        statistics: ['last', 'best', 'iqm', 'probabilityOfImprovement', 'seeds'],
      }),
      text('seen', seen),
      claim(['aboveFrozen', 'plan'], evaluation('mgrpo'), 'greater', {
        right: evaluation('frozenExecutor'),
        inAtLeast: 4,
      }),
      claim(['aboveSingle', 'plan'], evaluation('mgrpo'), 'greater', {
        right: evaluation('singleAgent'),
        inAtLeast: 4,
      }),
      comparison(['arms', 'plan']),
      microscope(['group', 'plan'], 'mgrpo'),
      rollouts(['episodes', 'plan'], { arm: 'mgrpo', agent: 'executor' }),
    ],
    deletedExperiments: [],
  },
};
