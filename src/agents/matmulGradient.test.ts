import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { mismatch } from '../rl/golden/mismatch';
import { selectBackend } from './tfjsBackend';

beforeAll(() => selectBackend('cpu'));

interface Transposes {
  readonly a: boolean;
  readonly b: boolean;
}

interface Product {
  /** Number of independent products. */
  readonly batch: number;
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

/** A fixed matrix with entries in −1..1 that differ from each other. */
function entries(size: number, shift: number): Float32Array {
  return Float32Array.from({ length: size }, (_, i) => Math.sin(3 * i + shift));
}

/** Σ W ⊙ (op(A) · op(B)) by loops in float64. */
function weightedSum(
  { batch, rows, inner, columns }: Product,
  transposed: Transposes,
  operands: { a: ArrayLike<number>; b: ArrayLike<number>; w: ArrayLike<number> },
): number {
  let sum = 0;
  for (let cell = 0; cell < batch * rows * columns; cell++) {
    const [column, row] = [cell % columns, Math.floor(cell / columns) % rows];
    const matrix = Math.floor(cell / (rows * columns));
    for (let k = 0; k < inner; k++) {
      const inA = transposed.a ? k * rows + row : row * inner + k;
      const inB = transposed.b ? column * inner + k : k * columns + column;
      const product =
        operands.a[matrix * rows * inner + inA]! * operands.b[matrix * inner * columns + inB]!;
      sum += operands.w[cell]! * product;
    }
  }
  return sum;
}

/** ∂f/∂x of a function that is linear in x: a difference of any width is exact. */
function linearGradient(x: Float32Array, f: (x: Float64Array) => number): Float64Array {
  const start = f(Float64Array.from(x));
  return Float64Array.from(x, (_, index) => {
    const moved = Float64Array.from(x);
    moved[index]! += 1;
    return f(moved) - start;
  });
}

function gradientsOf(
  product: Product,
  transposed: Transposes,
  lead: readonly number[],
): { tfjs: Float32Array[]; reference: Float64Array[] } {
  const { batch, rows, inner, columns } = product;
  const a = entries(batch * rows * inner, 1);
  const b = entries(batch * inner * columns, 2);
  const w = entries(batch * rows * columns, 3);
  const shapeA = transposed.a ? [inner, rows] : [rows, inner];
  const shapeB = transposed.b ? [columns, inner] : [inner, columns];
  const tfjs = tf.tidy(() => {
    const weights = tf.tensor(w, [...lead, rows, columns]);
    const gradients = tf.grads((left: tf.Tensor, right: tf.Tensor) =>
      tf.sum<tf.Scalar>(tf.mul(weights, tf.matMul(left, right, transposed.a, transposed.b))),
    )([tf.tensor(a, [...lead, ...shapeA]), tf.tensor(b, [...lead, ...shapeB])]);
    return gradients.map((gradient) => gradient.dataSync<'float32'>());
  });
  const reference = [
    linearGradient(a, (moved) => weightedSum(product, transposed, { a: moved, b, w })),
    linearGradient(b, (moved) => weightedSum(product, transposed, { a, b: moved, w })),
  ];
  return { tfjs, reference };
}

describe.each([
  ['A·B', { a: false, b: false }],
  ['Aᵀ·B', { a: true, b: false }],
  ['A·Bᵀ', { a: false, b: true }],
])('the gradient of %s', (_name, transposed) => {
  const length = fc.integer({ min: 1, max: 5 });
  const shapes = fc.record({ batch: length, rows: length, inner: length, columns: length });

  test('is that of the product written as loops, for one matrix', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const { tfjs, reference } = gradientsOf({ ...shape, batch: 1 }, transposed, []);
        expect(mismatch(tfjs[0]!, reference[0]!, 1e-6)).toBeNull();
        expect(mismatch(tfjs[1]!, reference[1]!, 1e-6)).toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test('is that of each product on its own, for a stack of matrices', () => {
    fc.assert(
      fc.property(shapes, fc.boolean(), (shape, hasTwoLeadingAxes) => {
        const lead = hasTwoLeadingAxes ? [1, shape.batch] : [shape.batch];
        const { tfjs, reference } = gradientsOf(shape, transposed, lead);
        expect(mismatch(tfjs[0]!, reference[0]!, 1e-6)).toBeNull();
        expect(mismatch(tfjs[1]!, reference[1]!, 1e-6)).toBeNull();
      }),
      { numRuns: 30 },
    );
  });
});

test('with both operands transposed the gradient is an error that says what to do', () => {
  const square = { batch: 1, rows: 2, inner: 2, columns: 2 };
  expect(() => gradientsOf(square, { a: true, b: true }, [])).toThrow('transpose the product');
});
