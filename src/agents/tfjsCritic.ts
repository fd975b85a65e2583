import * as tf from '@tensorflow/tfjs-core';
import type {
  CriticApi,
  CriticCheckpoint,
  CriticInputs,
  CriticTargets,
  CriticUpdateStats,
} from '../protocol/criticApi';
import { groupRows } from './groupRows';
import { createKeptCheckpoints } from './keptCheckpoints';
import { packValues } from './packValues';
import { selectBackend } from './tfjsBackend';
import { readTrained, stackTrained, trainedAt, writeTrained } from './tfjsCheckpoint';
import {
  createValueModel,
  createValueNetwork,
  disposeNetwork,
  stepNetwork,
  uploadValues,
  valuesOf,
  type ValueModel,
  type ValueNetwork,
} from './valueNetwork';

interface Critic {
  readonly model: ValueModel;
  /** Replaced entry by entry as updates go by. */
  readonly networks: ValueNetwork[];
}

function disposeCritic({ model, networks }: Critic): void {
  for (const network of networks) disposeNetwork(network);
  tf.dispose(Object.values(model.tables));
}

function rowsByReplica({ replicas }: CriticInputs): Map<number, number[]> {
  return groupRows(replicas.keys(), (row) => replicas[row]!);
}

/** All forward passes are issued before the first read-back is awaited. */
async function valueSteps(
  { model, networks }: Critic,
  inputs: CriticInputs,
): Promise<Float32Array> {
  const pending = Array.from(rowsByReplica(inputs), ([replica, rows]) => {
    const packed = packValues(inputs, rows, null);
    const device = uploadValues(packed);
    const values = tf.tidy(() => valuesOf(model, networks[replica]!.weights, device));
    tf.dispose(Object.values(device));
    return { packed, data: values.data<'float32'>().finally(() => values.dispose()) };
  });
  const values = new Float32Array(inputs.numSteps);
  for (const { packed, data } of pending) {
    const ofPacked = await data;
    for (const [place, step] of packed.steps.entries())
      values[step] = ofPacked[packed.packedOf[place]!]!;
  }
  return values;
}

/** Of one epoch's statistics [loss, ‖gradient‖²]. */
function gradNormOf(epoch: Float32Array): number {
  return Math.sqrt(epoch[1]!);
}

function toStats(replica: number, epochs: readonly Float32Array[]): CriticUpdateStats {
  const mean = (of: (epoch: Float32Array) => number): number =>
    epochs.reduce((sum, epoch) => sum + of(epoch), 0) / epochs.length;
  return {
    replica,
    valueLoss: mean((epoch) => epoch[0]!),
    gradNorm: mean(gradNormOf),
    updateSkipped: epochs.filter((epoch) => !Number.isFinite(gradNormOf(epoch))).length,
  };
}

/** All epochs of all replicas are issued before the first read-back is awaited. */
async function learnTargets(
  { model, networks }: Critic,
  inputs: CriticInputs,
  targets: CriticTargets,
): Promise<CriticUpdateStats[]> {
  const pending = Array.from(rowsByReplica(inputs), ([replica, rows]) => {
    const device = uploadValues(packValues(inputs, rows, targets));
    const { numEpochs } = networks[replica]!.hyper;
    const epochs = Array.from({ length: numEpochs }, () => {
      const before = networks[replica]!;
      const { network, stats } = stepNetwork(model, before, device);
      disposeNetwork(before);
      networks[replica] = network;
      return stats;
    });
    tf.dispose(Object.values(device));
    return { replica, epochs };
  });
  return Promise.all(
    pending.map(async ({ replica, epochs }) => {
      const read = await Promise.all(epochs.map((stats) => stats.data<'float32'>()));
      tf.dispose(epochs);
      return toStats(replica, read);
    }),
  );
}

/**
 * A critic on tfjs. One per thread, because tfjs has one current backend per thread.
 * @throws Error from `values` and `update` before `create`.
 */
export function createTfjsCritic(): CriticApi {
  let critic: Critic | null = null;
  let kept = createKeptCheckpoints<CriticCheckpoint>();
  const created = (): Critic => {
    if (critic === null) throw new Error('The critic has no networks: call create() first.');
    return critic;
  };
  return {
    async create(spec, replicas) {
      if (critic !== null) disposeCritic(critic);
      critic = null;
      kept = createKeptCheckpoints();
      await selectBackend(spec.backend);
      const model = createValueModel(spec);
      critic = { model, networks: replicas.map((hyper) => createValueNetwork(model, hyper)) };
    },
    values: (inputs) => valueSteps(created(), inputs),
    update: (inputs, targets) => learnTargets(created(), inputs, targets),
    async keepCheckpoint(checkpoint) {
      const { networks } = created();
      const trained = await Promise.all(networks.map((network) => readTrained(network)));
      kept.keep(checkpoint, stackTrained(trained));
    },
    async restoreCheckpoint(checkpoint) {
      const { model, networks } = created();
      const all = kept.get(checkpoint);
      for (const [index, before] of networks.entries()) {
        const numbers = trainedAt(all, index);
        const { hyper } = before;
        networks[index] = { hyper, ...writeTrained(numbers, model.parameters, 'adamw') };
        disposeNetwork(before);
      }
    },
    async copyCheckpoint(checkpoint) {
      const { weights, moments1, moments2, counts } = kept.get(checkpoint);
      return {
        weights: weights.slice(),
        moments1: moments1.slice(),
        moments2: moments2.slice(),
        counts: counts.slice(),
      };
    },
    async putCheckpoint(checkpoint, numbers) {
      kept.keep(checkpoint, numbers);
    },
    dispose() {
      if (critic !== null) disposeCritic(critic);
      critic = null;
      return Promise.resolve();
    },
  };
}
