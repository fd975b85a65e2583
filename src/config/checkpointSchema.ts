import * as z from 'zod/mini';
import { architectureSchema, nameSchema, seedSchema } from './experimentSpec';
import { countSchema } from './schemaParts';

/**
 * Everything that decides what comes next after an iteration of a run. Randomness is drawn by keys and counters, so there is no state of
 * a generator. All numbers in arrays are finite. Axes: R replicas of a policy, P parameters of one, A agents of a world.
 */

const float32 = z.custom<Float32Array<ArrayBuffer>>((value) => value instanceof Float32Array);
const float64 = z.custom<Float64Array<ArrayBuffer>>((value) => value instanceof Float64Array);
const int32 = z.custom<Int32Array<ArrayBuffer>>((value) => value instanceof Int32Array);

const listOf = <T extends z.ZodMiniType>(entry: T, most: number) =>
  z.readonly(z.array(entry).check(z.maxLength(most)));

/** Most (arm, seed) pairs, and most networks of a run: a policy of each in the worst case. */
const maxReplicas = 64;
const maxNetworks = 4096;

/** One (arm, seed). */
const replicaId = z.strictObject({ arm: nameSchema, seed: seedSchema });

const parameter = z.strictObject({
  /** Name in a Hugging Face Llama checkpoint. Matrices are [in, out]: the transpose of such a file. */
  name: z.string().check(z.maxLength(96)),
  shape: listOf(countSchema, 4),
});

/** Weights and optimizer of one policy’s replicas, and which policy it is. */
const policy = z.strictObject({
  policyId: nameSchema,
  architecture: architectureSchema,
  vocabularySize: countSchema,
  /** Longest prompt plus action. */
  maxLength: countSchema,
  /** [R] */
  replicas: listOf(replicaId, maxReplicas),
  /** In the order in which they stand in the weights. */
  parameters: listOf(parameter, 4096),
  /** See `PolicyCheckpoint`. */
  numbers: z.strictObject({
    weights: float32,
    moments1: float32,
    moments2: float32,
    counts: float32,
    corrections: float32,
    reference: z.nullable(float32),
  }),
});

/** See `CriticCheckpoint`. */
const critic = z.strictObject({
  /** [R] */
  replicas: listOf(replicaId, maxReplicas),
  /** P */
  numParameters: countSchema,
  numbers: z.strictObject({
    weights: float32,
    moments1: float32,
    moments2: float32,
    counts: float32,
  }),
});

/** Rollouts in columns, see `packTrajectories` of the engine. */
const rollouts = z.strictObject({
  trajectories: float64,
  invocations: float64,
  turns: float64,
  tokens: int32,
  logprobs: float32,
});

const sign = z.strictObject({
  runLength: countSchema,
  since: z.nullable(countSchema),
  collapsedAt: z.nullable(countSchema),
});

/** What the watches of one agent remember. */
const agent = z.strictObject({
  /** [1] highest share of valid actions so far. */
  peak: float64,
  /** The first gradient norms. */
  baselineNorms: float64,
  /** The last gradient norms, oldest first. */
  recentNorms: float64,
  signs: z.strictObject({ validActionRate: sign, approxKl: sign, gradNorm: sign }),
});

/** Numbers by tag, in an order that is kept. */
const tagged = z.strictObject({
  names: listOf(z.string().check(z.maxLength(32)), 64),
  values: float64,
});

/** What one (arm, seed) carries from iteration to iteration beside its networks. */
const replica = z.strictObject({
  arm: nameSchema,
  seed: seedSchema,
  tokenCount: countSchema,
  /** [A + 1] moving baselines of the roles, and that of the batch. */
  baselines: float64,
  tags: z.nullable(z.strictObject({ weights: tagged, prevalences: tagged })),
  pulses: z.strictObject({ numIterations: countSchema, numPulses: countSchema }),
  /** [tasks, 2] rank and number of rollouts of each task that was solved; then the rollouts, task by task. */
  successes: z.strictObject({ tasks: float64, rollouts }),
  /** [A] */
  agents: listOf(agent, 32),
  /** Rollouts that wait to be learned from, batch by batch. */
  waiting: rollouts,
});

export const checkpointSchema = z.strictObject({
  /** Canonical JSON of the specification, and its hash. */
  spec: z.string(),
  specHash: z.string().check(z.regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits')),
  /** The last one that was done; 0 = the run stands behind its warm start. */
  iteration: countSchema,
  /** In the order of the plan. */
  policies: listOf(policy, maxNetworks),
  critics: listOf(critic, maxNetworks),
  /** In the order of the plan: all seeds of the first arm, then of the second, … */
  replicas: listOf(replica, maxReplicas),
});

export type CheckpointDocument = z.output<typeof checkpointSchema>;
export type SavedPolicy = CheckpointDocument['policies'][number];
export type SavedCritic = CheckpointDocument['critics'][number];
export type SavedReplica = CheckpointDocument['replicas'][number];
export type SavedRollouts = SavedReplica['waiting'];
