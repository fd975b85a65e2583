import { defaultLosses } from '../../config/defaults';
import type { ArchitectureSpec, LossSpec, OptimizerSpec } from '../../config/experimentSpec';
import type { CohortSpec, SampleCalls, UpdateBatch } from '../../protocol/policyApi';
import { foldIn, keyFromSeed } from '../../rl/rng';

/** A policy of about a thousand numbers, and turns as plain lists. */

export const smallArchitecture: ArchitectureSpec = {
  numLayers: 1,
  hiddenSize: 8,
  numHeads: 2,
  numKeyValueHeads: 1,
  intermediateSize: 10,
  tieEmbeddings: false,
  ropeTheta: 10_000,
};

export const smallCohort: CohortSpec = {
  policyId: 'solver',
  architecture: smallArchitecture,
  vocabularySize: 7,
  maxLength: 8,
  maxActionTokens: 3,
  backend: 'cpu',
};

export const plainSgd: OptimizerSpec = {
  kind: 'sgd',
  learningRate: 0.1,
  momentum: 0,
  maxGradNorm: null,
};

export const clippedLoss = {
  ...defaultLosses.clip,
  clipHigh: 0.28,
  entropyCoef: 0.05,
} satisfies LossSpec;

/** One turn of one replica. `oldLogprobs` has one entry per action token. Unit: nats. */
export interface PlainTurn {
  readonly replica?: number;
  readonly agent?: number;
  readonly minibatch?: number;
  readonly weight?: number;
  /** Of each action token; 1 if absent. */
  readonly lossFactors?: readonly number[];
  readonly prompt: readonly number[];
  readonly action: readonly number[];
  readonly oldLogprobs: readonly number[];
  readonly advantage: number;
}

function padded(rows: readonly (readonly number[])[]): { values: number[]; width: number } {
  const width = rows.reduce((longest, row) => Math.max(longest, row.length), 1);
  const values = rows.flatMap((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? 0),
  );
  return { values, width };
}

export function toUpdateBatch(
  turns: readonly PlainTurn[],
  objective: UpdateBatch['objective'],
  learningRates: readonly number[] = [0.1],
): UpdateBatch {
  const prompts = padded(turns.map(({ prompt }) => prompt));
  const actions = padded(turns.map(({ action }) => action));
  return {
    objective,
    learningRates: Float64Array.from(learningRates),
    replicas: Int32Array.from(turns, ({ replica }) => replica ?? 0),
    agents: Int32Array.from(turns, ({ agent }) => agent ?? 0),
    promptTokens: Int32Array.from(prompts.values),
    promptLengths: Int32Array.from(turns, ({ prompt }) => prompt.length),
    promptWidth: prompts.width,
    actionTokens: Int32Array.from(actions.values),
    actionLengths: Int32Array.from(turns, ({ action }) => action.length),
    actionWidth: actions.width,
    weights: Float32Array.from(turns, ({ weight }) => weight ?? 1),
    minibatches: Int32Array.from(turns, ({ minibatch }) => minibatch ?? 0),
    oldLogprobs: Float32Array.from(padded(turns.map((turn) => turn.oldLogprobs)).values),
    advantages: Float32Array.from(turns, ({ advantage }) => advantage),
    lossFactors: Float32Array.from(
      padded(turns.map((turn) => turn.lossFactors ?? turn.action.map(() => 1))).values,
    ),
  };
}

/** A prompt to continue; `noise` numbers its random stream. */
export interface PlainCall {
  readonly replica?: number;
  readonly prompt: readonly number[];
  readonly actionLength: number;
  readonly noise: number;
}

export function toSampleCalls(calls: readonly PlainCall[], greedy = false): SampleCalls {
  const prompts = padded(calls.map(({ prompt }) => prompt));
  return {
    replicas: Int32Array.from(calls, ({ replica }) => replica ?? 0),
    promptTokens: Int32Array.from(prompts.values),
    promptLengths: Int32Array.from(calls, ({ prompt }) => prompt.length),
    promptWidth: prompts.width,
    actionLengths: Int32Array.from(calls, ({ actionLength }) => actionLength),
    noiseKeys: Uint32Array.from(calls.flatMap(({ noise }) => foldIn(keyFromSeed(11), noise))),
    greedy,
  };
}
