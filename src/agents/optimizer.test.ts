import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OptimizerSpec } from '../config/experimentSpec';
import { mismatch } from '../rl/golden/mismatch';
import { clipCoefficient, globalNorm } from '../rl/gradNorm';
import { createOptimizerState, flatten, optimizerStep, unflatten } from './optimizer';
import { selectBackend } from './tfjsBackend';

beforeAll(() => selectBackend('cpu'));

const adamw: Extract<OptimizerSpec, { kind: 'adamw' }> = {
  kind: 'adamw',
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-3,
  weightDecay: 0.2,
  maxGradNorm: null,
};
const sgd: Extract<OptimizerSpec, { kind: 'sgd' }> = {
  kind: 'sgd',
  learningRate: 0.1,
  momentum: 0.9,
  maxGradNorm: null,
};

/** Everything an optimizer holds, after the steps along `gradients`. */
interface After {
  readonly weights: Float32Array;
  readonly moment1: Float32Array;
  readonly moment2: Float32Array;
  readonly count: number;
}

function run(
  spec: OptimizerSpec,
  weights: readonly number[],
  gradients: readonly (readonly number[])[],
): After {
  return tf.tidy(() => {
    const state = createOptimizerState(spec, weights.length);
    let current = { weights: tf.tensor1d([...weights]), state };
    for (const values of gradients) {
      const gradient = tf.tensor1d([...values]);
      const normSquared = tf.sum<tf.Scalar>(tf.square(gradient));
      current = optimizerStep(spec, spec.learningRate, current, { gradient, normSquared });
    }
    return {
      weights: current.weights.dataSync<'float32'>(),
      moment1: current.state.moment1.dataSync<'float32'>(),
      moment2: current.state.moment2.dataSync<'float32'>(),
      count: current.state.count.dataSync<'float32'>()[0]!,
    };
  });
}

const start = [1, -2, 0.5];
const fiveGradients = [
  [0.3, -1, 0],
  [-0.2, 0.5, 2],
  [1.5, 0.25, -0.75],
  [0, -0.1, 0.01],
  [-3, 4, 1],
];

/** `torch.optim.AdamW`, one number at a time in float64. */
function referenceAdamw(weight: number, gradients: readonly number[]): [number, number, number] {
  let [w, m, v] = [weight, 0, 0];
  for (const [index, g] of gradients.entries()) {
    w -= adamw.learningRate * adamw.weightDecay * w;
    m = adamw.beta1 * m + (1 - adamw.beta1) * g;
    v = adamw.beta2 * v + (1 - adamw.beta2) * g * g;
    const mHat = m / (1 - adamw.beta1 ** (index + 1));
    const vHat = v / (1 - adamw.beta2 ** (index + 1));
    w -= (adamw.learningRate * mHat) / (Math.sqrt(vHat) + adamw.epsilon);
  }
  return [w, m, v];
}

/** `torch.optim.SGD` with momentum, without dampening; its first buffer is the first gradient. */
function referenceSgd(weight: number, gradients: readonly number[]): [number, number] {
  let w = weight;
  let buffer: number | null = null;
  for (const g of gradients) {
    buffer = buffer === null ? g : sgd.momentum * buffer + g;
    w -= sgd.learningRate * buffer;
  }
  return [w, buffer ?? 0];
}

describe('AdamW', () => {
  test('the first step moves every weight by the learning rate against the sign of its gradient, after decay', () => {
    // m̂ = g and v̂ = g², so m̂/√v̂ = ±1. Decay first: 1·(1 − 0.1·0.2) = 0.98, then 0.98 − 0.1 and 0.98 + 0.1.
    const spec = { ...adamw, epsilon: 0 };
    const { weights, count } = run(spec, [1, 1], [[2, -0.5]]);
    expect(mismatch(weights, [0.88, 1.08], 1e-5)).toBeNull();
    expect(count).toBe(1);
  });

  test('epsilon stands outside the root', () => {
    // √v̂ + ε = 0.5 + 0.5: half a step. Under the root it would be 0.5/√0.75 of one.
    const { weights } = run({ ...adamw, epsilon: 0.5, weightDecay: 0 }, [1], [[0.5]]);
    expect(weights[0]).toBeCloseTo(0.95, 5);
  });

  test('five steps are those of plain float64 loops, and so are both moments', () => {
    const after = run(adamw, start, fiveGradients);
    const expected = start.map((weight, i) =>
      referenceAdamw(
        weight,
        fiveGradients.map((gradient) => gradient[i]!),
      ),
    );
    // 1 − 0.99 in float32 is off by 6e-8/0.01 = 6e-6 of itself, so a step of 0.1 is off by less than 1e-6.
    const column = (index: 0 | 1 | 2): number[] => expected.map((values) => values[index]);
    expect(mismatch(after.weights, column(0), 2e-6)).toBeNull();
    expect(mismatch(after.moment1, column(1), 1e-6)).toBeNull();
    expect(mismatch(after.moment2, column(2), 1e-6)).toBeNull();
    expect(after.count).toBe(5);
  });
});

