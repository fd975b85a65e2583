import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import type { ArchitectureSpec } from '../config/experimentSpec';
import { readFloats } from '../gpu/buffers';
import { createPipelineCache, createPlan, submitPlans } from '../gpu/plan';
import { normals } from '../gpu/testing/arrays';
import { dawnDevice } from '../gpu/testing/dawnDevice';
import {
  createArenas,
  createPassBuffers,
  destroyPassBuffers,
  type PassBuffers,
} from './compiledBuffers';
import { backwardCalls, forwardCalls, type PassShape } from './compiledPass';
import { parameterSpecs, sizeOf } from './parameters';
import { numParametersOf } from './parameterViews';
import { selectBackend } from './tfjsBackend';
import { createTables, forwardLogits } from './tfjsModel';

/** The compiled forward and backward pass against the tfjs model on `cpu`: logits and every named gradient. */

let device: GPUDevice;
beforeAll(async () => {
  await selectBackend('cpu');
  device = await dawnDevice();
});

const architectures: Record<string, ArchitectureSpec> = {
  'the default policy': {
    numLayers: 2,
    hiddenSize: 32,
    numHeads: 4,
    numKeyValueHeads: 4,
    intermediateSize: 88,
    tieEmbeddings: false,
    ropeTheta: 10_000,
  },
  'grouped queries, a tied head, odd sizes': {
    numLayers: 1,
    hiddenSize: 24,
    numHeads: 3,
    numKeyValueHeads: 1,
    intermediateSize: 41,
    tieEmbeddings: true,
    ropeTheta: 100,
  },
  'three layers, two key heads': {
    numLayers: 3,
    hiddenSize: 16,
    numHeads: 4,
    numKeyValueHeads: 2,
    intermediateSize: 33,
    tieEmbeddings: false,
    ropeTheta: 10_000,
  },
};

/** One replica's inputs: weights of the size that training has, tokens, distinct sites, and a gradient of the logits. */
function drawn(shape: PassShape, replica: number) {
  const { numSequences, length, numSites, vocabularySize } = shape;
  const numRows = numSequences * length;
  const specs = parameterSpecs(shape.architecture, vocabularySize);
  const parameters = specs.map(({ shape: own, initialStd }, index) =>
    normals(100 * replica + index, sizeOf(own)).map((value) =>
      initialStd === null ? 1 + 0.1 * value : value * Math.max(initialStd, 0.2),
    ),
  );
  const tokens = Int32Array.from({ length: numRows }, (_, i) => (i * 7 + replica) % vocabularySize);
  const siteRows = Int32Array.from(
    { length: numSites },
    (_, site) => (site * 3 + replica) % numRows,
  );
  const siteOfRow = new Int32Array(numRows).fill(numSites);
  for (const [site, row] of siteRows.entries()) siteOfRow[row] = site;
  const upstream = normals(50 + replica, numSites * vocabularySize);
  return { specs, parameters, tokens, siteRows, siteOfRow, upstream };
}

/** Logits and gradients of Σ logits · upstream by tfjs. */
function reference(shape: PassShape, replica: ReturnType<typeof drawn>) {
  const { architecture, numSequences, length, numSites, vocabularySize } = shape;
  const tables = createTables(architecture, length);
  const weights = replica.parameters.map((values, i) =>
    tf.tensor(values, [...replica.specs[i]!.shape]),
  );
  const input = {
    tokens: tf.tensor2d(replica.tokens, [numSequences, length], 'int32'),
    sites: {
      rows: tf.tensor1d(replica.siteRows, 'int32'),
      siteOfRow: tf.tensor1d(replica.siteOfRow, 'int32'),
    },
  };
  const upstream = tf.tensor2d(replica.upstream, [numSites, vocabularySize]);
  const { grads } = tf.valueAndGrads((...some: tf.Tensor[]) =>
    tf.sum<tf.Scalar>(tf.mul(forwardLogits(architecture, tables, some, input), upstream)),
  )(weights);
  const logits = forwardLogits(architecture, tables, weights, input).dataSync<'float32'>();
  return { logits, gradients: grads.map((grad) => grad.dataSync<'float32'>()) };
}

/** Largest |Δ| − (1e-5 + 1e-4·|reference|) over the elements, relative to the largest reference: ≤ 0 within tolerance. */
function excess(actual: Float32Array, expected: Float32Array): number {
  const scale = expected.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1);
  let worst = -Infinity;
  for (const [i, value] of expected.entries())
    worst = Math.max(worst, Math.abs(actual[i]! - value) - scale * 1e-5 - 1e-4 * Math.abs(value));
  return worst;
}

