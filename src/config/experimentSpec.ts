import * as z from 'zod/mini';
import { estimatorSchema } from './estimatorSchema';
import { interventionSchema, maxInterventions } from './interventionSchema';
import { lossSchema } from './lossSchema';
import { failureTagsSchema, groupsSchema, pulsesSchema } from './scheduleSchema';
import {
  choice,
  countSchema,
  nameSchema,
  number,
  overrideValueSchema,
  pathSchema,
} from './schemaParts';

const routeSearchAnswer = z.strictObject({
  kind: z.literal('routeSearchAnswer'),
  numKeys: number('environment.numKeys'),
  numValues: number('environment.numValues'),
  answerLength: number('environment.answerLength'),
  searchShare: number('environment.searchShare'),
  maxTurns: number('environment.maxTurns'),
  invalidPenalty: number('environment.invalidPenalty'),
});

const solveVerify = z.strictObject({
  kind: z.literal('solveVerify'),
  modulus: number('environment.modulus'),
  maxRounds: number('environment.maxRounds'),
  actOnce: z.boolean(),
  invalidPenalty: number('environment.invalidPenalty'),
});

const planExecute = z
  .strictObject({
    kind: z.literal('planExecute'),
    numSlots: number('environment.numSlots'),
    maxSubtasks: number('environment.maxSubtasks'),
    toolTurns: number('environment.toolTurns'),
    numKeys: number('environment.numKeys'),
    numValues: number('environment.numValues'),
    singleAgent: z.boolean(),
    invalidPenalty: number('environment.invalidPenalty'),
  })
  .check(
    z.refine((world) => world.maxSubtasks <= world.numSlots, {
      path: ['maxSubtasks'],
      error: 'must not exceed the number of slots',
    }),
  );

export const architectureSchema = z
  .strictObject({
    numLayers: number('policies.*.architecture.numLayers'),
    hiddenSize: number('policies.*.architecture.hiddenSize'),
    numHeads: number('policies.*.architecture.numHeads'),
    numKeyValueHeads: number('policies.*.architecture.numKeyValueHeads'),
    intermediateSize: number('policies.*.architecture.intermediateSize'),
    tieEmbeddings: z.boolean(),
    ropeTheta: number('policies.*.architecture.ropeTheta'),
  })
  .check(
    z.refine((a) => a.hiddenSize % (2 * a.numHeads) === 0, {
      path: ['numHeads'],
      error: 'width divided by heads must be an even whole number (rotary positions turn pairs)',
    }),
    z.refine((a) => a.numHeads % a.numKeyValueHeads === 0, {
      path: ['numKeyValueHeads'],
      error: 'must divide the number of heads',
    }),
  );

const maxGradNorm = z.nullable(number('policies.*.optimizer.maxGradNorm'));
const learningRate = number('policies.*.optimizer.learningRate');
const optimizer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('adamw'),
    learningRate,
    beta1: number('policies.*.optimizer.beta1'),
    beta2: number('policies.*.optimizer.beta2'),
    epsilon: number('policies.*.optimizer.epsilon'),
    weightDecay: number('policies.*.optimizer.weightDecay'),
    maxGradNorm,
  }),
  z.strictObject({
    kind: z.literal('sgd'),
    learningRate,
    momentum: number('policies.*.optimizer.momentum'),
    maxGradNorm,
  }),
]);

const policy = z.strictObject({
  isFrozen: z.boolean(),
  architecture: architectureSchema,
  optimizer,
  schedule: z.strictObject({
    kind: choice('policies.*.schedule.kind', ['constant', 'linear', 'cosine']),
    warmupIterations: number('policies.*.schedule.warmupIterations'),
    finalFraction: number('policies.*.schedule.finalFraction'),
  }),
});

