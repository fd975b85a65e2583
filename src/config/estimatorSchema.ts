import * as z from 'zod/mini';
import { choice, number } from './schemaParts';

/** How a group's rewards become advantages, once it is known what the group is. */
const comparison = {
  center: choice('estimator.center', ['mean', 'leaveOneOut', 'max', 'none']),
  scale: choice('estimator.scale', ['std', 'groupMean', 'batchStd', 'none']),
  ddof: z.union([z.literal(0), z.literal(1)]),
  epsilon: number('estimator.epsilon'),
  minStd: number('estimator.minStd'),
  singleton: choice('estimator.singleton', ['zero', 'raw']),
};

const criticSettings = {
  critic: choice('estimator.critic', ['own', 'state', 'sum']),
  gamma: number('estimator.gamma'),
  isWhitened: z.boolean(),
  valueLearningRate: number('estimator.valueLearningRate'),
  valueEpochs: number('estimator.valueEpochs'),
};

/** From what rollouts earned to the advantage of each step. */
export const estimatorSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('group'),
    scope: choice('estimator.scope', [
      'task',
      'taskAgent',
      'taskAgentMeanOnly',
      'taskAgentStdOnly',
      'taskAgentTurn',
      'batch',
    ]),
    unit: choice('estimator.unit', ['trajectory', 'step']),
    ...comparison,
    alignment: choice('estimator.alignment', ['none', 'duplicateDrop', 'weighted', 'fifo']),
    alignTo: number('estimator.alignTo'),
  }),
  z.strictObject({ kind: z.literal('rollout'), ...comparison }),
  z.strictObject({
    kind: z.literal('turnReturn'),
    gamma: number('estimator.gamma'),
    ...comparison,
  }),
  z.strictObject({
    kind: z.literal('gigpo'),
    isPerAgent: z.boolean(),
    mode: choice('estimator.mode', ['meanNorm', 'meanStdNorm']),
    gamma: number('estimator.gamma'),
    stepWeight: number('estimator.stepWeight'),
    ddof: comparison.ddof,
    epsilon: comparison.epsilon,
    minStd: comparison.minStd,
  }),
  z.strictObject({ kind: z.literal('hierarchical') }),
  z.strictObject({
    kind: z.literal('movingBaseline'),
    baselineOf: choice('estimator.baselineOf', ['role', 'batch']),
    decay: number('estimator.decay'),
  }),
  z.strictObject({
    kind: z.literal('gae'),
    ...criticSettings,
    gaeLambda: number('estimator.gaeLambda'),
    valueClip: z.nullable(number('estimator.valueClip')),
  }),
  z.strictObject({
    kind: z.literal('vtrace'),
    ...criticSettings,
    traceLambda: number('estimator.traceLambda'),
    clipRho: z.nullable(number('estimator.clipRho')),
    clipC: z.nullable(number('estimator.clipC')),
    clipPgRho: z.nullable(number('estimator.clipPgRho')),
  }),
]);
