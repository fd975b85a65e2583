import * as tf from '@tensorflow/tfjs-core';

/**
 * The gradient of a matrix product with explicit transposes. tfjs asks the kernel for transposed operands instead, and its wasm
 * kernel leaves the fast path then: the two products of a backward pass took 4 and 9 times as long. Same numbers otherwise.
 */

/** Swaps the last two axes. */
function swapped(x: tf.Tensor): tf.Tensor {
  const axes = Array.from({ length: x.rank }, (_, axis) => axis);
  return tf.transpose(x, [...axes.slice(0, -2), x.rank - 1, x.rank - 2]);
}

function matmulGradients(
  dy: tf.Tensor,
  a: tf.Tensor,
  b: tf.Tensor,
  transposed: { a: boolean; b: boolean },
): { a: () => tf.Tensor; b: () => tf.Tensor } {
  if (transposed.a && transposed.b)
    throw new Error(
      'matMul with both operands transposed has no gradient here: transpose the product.',
    );
  if (transposed.a) return { a: () => tf.matMul(b, swapped(dy)), b: () => tf.matMul(a, dy) };
  if (transposed.b) return { a: () => tf.matMul(dy, b), b: () => tf.matMul(swapped(dy), a) };
  return { a: () => tf.matMul(dy, swapped(b)), b: () => tf.matMul(swapped(a), dy) };
}

/** Replaces tfjs's own gradient of `matMul` in this thread. */
export function registerMatmulGradient(): void {
  tf.registerGradient({
    kernelName: tf.BatchMatMul,
    inputsToSave: ['a', 'b'],
    gradFunc: (dy, saved, attrs) => {
      const [a, b] = saved;
      if (a === undefined || b === undefined || Array.isArray(dy))
        throw new Error('matMul has two inputs and one output.');
      const { transposeA, transposeB } = attrs;
      return matmulGradients(dy, a, b, { a: transposeA === true, b: transposeB === true });
    },
  });
}
