import * as z from 'zod/mini';
import { choice, number } from './schemaParts';

const episodes = {
  tasksPerIteration: number('groups.tasksPerIteration'),
  groupSize: number('groups.groupSize'),
  staleIterations: number('groups.staleIterations'),
};

/** How rollouts are drawn. */
export const groupsSchema = z.discriminatedUnion('sampling', [
  z.strictObject({ sampling: z.literal('parallel'), ...episodes }),
  z.strictObject({
    sampling: z.literal('tree'),
    ...episodes,
    teamRewardWeight: number('groups.teamRewardWeight'),
  }),
  z.strictObject({ sampling: z.literal('expand'), ...episodes }),
]);

const pulse = {
  sftSteps: number('pulses.sftSteps'),
  learningRate: number('pulses.learningRate'),
  rolloutsPerStep: number('pulses.rolloutsPerStep'),
  maxPerTask: number('pulses.maxPerTask'),
  source: choice('pulses.source', ['all', 'latest']),
};

/** Supervised pulses on the run's own successes, between iterations of reinforcement learning. */
export const pulsesSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('entropy'),
    minEntropy: number('pulses.minEntropy'),
    minRlIterations: number('pulses.minRlIterations'),
    ...pulse,
  }),
  z.strictObject({
    kind: z.literal('period'),
    numIterations: number('pulses.numIterations'),
    ...pulse,
  }),
]);

/** What a turn's failure tag does to its trajectory's advantages. */
export const failureTagsSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('seal'),
    passWeight: number('failureTags.passWeight'),
    unreadableWeight: number('failureTags.unreadableWeight'),
    wrongCallWeight: number('failureTags.wrongCallWeight'),
    wrongContentWeight: number('failureTags.wrongContentWeight'),
    minScale: number('failureTags.minScale'),
    maxScale: number('failureTags.maxScale'),
    applyTo: choice('failureTags.applyTo', ['all', 'positive', 'negative']),
    emaBeta: number('failureTags.emaBeta'),
    prevalenceAlpha: number('failureTags.prevalenceAlpha'),
    confidenceSamples: number('failureTags.confidenceSamples'),
  }),
]);
