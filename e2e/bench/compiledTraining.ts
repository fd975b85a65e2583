import { createArenas, createPassBuffers } from '../../src/agents/compiledBuffers';
import { backwardCalls, forwardCalls, type PassShape } from '../../src/agents/compiledPass';
import { createStorage, readFloats, uploadStorage } from '../../src/gpu/buffers';
import { createPipelineCache, createPlan, submitPlans } from '../../src/gpu/plan';
import {
  numProductGroups,
  optimizerCalls,
  packHypers,
  type OptimizerBuffers,
} from '../../src/kernels/optimizer/optimizer';
import {
  packLosses,
  packLossTokens,
  policyLossCalls,
  turnStats,
  type LossBuffers,
  type LossHyper,
} from '../../src/kernels/policyLoss/policyLoss';
import type { Training } from './training';
import { adam, type TrainingTask } from './trainingTask';

/** The step on the project's own kernels: one plan, one submit. Axes: R replicas, all with the same numbers; K sites = B · T. */

const supervised: LossHyper = {
  kind: 'supervised',
  low: 0,
  high: 0,
  dualClip: null,
  tauPositive: 1,
  tauNegative: 1,
  klCoef: 0,
  klEstimator: 'k3',
  maxMeanLogRatio: null,
  entropyCoef: 0,
};

/** Bits of 4-byte numbers, the same for every replica. */
function repeated(
  values: Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>,
  numReplicas: number,
): Uint32Array<ArrayBuffer> {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const all = new Uint32Array(values.length * numReplicas);
  for (let replica = 0; replica < numReplicas; replica++) all.set(bits, replica * bits.length);
  return all;
}

function numSitesOf({ shape }: TrainingTask): number {
  return shape.numSequences * shape.length;
}

/** Every place of every sequence is a site, and its target the one token drawn there. */
function createLossBuffers(
  device: GPUDevice,
  task: TrainingTask,
  numReplicas: number,
  pass: { logits: GPUBuffer; logitGradient: GPUBuffer },
): LossBuffers {
  const numSites = numSitesOf(task);
  const upload = (label: string, values: Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>) =>
    uploadStorage(device, repeated(values, numReplicas), label);
  const empty = (label: string, length: number): GPUBuffer =>
    createStorage(device, numReplicas * length, label);
  const tokens = Array.from(task.targets, (token, site) => ({
    site,
    token,
    oldLogprob: 0,
    refLogprob: 0,
    lossWeight: 1 / numSites,
    klWeight: 0,
    share: 1 / numSites,
  }));
  const cells = Int32Array.from(tokens.flatMap(({ site, token }) => [site, token]));
  return {
    losses: upload('losses', packLosses([supervised])),
    tokens: upload('loss tokens', packLossTokens(tokens)),
    advantages: empty('advantages', task.shape.numSequences),
    logits: pass.logits,
    starts: upload(
      'starts',
      Int32Array.from({ length: numSites + 1 }, (_, site) => site),
    ),
    cells: upload('cells', cells),
    siteShares: upload('site shares', new Float32Array(numSites).fill(1 / numSites)),
    sites: empty('sites', 2 * numSites),
    slopes: empty('slopes', numSites),
    stats: empty('statistics', task.shape.numSequences * turnStats.length),
    summary: empty('summary', turnStats.length + 1),
    gradient: pass.logitGradient,
  };
}

function createOptimizerBuffers(
  device: GPUDevice,
  numReplicas: number,
  numParameters: number,
  arenas: { weights: GPUBuffer; gradients: GPUBuffer },
): OptimizerBuffers {
  const empty = (label: string, length: number): GPUBuffer =>
    createStorage(device, numReplicas * length, label);
  return {
    hypers: empty('hypers', packHypers([{ ...adam, isActive: true }]).length),
    weights: arenas.weights,
    gradient: arenas.gradients,
    moments1: empty('first moments', numParameters),
    moments2: empty('second moments', numParameters),
    progress: empty('progress', 4),
    products: empty('products', 3 * numProductGroups(numParameters)),
    factors: empty('factors', 2),
  };
}

function flatWeights({ weights, numParameters }: TrainingTask): Float32Array<ArrayBuffer> {
  const flat = new Float32Array(numParameters);
  let offset = 0;
  for (const values of weights) {
    flat.set(values, offset);
    offset += values.length;
  }
  return flat;
}

/** Each step writes the optimizer's hyper-parameters, as training with a schedule does. */
export async function createCompiledTraining(
  device: GPUDevice,
  task: TrainingTask,
  numReplicas: number,
): Promise<Training> {
  const { architecture, numParameters, shape } = task;
  const numSites = numSitesOf(task);
  const passShape: PassShape = {
    architecture,
    vocabularySize: shape.vocabularySize,
    numReplicas,
    numSequences: shape.numSequences,
    length: shape.length,
    numSites,
  };
  const arenas = createArenas(device, numReplicas, numParameters);
  const buffers = createPassBuffers(device, passShape, arenas);
  const lossBuffers = createLossBuffers(device, task, numReplicas, buffers);
  const optimizer = createOptimizerBuffers(device, numReplicas, numParameters, arenas);
  const rows = Int32Array.from({ length: numSites }, (_, row) => row);
  device.queue.writeBuffer(buffers.tokens, 0, repeated(task.tokens, numReplicas));
  device.queue.writeBuffer(buffers.siteRows, 0, repeated(rows, numReplicas));
  device.queue.writeBuffer(buffers.siteOfRow, 0, repeated(rows, numReplicas));
  device.queue.writeBuffer(buffers.weights, 0, repeated(flatWeights(task), numReplicas));
  const lossShape = {
    numReplicas,
    numTurns: shape.numSequences,
    maxTokens: shape.length,
    numSites,
    vocabularySize: shape.vocabularySize,
  };
  const plan = await createPlan(createPipelineCache(device), [
    ...forwardCalls(passShape, buffers),
    ...policyLossCalls(lossShape, lossBuffers),
    ...backwardCalls(passShape, buffers),
    ...optimizerCalls(numReplicas, numParameters, optimizer),
  ]);
  const hypers = packHypers(
    Array.from({ length: numReplicas }, () => ({ ...adam, isActive: true })),
  );
  return {
    step() {
      device.queue.writeBuffer(optimizer.hypers, 0, hypers);
      submitPlans(device, [plan]);
    },
    start: () => Promise.resolve(),
    async lastLosses() {
      const summary = await readFloats(device, lossBuffers.summary);
      const stride = turnStats.length + 1;
      return Array.from({ length: numReplicas }, (_, replica) => summary[replica * stride]!);
    },
  };
}
