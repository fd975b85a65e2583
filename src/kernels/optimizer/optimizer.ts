import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import accumulateSource from './accumulate.wgsl?raw';
import productsSource from './gradientProducts.wgsl?raw';
import prepareSource from './prepareStep.wgsl?raw';
import stepSource from './optimizerStep.wgsl?raw';
import squaresSource from './tensorSquares.wgsl?raw';

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
  /** [R, 4] 1 − β₁ᵗ, 1 − β₂ᵗ, t and nothing; zeros at the start. */
  readonly progress: GPUBuffer;
  /** [R, groups, 3] see `gradientProducts`: ‖gradient‖² before clipping, for whoever reads it back. */
  readonly products: GPUBuffer;
  /** [R, 2] scratch; afterwards its second number is 1 for a replica that took the step. */
  readonly factors: GPUBuffer;
}

/** Workgroups that share a replica's parameters, so that a large policy keeps a GPU busy. */
export function numProductGroups(numParameters: number): number {
  return Math.min(64, groupsFor(numParameters, 4096));
}

/** products [R, groups, 3] = partial sums of p·p, p·q and q·q of two parts [R, P] of a gradient: add the groups up. */
export function gradientProducts(
  numReplicas: number,
  numParameters: number,
  [p, q]: readonly [GPUBuffer, GPUBuffer],
  products: GPUBuffer,
): KernelCall {
  const numGroups = numProductGroups(numParameters);
  return {
    label: 'gradient products',
    source: productsSource,
    constants: { COUNT: numParameters, GROUPS: numGroups },
    buffers: [p, q, products],
    workgroups: [numGroups, 1, numReplicas],
  };
}

/** squares [R, tensors] = Σ g² over each parameter tensor of a gradient [R, P]; `starts`: int32 [tensors + 1], the last is P. */
export function tensorSquares(
  {
    numReplicas,
    numParameters,
    numTensors,
  }: { numReplicas: number; numParameters: number; numTensors: number },
  gradient: GPUBuffer,
  { starts, squares }: { starts: GPUBuffer; squares: GPUBuffer },
): KernelCall {
  return {
    label: 'tensor squares',
    source: squaresSource,
    constants: { COUNT: numParameters },
    buffers: [gradient, starts, squares],
    workgroups: [numTensors, 1, numReplicas],
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
  const { hypers, weights, gradient, moments1, moments2, progress, products, factors } = buffers;
  return [
    gradientProducts(numReplicas, numParameters, [gradient, gradient], products),
    {
      label: 'prepare step',
      source: prepareSource,
      constants: { REPLICAS: numReplicas, GROUPS: numProductGroups(numParameters) },
      buffers: [hypers, products, progress, factors],
      workgroups: [groupsFor(numReplicas, 64), 1, 1],
    },
    {
      label: 'optimizer step',
      source: stepSource,
      constants: { COUNT: numParameters },
      buffers: [hypers, progress, factors, gradient, weights, moments1, moments2],
      workgroups: [groupsFor(numParameters, 64), 1, numReplicas],
    },
  ];
}
