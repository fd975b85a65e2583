import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import accumulateSource from './accumulate.wgsl?raw';
import dotSource from './dotProducts.wgsl?raw';
import prepareSource from './prepareStep.wgsl?raw';
import stepSource from './optimizerStep.wgsl?raw';

/** One replica's optimizer. */
export interface OptimizerHyper {
  readonly kind: 'adamw' | 'sgd';
  readonly learningRate: number;
  /** Of SGD: the momentum. */
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** null = no clipping. */
  readonly maxGradNorm: number | null;
  /** A finished or frozen replica takes no step. */
  readonly isActive: boolean;
}

/** float32 [R, 8] as the kernels read them. */
export function packHypers(hypers: readonly OptimizerHyper[]): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    hypers.flatMap((hyper) => [
      hyper.learningRate,
      hyper.beta1,
      hyper.beta2,
      hyper.epsilon,
      hyper.weightDecay,
      hyper.maxGradNorm ?? 0,
      hyper.kind === 'sgd' ? 1 : 0,
      hyper.isActive ? 1 : 0,
    ]),
  );
}

/** Buffers of a step; R replicas of P parameters. */
export interface OptimizerBuffers {
  /** [R, 8] see `packHypers`. */
  readonly hypers: GPUBuffer;
  /** [R, P] */
  readonly weights: GPUBuffer;
  readonly gradient: GPUBuffer;
  readonly moments1: GPUBuffer;
  readonly moments2: GPUBuffer;
  /** [R, 2] 1 − βᵗ; zeros at the start. */
  readonly corrections: GPUBuffer;
  /** [R] ‖gradient‖² before clipping, for whoever reads it back. */
  readonly squares: GPUBuffer;
  /** [R, 2] scratch; afterwards its second number is 1 for a replica that took the step. */
  readonly factors: GPUBuffer;
}

/** dots [R] = Σ a·b over each replica's parameters; both [R, P]. */
export function dotProducts(
  numReplicas: number,
  numParameters: number,
  [a, b]: readonly [GPUBuffer, GPUBuffer],
  dots: GPUBuffer,
): KernelCall {
  return {
    label: 'dot products',
    source: dotSource,
    constants: { COUNT: numParameters },
    buffers: [a, b, dots],
    workgroups: [1, 1, numReplicas],
  };
}

/** total = part or total += part, both of `count` numbers. */
export function accumulate(
  count: number,
  part: GPUBuffer,
  total: GPUBuffer,
  way: 'add' | 'overwrite',
): KernelCall {
  return {
    label: 'accumulate',
    source: accumulateSource,
    constants: { COUNT: count, ADD: way === 'add' ? 1 : 0 },
    buffers: [part, total],
    workgroups: [Math.min(65_535, groupsFor(count, 64)), 1, 1],
  };
}

/**
 * A step of every replica with clipping by the global norm (PyTorch: factor min(1, max/(‖g‖ + 1e-6))): AdamW (Loshchilov and Hutter 2019,
 * PyTorch's order) or SGD with momentum. A gradient whose norm is not finite changes nothing: weights, moments and step count stay.
 */
export function optimizerCalls(
  numReplicas: number,
  numParameters: number,
  buffers: OptimizerBuffers,
): KernelCall[] {
  const { hypers, weights, gradient, moments1, moments2, corrections, squares, factors } = buffers;
  return [
    dotProducts(numReplicas, numParameters, [gradient, gradient], squares),
    {
      label: 'prepare step',
      source: prepareSource,
      constants: { REPLICAS: numReplicas },
      buffers: [hypers, squares, corrections, factors],
      workgroups: [groupsFor(numReplicas, 64), 1, 1],
    },
    {
      label: 'optimizer step',
      source: stepSource,
      constants: { COUNT: numParameters },
      buffers: [hypers, corrections, factors, gradient, weights, moments1, moments2],
      workgroups: [groupsFor(numParameters, 64), 1, numReplicas],
    },
  ];
}
