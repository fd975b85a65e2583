import { countOf, difference, whole, withAll, type Step } from './equation';
import { formatNumber } from './format';
import type { Ingredients } from './ingredients';
import type { teamMetrics } from './teamMetrics';

/** Every metric of a team with this moment's numbers put in; empty where its parts are not logged. */

function successSteps({ value, facts }: Ingredients): readonly Step[] {
  return [countOf(value, facts.numTrajectories, 'solved/(P·G)')];
}

function teamRewardSteps({ value, own }: Ingredients): readonly Step[] {
  return [
    difference(own.success, value, {
      symbols: 'success − team reward',
      says: 'what penalties cost an episode',
    }),
  ];
}

function episodeTurnsSteps({ agents, facts }: Ingredients): readonly Step[] {
  const { hasWholeEpisodes, numTrajectories } = facts;
  const turns = agents.map(({ numTurns = NaN }) => numTurns);
  const all = turns.length === 0 ? null : turns.reduce((sum, count) => sum + count, 0);
  return [
    withAll([all, hasWholeEpisodes ? numTrajectories : null], ([total, episodes]) => ({
      symbols: 'Σ turns of the agents/(P·G)',
      numbers: `(${turns.map(whole).join(' + ')})/${whole(episodes)}`,
      result: total / episodes,
      gives: 'value',
      says: '',
    })),
  ];
}

function evaluationSteps({ value, facts }: Ingredients): readonly Step[] {
  return [countOf(value, facts.evaluationTasks, 'solved/episodes')];
}

function warmStartSteps({ value, facts }: Ingredients): readonly Step[] {
  const { warmStartLimit: limit } = facts;
  return [
    withAll([value, limit === 0 ? null : limit], ([steps, most]) => ({
      symbols: 'steps/limit',
      numbers: `${whole(steps)}/${whole(most)}`,
      result: steps / most,
      gives: 'derived',
      says: 'of the steps allowed',
    })),
  ];
}

function nonFiniteSteps({ agents }: Ingredients): readonly Step[] {
  const turns = agents.reduce((sum, { numTurns = NaN }) => sum + numTurns, 0);
  return agents.length > 0 && Number.isFinite(turns) ? [`Of ${whole(turns)} steps.`] : [];
}

function keptTaskSteps({ value, facts }: Ingredients): readonly Step[] {
  return [countOf(value, facts.tasksPerIteration, 'kept/tasks')];
}

function policyAgeSteps({ iteration, facts }: Ingredients): readonly Step[] {
  return [
    withAll([facts.staleIterations], ([depth]) => ({
      symbols: 'min(depth, iteration − 1)',
      numbers: `min(${depth}, ${iteration} − 1)`,
      result: Math.min(depth, iteration - 1),
      gives: 'value',
      says: '',
    })),
  ];
}

function pulseSteps({ value, facts }: Ingredients): readonly Step[] {
  if (facts.sftSteps === null) return [];
  return [
    value > 0
      ? `A pulse of up to ${facts.sftSteps} steps followed this iteration.`
      : `No pulse followed this iteration; one has ${facts.sftSteps} steps.`,
  ];
}

function valueLossSteps({ value, facts }: Ingredients): readonly Step[] {
  return [
    withAll([facts.hasValueClip ? null : value], ([loss]) => ({
      symbols: '√(2 × loss)',
      numbers: `√(2 × ${formatNumber(loss)})`,
      result: Math.sqrt(2 * loss),
      gives: 'derived',
      says: 'root mean square error of a value, unit reward',
    })),
  ];
}

function explainedVarianceSteps({ value }: Ingredients): readonly Step[] {
  return [
    difference(1, value, {
      symbols: '1 − explained',
      says: 'of the targets’ variance is left to the advantages',
    }),
  ];
}

function criticSkipSteps({ facts }: Ingredients): readonly Step[] {
  return facts.valueEpochs === null ? [] : [`Of ${facts.valueEpochs} an iteration: its epochs.`];
}

/** What this iteration added. */
function tokenSteps({ history, facts }: Ingredients): readonly Step[] {
  const [before = 0, now] =
    history.values.length > 1 ? history.values.slice(-2) : [0, history.values.at(-1)];
  const added = withAll([now, before], ([after, earlier]) => ({
    symbols: 'now − one iteration before',
    numbers: `${whole(after)} − ${whole(earlier)}`,
    result: after - earlier,
    gives: 'derived',
    says: 'tokens of this iteration',
  }));
  const perEpisode = withAll([added?.result, facts.numTrajectories], ([tokens, episodes]) => ({
    symbols: 'tokens/(P·G)',
    numbers: `${whole(tokens)}/${whole(episodes)}`,
    result: tokens / episodes,
    gives: 'derived',
    says: 'per episode',
  }));
  return [added, perEpisode];
}

export const teamEquations = {
  success: successSteps,
  teamReward: teamRewardSteps,
  episodeTurns: episodeTurnsSteps,
  evalSuccess: evaluationSteps,
  warmStartSteps,
  nonFiniteRewards: nonFiniteSteps,
  keptTaskFraction: keptTaskSteps,
  policyAge: policyAgeSteps,
  pulseSteps,
  valueLoss: valueLossSteps,
  explainedVariance: explainedVarianceSteps,
  valueGradNorm: (): readonly Step[] => [],
  valueUpdateSkipped: criticSkipSteps,
  tokenCount: tokenSteps,
} satisfies Record<keyof typeof teamMetrics, (given: Ingredients) => readonly Step[]>;
