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
import { preparedTeam, weakTeam } from './experiments';
import type { GalleryNotebook } from './gallery';

const intro = prose`All agents of this team learn from one reward, paid at the end. GRPO compares an episode with all others of its task, $A=(R-\mu)/\sigma$; Dr. MAS ([Feng et al. 2026](https://arxiv.org/abs/2602.08847)) only with those in which the same agent acted, $A=(R-\mu_k)/\sigma_k$. The team starts from almost nothing, so that searching rarely pays. Search agent, median over {{weak.global.seeds}} seeds: largest gradient norm {{weak.global.search.gradNorm.peak}} under \`global\`, {{weak.agentWise.search.gradNorm.peak}} under \`agentWise\`; largest second moment of its advantages {{weak.global.search.advSecondMoment.peak}} and {{weak.agentWise.search.advSecondMoment.peak}}.`;

const seen = prose`## Why the norm grows

A **router** answers a question through an **answer** agent at once, or lets a **search** agent look first. The arms differ in how advantages are normalized and in nothing else; tasks, first weights and random numbers are the same.

Lemma 4.2 of the paper: under global statistics the squared gradient of agent $k$ is multiplied by

$$\frac{\sigma_k^2+(\mu_k-\mu)^2}{\sigma^2}.$$

An agent that acts mostly where the team wins has a mean $\mu_k$ far above the $\mu$ of its task. The chart of the second moment shows this prediction beside what was measured: {{weak.global.search.advSecondMomentPredicted.peak}} and {{weak.global.search.advSecondMoment.peak}} at their largest. The two differ by $n-1$ against $n$ in the variance, nothing else. Agent-wise statistics make it one or less by construction; see *Turns* for how rarely the agent was called.

\`globalStep\` is a control: it keeps the global statistics and only counts every step once. Its largest second moment is {{weak.globalStep.search.advSecondMoment.peak}}, so counting alone does not remove the inflation.

## What the paper says, and what these runs say

The paper reports that agent-wise normalization largely removes spikes of the gradient norm, and better scores in mathematics and search. Claims below were written before the runs and are judged seed by seed. A *spike* is a norm above three times the median of its last twenty-five, a rule of ours: the paper shows curves and gives none. Spikes of the search agent, all seeds together: {{weak.global.search.gradNorm.spikes}} (\`global\`), {{weak.globalStep.search.gradNorm.spikes}} (\`globalStep\`), {{weak.agentWise.search.gradNorm.spikes}} (\`agentWise\`).`;

const prepared = prose`## The same team, better prepared

With a warm start that solves about a quarter of the tasks, no agent is dropped and there is little to correct. Success at the end: {{prepared.global.team.success.last}} (\`global\`), {{prepared.globalStep.team.success.last}} (\`globalStep\`), {{prepared.agentWise.team.success.last}} (\`agentWise\`). The right-hand chart subtracts \`global\` at the same seed: below zero, an arm learns more slowly. A tabular version of this team, run before this page was written, had equal final success and slightly slower learning under agent-wise statistics.`;

const limits = prose`## What this can say, and what it cannot

- The formula and its prediction are those of the paper, checked against independent reference values.
- The team is a miniature: small transformers from scratch, a made-up world, one token a decision. Scores of language models on benchmarks are out of its reach; a gain in percentage points is neither confirmed nor contradicted.
- Final success over these few seeds separates arms only if they differ much. From the weak start it is {{weak.global.team.evalSuccess.last}}, {{weak.globalStep.team.evalSuccess.last}} and {{weak.agentWise.team.evalSuccess.last}} in evaluation, medians; single seeds either find the search branch or do not, so read the seeds, not the median.
- Adam divides by the size of recent gradients, so a constant inflation moves the weights little. The norms above are measured before the optimizer.`;

const search = (
  arm: string,
  metric: 'gradNorm' | 'advSecondMoment',
  statistic: 'peak' | 'spikes',
) => quantity(arm, 'search', metric, statistic);
const success = (arm: string) => quantity(arm, 'team', 'success', 'last');
const inAll = 5;

export const drMasNotebook: GalleryNotebook = {
  id: 'dr-mas',
  summary:
    'How global normalization inflates the gradients of an agent that is rarely called, what agent-wise normalization changes, and what it does not.',
  notebook: {
    version: 1,
    title: 'Dr. MAS against GRPO',
    cells: [
      text('intro', intro),
      experiment('weak', weakTeam),
      chart(['norms', 'weak'], ['gradNorm'], { yScale: 'log', width: 'full', height: 150 }),
      chart(['success', 'weak'], ['success'], { width: 'third' }),
      chart(['moment', 'weak'], ['advSecondMoment', 'advSecondMomentPredicted'], {
        yScale: 'log',
        width: 'twoThirds',
      }),
      comparison(['arms', 'weak']),
      text('seen', seen),
      chart(['turns', 'weak'], ['numTurns'], { yScale: 'log', agents: ['search'] }),
      comparison(['scores', 'weak'], {
        metric: 'evalSuccess',
        statistics: ['last', 'best', 'iqm', 'probabilityOfImprovement', 'seeds'],
      }),
      claim(['bounded', 'weak'], search('agentWise', 'advSecondMoment', 'peak'), 'atMost', {
        right: 1,
        inAtLeast: inAll,
      }),
      claim(['predicted', 'weak'], search('global', 'advSecondMoment', 'peak'), 'atMost', {
        right: quantity('global', 'search', 'advSecondMomentPredicted', 'peak'),
        inAtLeast: inAll,
      }),
      claim(['calmer', 'weak'], search('agentWise', 'gradNorm', 'peak'), 'less', {
        right: search('global', 'gradNorm', 'peak'),
        inAtLeast: inAll,
      }),
      claim(['fewerSpikes', 'weak'], search('agentWise', 'gradNorm', 'spikes'), 'less', {
        right: search('global', 'gradNorm', 'spikes'),
        inAtLeast: inAll,
      }),
      claim(['fewerThanSteps', 'weak'], search('agentWise', 'gradNorm', 'spikes'), 'less', {
        right: search('globalStep', 'gradNorm', 'spikes'),
        inAtLeast: inAll,
      }),
      claim(['better', 'weak'], success('agentWise'), 'greater', {
        right: success('global'),
        inAtLeast: 4,
      }),
      microscope(['group', 'weak'], 'global'),
      rollouts(['episodes', 'weak'], { agent: 'search' }),
      text('secondStart', prepared),
      experiment('prepared', preparedTeam),
      chart(['preparedNorms', 'prepared'], ['gradNorm'], { yScale: 'log', width: 'full' }),
      chart(['preparedSuccess', 'prepared'], ['success']),
      chart(['preparedDifference', 'prepared'], ['success'], { pairedBaseline: 'global' }),
      comparison(['preparedArms', 'prepared']),
      claim(
        ['preparedBounded', 'prepared'],
        search('agentWise', 'advSecondMoment', 'peak'),
        'atMost',
        {
          right: 1,
          inAtLeast: inAll,
        },
      ),
      claim(['preparedSpikes', 'prepared'], search('agentWise', 'gradNorm', 'spikes'), 'less', {
        right: search('global', 'gradNorm', 'spikes'),
        inAtLeast: inAll,
      }),
      claim(['preparedBetter', 'prepared'], success('agentWise'), 'greater', {
        right: success('global'),
        inAtLeast: 4,
      }),
      text('limits', limits),
    ],
    deletedExperiments: [],
  },
};
