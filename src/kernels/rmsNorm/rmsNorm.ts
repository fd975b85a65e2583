import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import type { Matrix } from '../matmul/matmul';
import backwardSource from './rmsNormBackward.wgsl?raw';
import gainSource from './rmsNormGain.wgsl?raw';
import source from './rmsNorm.wgsl?raw';

/** Root-mean-square norm with a gain over rows of every replica. Zhang and Sennrich 2019; ε = 1e-6. */
export interface NormRows {
  readonly numReplicas: number;
  readonly numRows: number;
  /** [1, width] of each replica; its gradient has the same shape. */
  readonly gain: Matrix;
}

function uniformsOf({ numRows, gain }: NormRows): number[] {
  return [numRows, gain.replicaStride, gain.offset];
}

/** x, out [R, rows, width]; keeps 1/rms of each row in `inverse` [R, rows] for the way back. */
export function rmsNorm(
  norm: NormRows,
  x: GPUBuffer,
  out: GPUBuffer,
  inverse: GPUBuffer,
): KernelCall {
  return {
    label: 'rms norm',
    source,
    constants: { WIDTH: norm.gain.columns },
    uniforms: uniformsOf(norm),
    buffers: [x, norm.gain.buffer, out, inverse],
    workgroups: [groupsFor(norm.numRows, 64), 1, norm.numReplicas],
  };
}

/** What went in and what came back. [R, rows, width], `inverse` [R, rows]. */
export interface NormBackward {
  readonly x: GPUBuffer;
  readonly inverse: GPUBuffer;
  readonly upstream: GPUBuffer;
}

/** The gradient of x [R, rows, width], added to what `gradient` holds or in its place. */
export function rmsNormBackward(
  norm: NormRows,
  { x, inverse, upstream }: NormBackward,
  gradient: GPUBuffer,
  way: 'add' | 'overwrite',
): KernelCall {
  return {
    label: 'rms norm backward',
    source: backwardSource,
    constants: { WIDTH: norm.gain.columns, ADD: way === 'add' ? 1 : 0 },
    uniforms: uniformsOf(norm),
    buffers: [x, norm.gain.buffer, inverse, upstream, gradient],
    workgroups: [groupsFor(norm.numRows, 64), 1, norm.numReplicas],
  };
}

/** Overwrites the gradient of the gain; `norm.gain` names where it goes. */
export function rmsNormGain(norm: NormRows, { x, inverse, upstream }: NormBackward): KernelCall {
  return {
    label: 'rms norm gain',
    source: gainSource,
    constants: { WIDTH: norm.gain.columns },
    uniforms: uniformsOf(norm),
    buffers: [x, inverse, upstream, norm.gain.buffer],
    workgroups: [groupsFor(norm.gain.columns, 64), 1, norm.numReplicas],
  };
}
