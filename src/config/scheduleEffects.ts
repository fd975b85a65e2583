import { failureTagScale, type FailureTagRule } from '../rl/failureTags';
import { turnLimitOf } from './compatibility';
import {
  byOption,
  numberAt,
  numberOf,
  samuelsonBound,
  trajectoriesText,
  type Effect,
  type Effects,
  type Given,
} from './effectGiven';
import { counted, effectNumber } from './effectNumber';
import type { ExperimentSpec, FailureTagsSpec, GroupsSpec, PulsesSpec } from './experimentSpec';
import type { scheduleFields } from './scheduleFields';

/** What the settings of rollouts, pulses and failure tags mean in numbers. */

const rollouts: Effect = ({ spec }) => `An iteration has ${trajectoriesText(spec)}.`;

const stale: Effect = ({ spec, value }) => {
  const depth = numberOf({ value });
  if (depth === 0) return 'Every rollout was written by the policy that learns from it.';
  return `The first ${counted(Math.min(depth + 1, spec.iterations), 'iteration')} learn from the start policy’s rollouts; from iteration ${depth + 1} on rollouts are ${counted(depth, 'iteration')} old.`;
};

const groupEffects = {
  'groups.sampling': byOption<GroupsSpec['sampling']>({
    parallel: rollouts,
    tree: rollouts,
    expand: rollouts,
  }),
  'groups.tasksPerIteration': rollouts,
  'groups.groupSize': (given) => {
    const bound = samuelsonBound(given.spec);
    return bound === null
      ? rollouts(given)
      : `${rollouts(given)} Samuelson’s bound on an agent’s E[A²] under statistics of a task’s trajectories: n − 1 = ${bound}.`;
  },
  'groups.staleIterations': stale,
  'groups.teamRewardWeight': (given) =>
    `The branch that solves the task scores up to ${effectNumber(numberOf(given))} × 1 + 1 = ${effectNumber(numberOf(given) + 1)}; a good turn before it up to 1.`,
} satisfies Effects;

/** Pulses that fit into the run, at most one every so many iterations. */
function pulseCount({ spec }: Given): number {
  const gap =
    numberAt(spec, 'pulses.numIterations') ?? numberAt(spec, 'pulses.minRlIterations') ?? Infinity;
  return Math.floor(spec.iterations / gap);
}

function pulsesText(given: Given): string {
  const count = pulseCount(given);
  const perPulse = numberAt(given.spec, 'pulses.sftSteps') ?? 0;
  return `At most ${counted(count, 'pulse')} of ${counted(perPulse, 'step')} in ${counted(given.spec.iterations, 'iteration')}: ${counted(count * perPulse, 'supervised step')}.`;
}

const pulseEffects = {
  'pulses.kind': byOption<PulsesSpec['kind']>({
    none: () => 'Reinforcement learning in every iteration, nothing beside it.',
    entropy: pulsesText,
    period: pulsesText,
  }),
  'pulses.minEntropy': (given) =>
    `Below ${effectNumber(numberOf(given))} nats a policy is as sure as with exp(${effectNumber(numberOf(given))}) = ${effectNumber(Math.exp(numberOf(given)))} equally likely tokens.`,
  'pulses.minRlIterations': pulsesText,
  'pulses.numIterations': pulsesText,
  'pulses.sftSteps': pulsesText,
  'pulses.learningRate': (given) =>
    `${counted(numberAt(given.spec, 'pulses.sftSteps') ?? 0, 'step')} a pulse at ${effectNumber(numberOf(given))}, without a schedule.`,
  'pulses.rolloutsPerStep': (given) => {
    const perPulse = numberAt(given.spec, 'pulses.sftSteps') ?? 0;
    return `${numberOf(given)} × ${perPulse} = ${counted(numberOf(given) * perPulse, 'draw')} a pulse, with repetitions.`;
  },
  'pulses.maxPerTask': ({ spec, value }) => {
    const { tasksPerIteration } = spec.groups;
    return `An iteration adds at most ${effectNumber(tasksPerIteration)} × ${numberOf({ value })} = ${counted(tasksPerIteration * numberOf({ value }), 'rollout')}.`;
  },
  'pulses.source': byOption<'all' | 'latest'>({
    all: (given) => `A pulse may draw from every iteration before it. ${pulsesText(given)}`,
    latest: (given) => {
      const { tasksPerIteration } = given.spec.groups;
      return `A pulse draws from ${counted(tasksPerIteration, 'task')} at most: those of its iteration.`;
    },
  }),
} satisfies Effects;

