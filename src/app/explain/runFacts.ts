import { type ExperimentSpec, type LossSpec, type TrainingSpec } from '../../config/experimentSpec';
import {
  agentsOf,
  optimizerStepsOf,
  samuelsonBound,
  trajectoriesOf,
} from '../../config/effectGiven';
import { scheduledShare } from '../../config/scheduledRate';
import type { RunFacts } from '../../metrics/ingredients';

/** What formulas of metrics need to know of the settings that a replica ran under. Pure. */

type RunSettings = Pick<ExperimentSpec, 'iterations' | 'evaluation'>;

/** Plain GRPO on whole trajectories, where the prediction of the second moment is exact up to ddof. */
function grpoDdofOf(training: TrainingSpec): 0 | 1 | null {
  const { estimator, groups, failureTags } = training;
  if (estimator.kind !== 'group' || groups.sampling !== 'parallel') return null;
  const { scope, unit, center, scale, alignment } = estimator;
  const isPlain = scope === 'task' && unit === 'trajectory' && alignment === 'none';
  const isWhole = failureTags.kind === 'none' && samuelsonBound(training) !== null;
  return isPlain && isWhole && center === 'mean' && scale === 'std' ? estimator.ddof : null;
}

/** Trajectories whose turns are counted: as many as are drawn, where each is an episode of its own and none is dropped. */
function numTrajectoriesOf(training: TrainingSpec): number | null {
  const { groups, loss } = training;
  const isPlain = groups.sampling === 'parallel' && !loss.dynamicSampling;
  return isPlain ? trajectoriesOf(training) : null;
}

function ratioBandOf(loss: LossSpec): RunFacts['ratioBand'] {
  return 'clipLow' in loss ? { low: 1 - loss.clipLow, high: 1 + loss.clipHigh } : null;
}

/** Where the penalty in the loss has k3’s value, whatever its gradient. */
function refKlCoefOf({ refKlCoef, refKlIn, refKlEstimator }: LossSpec): number | null {
  const isK3 = refKlEstimator === 'k3' || refKlEstimator === 'k3ValueK2Gradient';
  return isK3 && refKlIn === 'loss' && refKlCoef > 0 ? refKlCoef : null;
}

function tagScaleBoundsOf(tags: TrainingSpec['failureTags']): RunFacts['tagScaleBounds'] {
  return tags.kind === 'none' ? null : { min: tags.minScale, max: tags.maxScale };
}

type OptimizerFacts = Pick<
  RunFacts,
  'numOptimizerSteps' | 'maxGradNorm' | 'learningRate' | 'learningRateShareAt'
>;

/** Of the policy that the agent writes with; `team` has none, and its metrics need none. */
function optimizerFacts(training: TrainingSpec, agent: string, iterations: number): OptimizerFacts {
  const { agents, policies } = training;
  const numOptimizerSteps = optimizerStepsOf(training);
  const policyId = agents[agent]?.policy;
  const policy = policyId === undefined ? undefined : policies[policyId];
  if (policyId === undefined || policy === undefined)
    return { numOptimizerSteps, maxGradNorm: null, learningRate: 0, learningRateShareAt: () => 0 };
  const isClippedAlone = numOptimizerSteps === 1 && agentsOf(training, policyId).length === 1;
  return {
    numOptimizerSteps,
    maxGradNorm: isClippedAlone ? policy.optimizer.maxGradNorm : null,
    learningRate: policy.optimizer.learningRate,
    learningRateShareAt: (iteration) => scheduledShare(policy.schedule, iteration, iterations),
  };
}

/**
 * @param training of the arm, overrides applied
 * @param agent agent id, or `team`
 */
export function runFacts(training: TrainingSpec, agent: string, run: RunSettings): RunFacts {
  const { groups, loss, estimator, warmStart, pulses } = training;
  return {
    ...optimizerFacts(training, agent, run.iterations),
    tasksPerIteration: groups.tasksPerIteration,
    groupSize: groups.groupSize,
    numTrajectories: numTrajectoriesOf(training),
    hasWholeEpisodes: groups.sampling === 'parallel',
    evaluationTasks: run.evaluation.tasks,
    warmStartLimit: warmStart.targetSuccess > 0 ? warmStart.maxSteps : 0,
    staleIterations: groups.staleIterations,
    ratioBand: ratioBandOf(loss),
    refKlCoef: refKlCoefOf(loss),
    grpoDdof: grpoDdofOf(training),
    hasSharedReward: samuelsonBound(training) !== null,
    isEachTurnOnce:
      !loss.dynamicSampling && (estimator.kind !== 'group' || estimator.alignment === 'none'),
    tagScaleBounds: tagScaleBoundsOf(training.failureTags),
    sftSteps: pulses.kind === 'none' ? null : pulses.sftSteps,
    valueEpochs: 'valueEpochs' in estimator ? estimator.valueEpochs : null,
    hasValueClip: estimator.kind === 'gae' && estimator.valueClip !== null,
  };
}
