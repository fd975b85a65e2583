import * as tf from '@tensorflow/tfjs-core';
import { defaultLosses } from '../config/defaults';
import type { CohortSpec, ReplicaHyper, UpdateBatch } from '../protocol/policyApi';
import { foldIn, keyFromSeed, uniformInt } from '../rl/rng';
import { selectBackend } from './tfjsBackend';
import { createCohortModel, createReplica, disposeReplica, logitsAt } from './replica';
import { disposeSlices, sliceGradient, uploadSlices } from './updateReplica';

/**
 * A tiny step on the current backend against the same step on `cpu`, before anything is trained: GPU drivers with wrong results
 * exist. The architecture, vocabulary and loss are those of the run; the batch is small.
 */

/** |Δ| ≤ atol + rtol·|reference|: float32 sums in another order, through a few layers. */
const tolerance = { atol: 1e-5, rtol: 1e-4 };

export const testHyper: ReplicaHyper = {
  seed: 7,
  optimizer: { kind: 'sgd', learningRate: 0.1, momentum: 0, maxGradNorm: null },
  loss: { ...defaultLosses.clip, entropyCoef: 0.01 },
};

/** Six turns with different prompts and lengths, old logprobs off the policy so that clipping acts. */
export function testBatch(spec: CohortSpec): UpdateBatch {
  const numTurns = 6;
  const actionWidth = spec.maxActionTokens;
  const promptWidth = Math.max(1, spec.maxLength - actionWidth);
  const key = foldIn(keyFromSeed(testHyper.seed), 2);
  const token = (index: number): number => uniformInt(key, index, spec.vocabularySize);
  const lengths = Int32Array.from({ length: numTurns }, (_, row) => 1 + (row % promptWidth));
  return {
    objective: 'policyGradient',
    learningRates: new Float64Array([0.1]),
    replicas: new Int32Array(numTurns),
    agents: new Int32Array(numTurns),
    minibatches: new Int32Array(numTurns),
    weights: new Float32Array(numTurns).fill(1),
    promptTokens: Int32Array.from({ length: numTurns * promptWidth }, (_, i) => token(i)),
    promptLengths: lengths,
    promptWidth,
    actionTokens: Int32Array.from({ length: numTurns * actionWidth }, (_, i) => token(5000 + i)),
    actionLengths: Int32Array.from({ length: numTurns }, (_, row) => 1 + (row % actionWidth)),
    actionWidth,
    oldLogprobs: Float32Array.from(
      { length: numTurns * actionWidth },
      (_, i) => -Math.log(spec.vocabularySize) + ((i % 5) - 2) * 0.2,
    ),
    advantages: Float32Array.from({ length: numTurns }, (_, row) => 1.5 - row * 0.6),
    lossFactors: new Float32Array(numTurns * actionWidth).fill(1),
  };
}

export interface StepNumbers {
  /** [sites, vocabulary] */
  readonly logits: Float32Array;
  /** [P] */
  readonly gradient: Float32Array;
}

/** Logits and gradient of the test step on whatever backend is current. */
async function testStep(spec: CohortSpec): Promise<StepNumbers> {
  const model = createCohortModel(spec);
  const replica = createReplica(model, testHyper);
  const batch = testBatch(spec);
  const slices = uploadSlices(batch, [...batch.replicas.keys()], model, 'tokenMean');
  const slice = slices[0]!;
  const logits = tf.tidy(() => logitsAt(model, replica.weights, slice.turns));
  const { gradient, stats } = sliceGradient(model, replica, slice, 'policyGradient');
  const numbers = {
    logits: await logits.data<'float32'>(),
    gradient: await gradient.data<'float32'>(),
  };
  tf.dispose([logits, gradient, stats, ...Object.values(model.tables)]);
  disposeReplica(replica);
  disposeSlices(slices);
  return numbers;
}

/** Largest |Δ| and whether every element is within tolerance; a NaN never is. */
function compare(
  values: Float32Array,
  reference: Float32Array,
): { largest: number; isWithin: boolean } {
  let largest = 0;
  let isWithin = values.length === reference.length;
  for (const [index, expected] of reference.entries()) {
    const difference = Math.abs(values[index]! - expected);
    largest = difference > largest || Number.isNaN(difference) ? difference : largest;
    if (!(difference <= tolerance.atol + tolerance.rtol * Math.abs(expected))) isWithin = false;
  }
  return { largest, isWithin };
}

/** Largest |Δ| found. */
export interface SelfTestResult {
  readonly logits: number;
  readonly gradients: number;
}

/**
 * Largest deviations of logits and gradients of tfjs's current backend from `cpu`. Leaves the current backend as it was.
 * @throws Error with the numbers when a deviation exceeds the tolerance.
 */
export async function runSelfTest(spec: CohortSpec): Promise<SelfTestResult> {
  const backend = tf.getBackend();
  const measured = await testStep(spec);
  await tf.setBackend('cpu');
  const reference = await testStep(spec);
  await tf.setBackend(backend);
  return compareSteps(measured, reference, backend);
}

/** The test step of tfjs on `cpu`, which becomes the current backend. */
export async function referenceStep(spec: CohortSpec): Promise<StepNumbers> {
  await selectBackend('cpu');
  return testStep(spec);
}

/** Throws an Error with the numbers when a deviation exceeds the tolerance. */
export function compareSteps(
  measured: StepNumbers,
  reference: StepNumbers,
  backend: string,
): SelfTestResult {
  const logits = compare(measured.logits, reference.logits);
  const gradients = compare(measured.gradient, reference.gradient);
  if (!logits.isWithin || !gradients.isWithin)
    throw new Error(
      `The backend "${backend}" failed its self-test: logits differ from the CPU reference by up to ${logits.largest.toExponential(1)}, ` +
        `gradients by up to ${gradients.largest.toExponential(1)} (allowed: ${tolerance.atol} + ${tolerance.rtol} × |reference|). ` +
        'Its numbers cannot be trusted; choose the backend "wasm" or "cpu".',
    );
  return { logits: logits.largest, gradients: gradients.largest };
}