const weightPaths = {
  pass: 'failureTags.passWeight',
  unreadable: 'failureTags.unreadableWeight',
  wrongCall: 'failureTags.wrongCallWeight',
  wrongContent: 'failureTags.wrongContentWeight',
} as const;
type Tag = keyof typeof weightPaths;

function ruleOf(spec: ExperimentSpec): FailureTagRule {
  const tags = Object.entries(weightPaths);
  return {
    weights: new Map(tags.map(([tag, path]) => [tag, numberAt(spec, path) ?? 1])),
    passTags: new Set(['pass']),
    infrastructureTags: new Set(),
    minScale: numberAt(spec, 'failureTags.minScale') ?? 0,
    maxScale: numberAt(spec, 'failureTags.maxScale') ?? Infinity,
  };
}

/** The factor of a trajectory in which one turn has the tag and the others passed. */
const taggedOnce =
  (tag: Tag): Effect =>
  ({ spec }) => {
    const turns = Math.max(2, turnLimitOf(spec.environment));
    const rule = ruleOf(spec);
    const rest = Array.from({ length: turns - 1 }, () => 'pass');
    const factor = failureTagScale([tag, ...rest], rule.weights, rule);
    return tag === 'pass'
      ? `A trajectory whose turns all passed has its advantages multiplied by ${effectNumber(factor)}.`
      : `With one such turn among ${turns}, the others passed, advantages are multiplied by ${effectNumber(factor)}.`;
  };

const bounds: Effect = ({ spec }) => {
  const { minScale, maxScale } = ruleOf(spec);
  return `Advantages are multiplied by ${effectNumber(minScale)} to ${effectNumber(maxScale)}.`;
};

/** The heaviest weight that a failure can come to have. */
const largestWeight: Effect = ({ spec, value }) => {
  const { weights, minScale, maxScale } = ruleOf(spec);
  const [base, gain] = [weights.get('unreadable') ?? 1, 1 + numberOf({ value })];
  const target = Math.min(maxScale, Math.max(minScale, base * gain));
  return `If every turn were unreadable and nothing solved, that tag’s weight ${effectNumber(base)} would move to ${effectNumber(base)} × ${effectNumber(gain)} within the bounds: ${effectNumber(target)}.`;
};

const adaptation: Effect = (given) => {
  const beta = numberOf(given);
  if (beta === 0) return 'Weights stay as they are set.';
  if (beta === 1) return 'Weights are those of the latest iteration.';
  const half = Math.log(0.5) / Math.log(1 - beta);
  return `Weights come half of the way in ${effectNumber(half)} iterations.`;
};

const tagEffects = {
  'failureTags.kind': byOption<FailureTagsSpec['kind']>({
    none: () => 'Turns are tagged for the charts only.',
    seal: bounds,
  }),
  'failureTags.passWeight': taggedOnce('pass'),
  'failureTags.unreadableWeight': taggedOnce('unreadable'),
  'failureTags.wrongCallWeight': taggedOnce('wrongCall'),
  'failureTags.wrongContentWeight': taggedOnce('wrongContent'),
  'failureTags.minScale': bounds,
  'failureTags.maxScale': bounds,
  'failureTags.applyTo': byOption<'all' | 'positive' | 'negative'>({
    all: bounds,
    positive: (given) => `${bounds(given)} Negative ones stay as they are.`,
    negative: (given) => `${bounds(given)} Positive ones stay as they are.`,
  }),
  'failureTags.emaBeta': adaptation,
  'failureTags.prevalenceAlpha': largestWeight,
  'failureTags.confidenceSamples': (given) =>
    `A tag seen ${counted(1, 'time')} in an iteration counts ${effectNumber(1 / numberOf(given))} of its tally, from ${effectNumber(numberOf(given))} on all of it.`,
} satisfies Effects;

export const scheduleEffects = {
  ...groupEffects,
  ...pulseEffects,
  ...tagEffects,
} satisfies Record<keyof typeof scheduleFields, Effect>;