const usual = { vocabularySize: 13, numReplicas: 2, numSequences: 7, length: 6, numSites: 11 };
const small = architectures['the default policy']!;
const cases: Record<string, PassShape> = {
  ...Object.fromEntries(
    Object.entries(architectures).map(([name, architecture]) => [name, { architecture, ...usual }]),
  ),
  'one replica': { architecture: small, ...usual, numReplicas: 1 },
  'sixteen replicas': { architecture: small, ...usual, numReplicas: 16, numSequences: 2 },
  'sequences of one token': {
    architecture: small,
    ...usual,
    numSequences: 17,
    length: 1,
  },
};

test.each(Object.entries(cases))(
  '%s: logits and every gradient of stacked replicas are those of tfjs on the CPU',
  async (_name, shape) => {
    const { architecture } = shape;
    const replicas = Array.from({ length: shape.numReplicas }, (_, index) => drawn(shape, index));
    const numParameters = numParametersOf(architecture, shape.vocabularySize);
    const arenas = createArenas(device, shape.numReplicas, numParameters);
    const buffers = createPassBuffers(device, shape, arenas);
    for (const [index, replica] of replicas.entries()) {
      const write = (
        buffer: GPUBuffer,
        values: Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>,
      ): void => device.queue.writeBuffer(buffer, 4 * index * values.length, values);
      write(buffers.tokens, replica.tokens);
      write(buffers.siteRows, replica.siteRows);
      write(buffers.siteOfRow, replica.siteOfRow);
      write(buffers.logitGradient, replica.upstream);
      const weights = new Float32Array(numParameters);
      let offset = 0;
      for (const values of replica.parameters) {
        weights.set(values, offset);
        offset += values.length;
      }
      write(buffers.weights, weights);
    }
    const cache = createPipelineCache(device);
    const forward = await createPlan(cache, forwardCalls(shape, buffers));
    const backward = await createPlan(cache, backwardCalls(shape, buffers));
    // Twice: a replay starts from what the first run left.
    submitPlans(device, [forward, backward]);
    submitPlans(device, [forward, backward]);
    const logits = await readFloats(device, buffers.logits);
    const gradients = await readFloats(device, buffers.gradients);
    destroyPassBuffers(buffers);
    for (const [index, replica] of replicas.entries()) {
      const expected = reference(shape, replica);
      const size = expected.logits.length;
      expect(
        excess(logits.subarray(index * size, (index + 1) * size), expected.logits),
      ).toBeLessThan(0);
      let offset = index * numParameters;
      const wrong = replica.specs.flatMap(({ name }, i) => {
        const own = gradients.subarray(offset, offset + expected.gradients[i]!.length);
        offset += own.length;
        const beyond = excess(own, expected.gradients[i]!);
        return beyond < 0 ? [] : [`${name}: ${beyond} beyond`];
      });
      expect(wrong).toEqual([]);
    }
  },
);

/** Buffers that nothing is written to. */
function buffersOf(shape: PassShape): PassBuffers {
  const numParameters = numParametersOf(shape.architecture, shape.vocabularySize);
  return createPassBuffers(device, shape, createArenas(device, shape.numReplicas, numParameters));
}

test('dispatches grow with the layers alone: 3 + 9 L forwards, 4 + 13 L backwards', () => {
  for (const numLayers of [1, 2, 4])
    for (const numReplicas of [1, 16]) {
      const shape = { architecture: { ...small, numLayers }, ...usual, numReplicas };
      const buffers = buffersOf(shape);
      expect(forwardCalls(shape, buffers)).toHaveLength(3 + 9 * numLayers);
      expect(backwardCalls(shape, buffers)).toHaveLength(4 + 13 * numLayers);
    }
});

test('a new shape, more layers and more replicas compile nothing new', async () => {
  const cache = createPipelineCache(device);
  const sizes: number[] = [];
  for (const changes of [
    {},
    { numSequences: 9, length: 4, numSites: 5 },
    { numReplicas: 5, length: 1 },
    { architecture: { ...small, numLayers: 4 } },
  ]) {
    const shape = { architecture: small, ...usual, ...changes };
    const buffers = buffersOf(shape);
    await createPlan(cache, [...forwardCalls(shape, buffers), ...backwardCalls(shape, buffers)]);
    sizes.push(cache.size());
  }
  expect(new Set(sizes).size).toBe(1);
});
