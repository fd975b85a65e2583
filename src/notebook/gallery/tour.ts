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
import { smallTeam } from './experiments';
import type { GalleryNotebook } from './gallery';

const intro = prose`A notebook is a list of cells. This one is a **text** cell: Markdown, formulas such as $A=(R-\mu)/\sigma$, and numbers that are read from runs. \`{{team.global.team.success.last}}\` stands for the success of the arm \`global\` at the end, median over seeds: {{team.global.team.success.last}}. Nobody types a result, so no sentence can fall behind its runs.

The next cell is an **experiment**: a router answers a question through an answer agent at once or lets a search agent look first, and two arms train side by side on the same tasks, first weights and random numbers. What you see was recorded; *Run* makes it again on your machine. Change one setting, and everything that shows the old run is marked as stale, with the difference that made it so.`;

const shown = prose`**Charts** show metrics over iterations: the line is the median over seeds, the band reaches from the lowest seed to the highest. Colour is the agent, dash is the arm. Point at an agent in one cell and it lights up in all of them.

The **comparison** above is a table of the arms: last and best value, largest gradient norm, spikes. The one below takes one metric and says how likely a seed of one arm is to beat a seed of the other. {{team.global.seeds}} seeds are few; the interval says so.`;

const judged = prose`A **claim** is a statement with a verdict. It is judged seed by seed: *reproduced*, *not reproduced*, *not run* or *stale*. The first claim says that the team learns; the second, that agent-wise normalization ends higher, as its paper ([Feng et al. 2026](https://arxiv.org/abs/2602.08847)) reports of language models. Claims are written before the run, and whatever comes out is shown.`;

const inside = prose`The **microscope** takes one group of rollouts apart: the rewards, the statistics of the team and of each agent, and the advantage that every normalizer would give to each step. It needs the steps of a run made on this page; press *Run*.

**Rollouts** are the episodes themselves, turn by turn, with what each agent read, wrote, and how it was credited. A few were recorded with the run.`;

const next = prose`Next: *Dr. MAS against GRPO* asks what agent-wise normalization is for. *The null control* asks whether the measurement can be trusted.`;

const success = (arm: string, statistic: 'last') => quantity(arm, 'team', 'success', statistic);

export const tourNotebook: GalleryNotebook = {
  id: 'tour',
  summary: 'What each kind of cell is, on a team small enough to run again in a minute or two.',
  notebook: {
    version: 1,
    title: 'A first tour',
    cells: [
      text('intro', intro),
      experiment('team', smallTeam),
      chart(['norms', 'team'], ['gradNorm'], { width: 'full' }),
      chart(['success', 'team'], ['success'], { width: 'third' }),
      chart(['entropy', 'team'], ['entropy'], { width: 'twoThirds' }),
      comparison(['arms', 'team']),
      text('shown', shown),
      comparison(['scores', 'team'], {
        metric: 'success',
        statistics: ['last', 'best', 'iqm', 'probabilityOfImprovement', 'seeds'],
      }),
      text('judged', judged),
      claim(['learns', 'team'], success('global', 'last'), 'atLeast', {
        right: 0.5,
        inAtLeast: 5,
      }),
      claim(['higher', 'team'], success('agentWise', 'last'), 'greater', {
        right: success('global', 'last'),
        inAtLeast: 4,
      }),
      text('inside', inside),
      microscope(['group', 'team'], 'global'),
      rollouts(['episodes', 'team']),
      text('next', next),
    ],
    deletedExperiments: [],
  },
};
