import {
  defaultEnvironments,
  defaultEstimators,
  defaultFailureTags,
  defaultGroups,
  defaultOptimizers,
  defaultPulses,
} from '../../config/defaults';
import type { ExperimentSpec, OverrideValue } from '../../config/experimentSpec';
import { presets } from '../../config/presets';
import { tinyPolicies, tinySpec } from './runInProcess';

/** Small runs that between them carry all that a run can carry from one iteration to the next. */

type Overrides = Readonly<Record<string, OverrideValue>>;

function withArms(
  arms: Readonly<Record<string, Overrides>>,
  changes: Partial<ExperimentSpec> = {},
): ExperimentSpec {
  return tinySpec({
    arms: Object.entries(arms).map(([name, overrides]) => ({ name, overrides })),
    iterations: 3,
    evaluation: { every: 2, tasks: 4, greedy: false },
    ...changes,
  });
}

const [router] = Object.values(tinySpec().policies);

/** A world that is solved about every second time by chance: there are successes to imitate, and failures to tag. */
const able: Partial<ExperimentSpec> = {
  environment: {
    ...defaultEnvironments.routeSearchAnswer,
    numKeys: 2,
    numValues: 2,
    searchShare: 0,
    maxTurns: 2,
  },
  warmStart: { targetSuccess: 0.3, maxSteps: 20, tasksPerStep: 16, learningRate: 0.02 },
};

const estimators = Object.keys(defaultEstimators).filter((kind) => kind !== 'hierarchical');

const { environment, agents, estimator, arms } = presets['plan-execute'].spec;

export const resumableSpecs: Readonly<Record<string, ExperimentSpec>> = {
  'every estimator': withArms(
    Object.fromEntries(estimators.map((kind) => [kind, { 'estimator.kind': kind }])),
  ),
  'moving baselines of roles and batch, two seeds': withArms(
    {
      role: { 'estimator.kind': 'movingBaseline' },
      batch: { 'estimator.kind': 'movingBaseline', 'estimator.baselineOf': 'batch' },
    },
    { ...able, seeds: [0, 1] },
  ),
  'critics of three kinds in a pipeline': withArms(
    Object.fromEntries(
      ['own', 'state', 'sum'].map((critic) => [
        critic,
        { 'estimator.kind': 'gae', 'estimator.critic': critic },
      ]),
    ),
    {
      groups: { ...defaultGroups.parallel, tasksPerIteration: 2, groupSize: 4, staleIterations: 1 },
    },
  ),
  'a pipeline with importance weights and V-trace': withArms(
    {
      fresh: { 'groups.staleIterations': 0 },
      stale: { 'loss.oldLogprobs': 'trainer', 'loss.samplerCorrection': 'tokenTruncate' },
      vtrace: { 'estimator.kind': 'vtrace' },
      gigpo: { 'estimator.kind': 'gigpo' },
    },
    {
      groups: { ...defaultGroups.parallel, tasksPerIteration: 2, groupSize: 4, staleIterations: 2 },
      iterations: 5,
    },
  ),
  'trees of both kinds that wait': withArms(
    {
      tree: { 'groups.sampling': 'tree' },
      expand: { 'groups.sampling': 'expand', 'estimator.scale': 'none' },
    },
    {
      ...able,
      estimator: { ...defaultEstimators.group, scope: 'taskAgentTurn', unit: 'step' },
      groups: { ...defaultGroups.parallel, tasksPerIteration: 2, groupSize: 3, staleIterations: 1 },
    },
  ),
  'pulses on all, on the latest, and on low entropy': withArms(
    {
      all: {},
      latest: { 'pulses.source': 'latest' },
      entropy: { 'pulses.kind': 'entropy', 'pulses.minEntropy': 5, 'pulses.minRlIterations': 2 },
    },
    {
      ...able,
      iterations: 6,
      pulses: { ...defaultPulses.period, numIterations: 3, sftSteps: 2, rolloutsPerStep: 4 },
    },
  ),
  'failure tags': withArms(
    { seal: {} },
    { ...able, failureTags: { ...defaultFailureTags.seal, minScale: 0.1, confidenceSamples: 2 } },
  ),
  'a KL penalty in loss and reward, one policy for all': withArms(
    {
      loss: { 'loss.refKlCoef': 0.5 },
      reward: { 'loss.refKlCoef': 0.5, 'loss.refKlIn': 'reward', 'loss.refKlEstimator': 'k3' },
      none: {},
    },
    {
      agents: { router: { policy: 'one' }, search: { policy: 'one' }, answer: { policy: 'one' } },
      policies: tinyPolicies(['one']),
    },
  ),
  'schedules, SGD with momentum, several steps an iteration': withArms(
    {
      cosine: { 'loss.numUpdateEpochs': 2, 'loss.numMinibatches': 2 },
      frozen: { 'policies.search.isFrozen': true },
    },
    {
      policies: {
        router: {
          ...router!,
          schedule: { kind: 'cosine', warmupIterations: 1, finalFraction: 0.1 },
        },
        search: {
          ...router!,
          schedule: { kind: 'linear', warmupIterations: 0, finalFraction: 0 },
        },
        answer: { ...router!, optimizer: { ...defaultOptimizers.sgd, momentum: 0.9 } },
      },
    },
  ),
  'M-GRPO with a frozen executor and a single agent': withArms(
    {},
    {
      environment,
      agents,
      estimator,
      arms: [...arms, { name: 'hierarchical', overrides: { 'estimator.kind': 'hierarchical' } }],
      policies: tinyPolicies(['planner', 'executor']),
      groups: { ...defaultGroups.parallel, tasksPerIteration: 2, groupSize: 4, staleIterations: 1 },
      warmStart: { targetSuccess: 0.9, maxSteps: 6, tasksPerStep: 16, learningRate: 0.02 },
    },
  ),
  'solver and verifier, long enough for spikes': withArms(
    { global: {}, agentWise: { 'estimator.scope': 'taskAgent' } },
    {
      environment: { ...defaultEnvironments.solveVerify, modulus: 3 },
      agents: { solver: { policy: 'solver' }, verifier: { policy: 'verifier' } },
      policies: tinyPolicies(['solver', 'verifier']),
      iterations: 8,
    },
  ),
};

/** One small run that carries all of it at once, so that no part of its checkpoints is empty. */
export const loadedSpec: ExperimentSpec = withArms(
  { mappo: { 'estimator.kind': 'gae', 'estimator.critic': 'state' }, grpo: {} },
  {
    ...able,
    loss: { ...tinySpec().loss, refKlCoef: 0.1 },
    groups: { ...defaultGroups.parallel, tasksPerIteration: 4, groupSize: 4, staleIterations: 1 },
    pulses: { ...defaultPulses.period, numIterations: 2, sftSteps: 1, rolloutsPerStep: 4 },
    failureTags: { ...defaultFailureTags.seal, minScale: 0.1 },
  },
);
