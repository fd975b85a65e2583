import * as tf from '@tensorflow/tfjs-core';
import {
  createOptimizerState,
  flatten,
  optimizerStep,
  unflatten,
} from '../../src/agents/optimizer';
import { selectBackend } from '../../src/agents/tfjsBackend';
import { createTables, forwardLogits, oneHotRows } from '../../src/agents/tfjsModel';
import type { Training } from './training';
import { adam, type TrainingTask } from './trainingTask';

/** The step in tfjs ops: the project's own model and its optimizer over one flat vector, a dozen ops instead of a dozen per tensor. */
export async function createTfjsTraining(
  task: TrainingTask,
  backend: 'webgpu' | 'wasm',
): Promise<Training> {
  await selectBackend(backend);
  const { architecture, shape, specs, numParameters } = task;
  const tables = createTables(architecture, shape.length);
  const rows = tf.range(0, task.tokens.length, 1, 'int32');
  const input = {
    tokens: tf.tensor2d(task.tokens, [shape.numSequences, shape.length], 'int32'),
    sites: { rows, siteOfRow: rows },
  };
  const targets = oneHotRows(tf.tensor1d(task.targets, 'int32'), shape.vocabularySize);
  const lossOf = (weights: readonly tf.Tensor[]): tf.Scalar => {
    const logprobs = tf.logSoftmax(forwardLogits(architecture, tables, weights, input));
    return tf.neg(tf.div(tf.sum<tf.Scalar>(tf.mul(logprobs, targets)), task.tokens.length));
  };
  let weights: tf.Tensor[] = task.weights.map((values, index) =>
    tf.tensor(values, [...specs[index]!.shape]),
  );
  let state = createOptimizerState(adam, numParameters);
  let loss: tf.Tensor = tf.scalar(NaN);
  return {
    step() {
      const next = tf.tidy(() => {
        const { value, grads } = tf.valueAndGrads((...some: tf.Tensor[]) => lossOf(some))(weights);
        const gradient = flatten(grads);
        const normSquared = tf.sum<tf.Scalar>(tf.square(gradient));
        const current = { weights: flatten(weights), state };
        const after = optimizerStep(adam, adam.learningRate, current, { gradient, normSquared });
        return { value, state: { ...after.state }, weights: unflatten(after.weights, specs) };
      });
      tf.dispose([loss, ...weights, state.moment1, state.moment2, state.count]);
      ({ value: loss, weights, state } = next);
    },
    start: () => Promise.resolve(),
    lastLosses: async () => [...(await loss.data<'float32'>())],
  };
}
