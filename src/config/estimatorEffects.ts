import { turnLimitOf } from './compatibility';
import { valueAt } from './dataPath';
import {
  byOption,
  numberAt,
  numberOf,
  orNull,
  overTheEpisode,
  samuelsonBound,
  trajectoriesOf,
  trajectoriesText,
  whether,
  type Effect,
  type Effects,
  type Given,
} from './effectGiven';
import { counted, effectNumber } from './effectNumber';
import type { EstimatorSpec, ExperimentSpec, GroupEstimatorSpec } from './experimentSpec';
import type { estimatorFields } from './estimatorFields';

/** What the settings of the estimator mean in numbers. n is the group size, a lone success one 1 among n − 1 zeros. */

/** Standard deviation of a lone success among n, under the specification's variance. */
function loneStd(spec: ExperimentSpec): number {
  const { groupSize: n } = spec.groups;
  const ddof = numberAt(spec, 'estimator.ddof') ?? 1;
  return n > ddof ? Math.sqrt((n - 1) / n / (n - ddof)) : 0;
}

function groupsText({ spec }: Given): string {
  return `An iteration has ${trajectoriesText(spec)}.`;
}

const perGroup =
  (what: string): Effect =>
  (given) =>
    `${groupsText(given)} ${what}`;

/** Largest number of groups that a task is split into. */
function groupCount(given: Given, perTask: number, members: string): string {
  const { tasksPerIteration } = given.spec.groups;
  return `At most ${effectNumber(tasksPerIteration)} × ${perTask} = ${counted(tasksPerIteration * perTask, 'group')} an iteration, each of ${members}.`;
}

function numAgents({ spec }: Given): number {
  return Object.keys(spec.agents).length;
}

const withinTask: Effect = (given) =>
  groupCount(given, 1, counted(given.spec.groups.groupSize, 'trajectory', 'trajectories'));

const withinAgent: Effect = (given) => {
  const groups = groupCount(given, numAgents(given), 'one agent’s samples of a task');
  const bound = samuelsonBound(given.spec);
  return bound === null
    ? groups
    : `${groups} Its advantages have second moment 1 at most; under statistics of the task’s trajectories it may reach ${bound}.`;
};

/** A lone success under a baseline. */
const baseline =
  (of: (n: number) => number): Effect =>
  ({ spec: { groups } }) =>
    `A lone success among ${groups.groupSize} lies ${effectNumber(of(groups.groupSize))} above its baseline.`;

const scopeEffects = {
  'estimator.scope': byOption<GroupEstimatorSpec['scope']>({
    task: (given) => {
      const bound = samuelsonBound(given.spec);
      // Of steps, a task has as many samples as its episodes have turns.
      const isOfTrajectories = valueAt(given.spec, 'estimator.unit') === 'trajectory';
      return bound === null || !isOfTrajectories
        ? withinTask(given)
        : `${withinTask(given)} Samuelson’s bound on an agent’s E[A²]: n − 1 = ${bound}.`;
    },
    taskAgent: withinAgent,
    taskAgentMeanOnly: withinAgent,
    taskAgentStdOnly: (given) =>
      groupCount(given, numAgents(given), 'one agent’s samples of a task, for the divisor'),
    taskAgentTurn: (given) =>
      groupCount(given, turnLimitOf(given.spec.environment), 'the steps of one agent at one turn'),
    batch: ({ spec }) =>
      `One group of ${counted(trajectoriesOf(spec), 'trajectory', 'trajectories')}.`,
  }),
  'estimator.unit': byOption<GroupEstimatorSpec['unit']>({
    trajectory: ({ spec }) =>
      `A group has up to ${counted(spec.groups.groupSize, 'sample')} of a task, however long the episodes are.`,
    step: ({ spec }) => {
      const most = spec.groups.groupSize * turnLimitOf(spec.environment);
      return `A task has up to ${spec.groups.groupSize} × ${turnLimitOf(spec.environment)} = ${counted(most, 'sample')}: the longest episodes count most.`;
    },
  }),
} satisfies Effects;