/** The part of a specification that an arm may override: everything that describes one training. */
const trainingShape = {
  environment: z.discriminatedUnion('kind', [routeSearchAnswer, solveVerify, planExecute]),
  agents: z.record(nameSchema, z.strictObject({ policy: nameSchema })),
  policies: z.record(nameSchema, policy),
  estimator: estimatorSchema,
  loss: lossSchema,
  groups: groupsSchema,
  pulses: pulsesSchema,
  failureTags: failureTagsSchema,
  warmStart: z.strictObject({
    targetSuccess: number('warmStart.targetSuccess'),
    maxSteps: number('warmStart.maxSteps'),
    tasksPerStep: number('warmStart.tasksPerStep'),
    learningRate: number('warmStart.learningRate'),
  }),
};

export const seedSchema = countSchema.check(z.maximum(0xffffffff));

/** Named override: path → value, e.g. `{ 'estimator.scope': 'taskAgent' }`. */
const arm = z.strictObject({
  name: nameSchema,
  overrides: z.record(pathSchema, overrideValueSchema),
});

/** Version 1 of the document that describes an experiment completely. */
export const experimentSpecSchema = z.strictObject({
  version: z.literal(1),
  title: z.string().check(z.maxLength(120)),
  ...trainingShape,
  iterations: number('iterations'),
  evaluation: z.strictObject({
    every: number('evaluation.every'),
    tasks: number('evaluation.tasks'),
    greedy: z.boolean(),
  }),
  /** Measured on top, the same for all arms: changes no training. */
  diagnostics: z.strictObject({
    counterfactualNorms: z.boolean(),
    gradientConflict: z.boolean(),
    gradientConcentration: z.boolean(),
    blame: choice('diagnostics.blame', ['off', 'gradNorm', 'occlusion']),
    every: number('diagnostics.every'),
  }),
  arms: z.array(arm).check(z.minLength(1), z.maxLength(8)),
  seeds: z.array(seedSchema).check(z.minLength(1), z.maxLength(64)),
  backend: choice('backend', ['auto', 'webgpu', 'wasm', 'cpu']),
  /** Settings that change while the run goes on, in the order of iterations. Absent where none does. */
  interventions: z.exactOptional(
    z.array(interventionSchema).check(z.minLength(1), z.maxLength(maxInterventions)),
  ),
});

export type ExperimentSpec = z.infer<typeof experimentSpecSchema>;
export type EnvironmentSpec = ExperimentSpec['environment'];
export type PolicySpec = ExperimentSpec['policies'][string];
export type ArchitectureSpec = PolicySpec['architecture'];
export type OptimizerSpec = PolicySpec['optimizer'];
export type EstimatorSpec = ExperimentSpec['estimator'];
/** Statistics over groups of steps or trajectories. */
export type GroupEstimatorSpec = Extract<EstimatorSpec, { kind: 'group' }>;
export type LossSpec = ExperimentSpec['loss'];
export type GroupsSpec = ExperimentSpec['groups'];
export type PulsesSpec = ExperimentSpec['pulses'];
export type FailureTagsSpec = ExperimentSpec['failureTags'];
export type DiagnosticsSpec = ExperimentSpec['diagnostics'];
export type Backend = ExperimentSpec['backend'];
/** What something runs on in the end. */
export type ComputeBackend = Exclude<Backend, 'auto'>;
export type OverrideValue = z.infer<typeof overrideValueSchema>;
/** What one arm trains: the specification without arms, seeds and bookkeeping. */
export type TrainingSpec = Pick<ExperimentSpec, keyof typeof trainingShape>;

/** The roles of each world, in the order of the charts. `envs` must agree; a test there compares. */
export const agentIdsOf: Readonly<Record<EnvironmentSpec['kind'], readonly string[]>> = {
  routeSearchAnswer: ['router', 'search', 'answer'],
  solveVerify: ['solver', 'verifier'],
  planExecute: ['planner', 'executor'],
};

/** Worlds in which a main agent calls sub-agents, and each trajectory earns for itself. `envs` must agree; a test there compares. */
export const worldsWithInvocations: ReadonlySet<EnvironmentSpec['kind']> = new Set(['planExecute']);
