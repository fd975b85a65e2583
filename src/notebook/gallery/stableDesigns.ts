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
import { designs } from './experiments';
import type { GalleryNotebook } from './gallery';

const intro = prose`ARLArena ([arXiv 2602.21534](https://arxiv.org/abs/2602.21534)) takes the policy gradient apart into loss aggregation, clipping, filtering and advantage, and finds that clips which tolerate large ratios collapse in agentic training, while SAMPO stays stable: whole-turn clipping (GSPO), advantages per state (GiGPO), groups without signal dropped, a small KL penalty.

The setting is hostile on purpose: four passes over every batch at three times the usual learning rate, so that most gradients are taken on stale data. Seeds of {{designs.grpo.seeds}} in which an agent collapsed: {{designs.cispo.collapsed}} (\`cispo\`), {{designs.sapo.collapsed}} (\`sapo\`), {{designs.grpo.collapsed}} (\`grpo\`), {{designs.sampo.collapsed}} (\`sampo\`). Evaluation success at the end: {{designs.cispo.team.evalSuccess.last}}, {{designs.sapo.team.evalSuccess.last}}, {{designs.grpo.team.evalSuccess.last}}, {{designs.sampo.team.evalSuccess.last}}.`;

const seen = prose`## What counts as a collapse

Three signs are watched for every agent, each over three iterations in a row: valid actions below half of their own peak, the KL of an update above one nat, a norm far above that of the first iterations. The limits of the last two are ours. The first is the one that matters most for a language model, which forgets its format; the action of an agent here is a token or two and hard to forget. The claims on valid actions ask for a share below one half at the end.

## What the paper says, and what these runs say

- *Tolerant clips collapse in at least four of five seeds, by valid actions.* Claimed for the router and for the search agent under \`cispo\`.
- *SAMPO ends higher in at least four of five seeds*, against each of the other designs.
- That token-clipped \`grpo\` collapses here as well was not among the predictions: see the numbers at the top.

Four parts differ between \`sampo\` and \`grpo\`, so these runs cannot say which of them carries the effect. Change one setting of an arm and run again to ask. The environment and the policies are miniatures; success rates of language models are out of reach.`;

const evaluation = (arm: string) => quantity(arm, 'team', 'evalSuccess', 'last');
const valid = (arm: string, agent: string) => quantity(arm, agent, 'validActionRate', 'last');
const inFour = 4;

export const stableDesignsNotebook: GalleryNotebook = {
  id: 'stable-designs',
  summary:
    'CISPO, SAPO, GRPO and SAMPO on stale data at a high learning rate: which of them collapses, and by which sign.',
  notebook: {
    version: 1,
    title: 'Which policy-gradient design is stable',
    cells: [
      text('intro', intro),
      experiment('designs', designs),
      chart(['kl', 'designs'], ['approxKl'], { yScale: 'log', width: 'full', height: 150 }),
      chart(['evaluation', 'designs'], ['evalSuccess'], { width: 'third' }),
      chart(['valid', 'designs'], ['validActionRate'], { width: 'twoThirds' }),
      comparison(['arms', 'designs']),
      text('seen', seen),
      chart(['norms', 'designs'], ['gradNorm'], { yScale: 'log', width: 'full' }),
      claim(['cispoRouter', 'designs'], valid('cispo', 'router'), 'less', {
        right: 0.5,
        inAtLeast: inFour,
      }),
      claim(['cispoSearch', 'designs'], valid('cispo', 'search'), 'less', {
        right: 0.5,
        inAtLeast: inFour,
      }),
      ...(['cispo', 'sapo', 'grpo'] as const).map((arm) =>
        claim([`above${arm}`, 'designs'], evaluation('sampo'), 'greater', {
          right: evaluation(arm),
          inAtLeast: inFour,
        }),
      ),
      comparison(['scores', 'designs'], {
        metric: 'evalSuccess',
        baseline: 'sampo',
        statistics: ['last', 'best', 'iqm', 'probabilityOfImprovement', 'seeds'],
      }),
      microscope(['group', 'designs'], 'sampo'),
      rollouts(['episodes', 'designs'], { outcome: 'failed' }),
    ],
    deletedExperiments: [],
  },
};