const comparisonEffects = {
  'estimator.center': byOption<GroupEstimatorSpec['center']>({
    mean: baseline((n) => 1 - 1 / n),
    leaveOneOut: ({ spec: { groups } }) =>
      groups.groupSize > 1
        ? `Advantages are n/(n − 1) = ${effectNumber(groups.groupSize / (groups.groupSize - 1))} times those with the group mean.`
        : 'A group of one has no others to compare with.',
    max: baseline(() => 0),
    none: baseline(() => 1),
  }),
  'estimator.scale': byOption<GroupEstimatorSpec['scale']>({
    std: ({ spec }) => {
      const std = loneStd(spec);
      return std === 0
        ? 'A group of one has no standard deviation.'
        : `The reward of a lone success among ${spec.groups.groupSize} is multiplied by 1/σ = ${effectNumber(1 / std)}.`;
    },
    groupMean: ({ spec: { groups } }) =>
      `The reward of a lone success among ${groups.groupSize} is multiplied by 1/mean = ${groups.groupSize}.`,
    batchStd: ({ spec }) =>
      `One divisor for all ${counted(trajectoriesOf(spec), 'trajectory', 'trajectories')} of an iteration.`,
    none: () => 'Advantages keep the unit of the reward: between −1 and 1 for rewards 0 and 1.',
  }),
  'estimator.ddof': byOption<'0' | '1'>({
    '1': ({ spec: { groups } }) =>
      groups.groupSize > 1
        ? `With n = ${groups.groupSize} σ is √(n/(n − 1)) = ${effectNumber(Math.sqrt(groups.groupSize / (groups.groupSize - 1)))} times the population’s; the largest advantage is (n − 1)/√n = ${effectNumber((groups.groupSize - 1) / Math.sqrt(groups.groupSize))}.`
        : 'A group of one has no sample variance.',
    '0': ({ spec: { groups } }) =>
      `With n = ${groups.groupSize} the largest advantage is √(n − 1) = ${effectNumber(Math.sqrt(groups.groupSize - 1))}.`,
  }),
  'estimator.epsilon': ({ spec, value }) => {
    const std = loneStd(spec);
    return std === 0
      ? 'A group of one has no standard deviation to add it to.'
      : `A lone success among ${spec.groups.groupSize} has σ = ${effectNumber(std)}: its advantage shrinks by the factor σ/(σ + ε) = ${effectNumber(std / (std + numberOf({ value })))}.`;
  },
  'estimator.minStd': ({ spec, value }) => {
    const std = loneStd(spec);
    const isDropped = std < numberOf({ value });
    return `A lone success among ${spec.groups.groupSize} has σ = ${effectNumber(std)}: ${isDropped ? 'below it, so that even this group gets advantage 0' : 'not below it, so that only groups of nearly equal rewards get advantage 0'}.`;
  },
  'estimator.singleton': byOption<GroupEstimatorSpec['singleton']>({
    zero: () => 'A reward of 1 that stands alone gives advantage 0.',
    raw: ({ spec }) =>
      `A reward of 1 that stands alone gives advantage 1/(1 + ε) = ${effectNumber(1 / (1 + (numberAt(spec, 'estimator.epsilon') ?? 0)))}.`,
  }),
} satisfies Effects;

const alignmentEffects = {
  'estimator.alignment': byOption<GroupEstimatorSpec['alignment']>({
    none: () => 'Every invocation counts once.',
    duplicateDrop: ({ spec }) =>
      `Every rollout with a call counts ${counted(numberAt(spec, 'estimator.alignTo') ?? 1, 'invocation')}.`,
    weighted: ({ spec }) => {
      const d = numberAt(spec, 'estimator.alignTo') ?? 1;
      return `An invocation of a rollout with d_k of them weighs ${d}/d_k: ${d} if it is the only one.`;
    },
    fifo: ({ spec }) => `Groups of ${spec.groups.groupSize} in the order of the queue.`,
  }),
  'estimator.alignTo': ({ spec, value }) => {
    const { estimator } = spec;
    const isUsed =
      estimator.kind === 'group' &&
      (estimator.alignment === 'duplicateDrop' || estimator.alignment === 'weighted');
    if (!isUsed) return 'Not in use with this alignment of sub-trajectories.';
    const { tasksPerIteration: tasks, groupSize } = spec.groups;
    return `At most ${effectNumber(tasks * groupSize)} rollouts × ${numberOf({ value })} = ${counted(tasks * groupSize * numberOf({ value }), 'invocation')} an iteration after alignment.`;
  },
} satisfies Effects;

/** A discount over an episode, and how far it sees. */
const discount: Effect = ({ spec, value }) => {
  const gamma = numberOf({ value });
  if (gamma === 1) return 'A reward counts in full however much later it comes.';
  if (gamma === 0) return 'A step counts its own reward only.';
  return `A reward at the last turn allowed counts ${overTheEpisode(gamma, spec)} at the first; half after ${effectNumber(Math.log(0.5) / Math.log(gamma))} turns.`;
};

/** Decay of a trace under the discount beside it. */
const trace: Effect = ({ spec, value }) => {
  const gamma = numberAt(spec, 'estimator.gamma') ?? 1;
  const factor = gamma * numberOf({ value });
  return `A TD error at the last turn allowed counts (γλ)ⁿ = ${overTheEpisode(factor, spec)} at the first.`;
};