describe('SGD', () => {
  test('two steps with momentum 0.9 along a gradient of 1 go 0.1 and then 0.19', () => {
    // v₁ = 1, w = 1 − 0.1; v₂ = 0.9 + 1, w = 0.9 − 0.19
    expect(run(sgd, [1], [[1]]).weights[0]).toBeCloseTo(0.9, 6);
    expect(run(sgd, [1], [[1], [1]]).weights[0]).toBeCloseTo(0.71, 6);
  });

  test('five steps are those of plain float64 loops, and so is the velocity', () => {
    const after = run(sgd, start, fiveGradients);
    const expected = start.map((weight, i) =>
      referenceSgd(
        weight,
        fiveGradients.map((gradient) => gradient[i]!),
      ),
    );
    const column = (index: 0 | 1): number[] => expected.map((values) => values[index]);
    expect(mismatch(after.weights, column(0), 1e-6)).toBeNull();
    expect(mismatch(after.moment1, column(1), 1e-6)).toBeNull();
    expect(after.count).toBe(5);
  });
});

test('the clipping factor is that of rl/gradNorm, below, at and above the limit', () => {
  const entry = fc.double({ min: -10, max: 10, noNaN: true }).map(Math.fround);
  const gradients = fc.array(entry, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(gradients, fc.double({ min: 0.01, max: 20, noNaN: true }), (gradient, limit) => {
      // One step from 0 with learning rate 1 and without momentum lands at −factor · gradient.
      const spec = { ...sgd, learningRate: 1, momentum: 0, maxGradNorm: limit };
      const { weights } = run(
        spec,
        gradient.map(() => 0),
        [gradient],
      );
      const factor = clipCoefficient(globalNorm([Float64Array.from(gradient)]), limit);
      const expected = gradient.map((g) => -factor * g);
      expect(mismatch(weights, expected, 1e-6)).toBeNull();
    }),
  );
});

test('a gradient within the limit keeps its last bit', () => {
  const spec = { ...sgd, learningRate: 1, momentum: 0, maxGradNorm: 5.1 };
  expect([...run(spec, [0, 0], [[3, 4]]).weights]).toEqual([-3, -4]);
});

test('AdamW’s moments see the clipped gradient', () => {
  // Norm 5 and limit 1: a fifth of (3, 4), up to the 1e-6 in the divisor; the first moment is a tenth of that.
  const { moment1 } = run({ ...adamw, maxGradNorm: 1 }, [0, 0], [[3, 4]]);
  expect(mismatch(moment1, [0.06, 0.08], 1e-6)).toBeNull();
});

describe.each([
  ['AdamW', adamw],
  ['SGD', sgd],
  ['AdamW with clipping', { ...adamw, maxGradNorm: 1 }],
  ['SGD with clipping', { ...sgd, maxGradNorm: 1 }],
])('%s', (_name, spec) => {
  test.each([
    ['NaN', [0.1, NaN, 0.1]],
    ['infinite', [0.1, -Infinity, 0.1]],
    ['so large that its square overflows float32', [1e20, 0, 0]],
  ])('a gradient that is %s changes nothing, not even the next step', (_kind, bad) => {
    const [first, second] = [fiveGradients[0]!, fiveGradients[1]!];
    expect(run(spec, start, [bad])).toEqual(run(spec, start, []));
    expect(run(spec, start, [first, bad])).toEqual(run(spec, start, [first]));
    expect(run(spec, start, [first, bad, second])).toEqual(run(spec, start, [first, second]));
    // The comparison above is between bytes, so it has to be able to fail.
    expect(run(spec, start, [first, second])).not.toEqual(run(spec, start, [first]));
  });
});

test('unflatten gives back, shape by shape, what flatten joined', () => {
  const shape = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 5 }), (shapes) => {
      tf.tidy(() => {
        let next = 0;
        const tensors = shapes.map((lengths) => {
          const size = lengths.reduce((product, length) => product * length, 1);
          return tf.tensor(
            Array.from({ length: size }, () => next++),
            lengths,
          );
        });
        const vector = flatten(tensors);
        // In order, one after the other.
        expect([...vector.dataSync()]).toEqual(Array.from({ length: next }, (_, i) => i));
        const specs = shapes.map((lengths) => ({ name: 'w', shape: lengths, initialStd: null }));
        const parts = unflatten(vector, specs);
        expect(parts.map((part) => part.shape)).toEqual(shapes);
        expect(parts.map((part) => part.dataSync())).toEqual(
          tensors.map((tensor) => tensor.dataSync()),
        );
      });
    }),
    { numRuns: 50 },
  );
});