const cutAt = (what: string): Effect =>
  orNull((given) => {
    const limit = numberOf(given);
    return limit === 0
      ? `${what} is 0.`
      : `${what} is cut at ${effectNumber(limit)}: from a token that became ${effectNumber(limit)} times as likely on.`;
  }, `${what} is not cut.`);

/** How far a moving baseline looks back. */
const movingDecay: Effect = ({ spec, value }) => {
  const decay = numberOf({ value });
  if (decay === 1) return 'The baseline stays at 0.';
  const isOfBatch =
    spec.estimator.kind === 'movingBaseline' && spec.estimator.baselineOf === 'batch';
  const past = 1 / (1 - decay);
  const what = isOfBatch ? counted(past, 'batch', 'batches') : counted(past, 'sample');
  return `The baseline averages over about 1/(1 − decay) = ${what}.`;
};

const criticEffects = {
  'estimator.critic': byOption<'own' | 'state' | 'sum'>({
    own: (given) =>
      `A value reads one prompt, at most ${counted(given.world.maxPromptTokens, 'token')}.`,
    state: () => 'A value reads the shared state, the hidden answer in it: one sequence a step.',
    sum: (given) => `A value is the sum of up to ${counted(numAgents(given), 'sequence')} a step.`,
  }),
  'estimator.gaeLambda': trace,
  'estimator.traceLambda': trace,
  'estimator.clipRho': cutAt('The weight of a TD error'),
  'estimator.clipC': cutAt('The factor of the trace'),
  'estimator.clipPgRho': cutAt('The weight of an advantage'),
  'estimator.isWhitened': whether(
    () => 'Each agent’s advantages have mean 0 and standard deviation 1 (but for 10⁻⁵).',
    () => 'Advantages keep the unit of the reward.',
  ),
  'estimator.valueLearningRate': ({ spec, value }) =>
    `${counted(numberAt(spec, 'estimator.valueEpochs') ?? 0, 'step')} an iteration at ${effectNumber(numberOf({ value }))}, without a schedule.`,
  'estimator.valueEpochs': ({ spec, value }) =>
    `${numberOf({ value })} × ${effectNumber(spec.iterations)} = ${counted(numberOf({ value }) * spec.iterations, 'step')} of the critic in the run.`,
  'estimator.valueClip': orNull(
    (given) =>
      `A value that moved by more than ${effectNumber(numberOf(given))} in the update is not pushed further.`,
    'Values may move as far as their targets ask.',
  ),
} satisfies Effects;

export const estimatorEffects = {
  'estimator.kind': byOption<EstimatorSpec['kind']>({
    group: groupsText,
    rollout: perGroup('Each counts once in its task; all its calls get the same advantage.'),
    turnReturn: perGroup(
      'A turn is compared with the same turn of the other rollouts of its task.',
    ),
    gigpo: perGroup('Two comparisons: of episodes of a task, and of steps from the same state.'),
    hierarchical: perGroup('Sub-agents are compared within their episode.'),
    movingBaseline: perGroup('No groups: rewards are compared with those of earlier rollouts.'),
    gae: perGroup('No groups: a critic says what each step was worth before.'),
    vtrace: perGroup('No groups: a critic says what each step was worth, corrected for staleness.'),
  }),
  ...scopeEffects,
  ...comparisonEffects,
  ...alignmentEffects,
  'estimator.isPerAgent': whether(
    (given) => groupCount(given, numAgents(given), 'one agent’s samples of a task'),
    withinTask,
  ),
  'estimator.mode': byOption<'meanNorm' | 'meanStdNorm'>({
    meanNorm: () => 'Advantages keep the unit of the reward: between −1 and 1 for rewards 0 and 1.',
    meanStdNorm: ({ spec }) => {
      const std = loneStd(spec);
      return std === 0
        ? 'A group of one has no standard deviation.'
        : `A lone success among ${spec.groups.groupSize} is multiplied by 1/σ = ${effectNumber(1 / std)}.`;
    },
  }),
  'estimator.gamma': discount,
  'estimator.stepWeight': (given) =>
    numberOf(given) === 0
      ? 'Only whole episodes are compared.'
      : `Of 1 + ${effectNumber(numberOf(given))} parts the comparison of steps makes up ${effectNumber((100 * numberOf(given)) / (1 + numberOf(given)))} %.`,
  'estimator.baselineOf': byOption<'role' | 'batch'>({
    role: (given) => `${counted(numAgents(given), 'baseline')}, one an agent.`,
    batch: () => 'One baseline for all agents.',
  }),
  'estimator.decay': movingDecay,
  ...criticEffects,
} satisfies Record<keyof typeof estimatorFields, Effect>;
