import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import type { Matrix } from '../matmul/matmul';
import backwardSource from './rmsNormBackward.wgsl?raw';
import source from './rmsNorm.wgsl?raw';

/** Root-mean-square norm with a gain over rows of every replica. Zhang and Sennrich 2019; ε = 1e-6. */
export interface NormRows {
  readonly numReplicas: number;
  /** Rows of x. */
  readonly numRows: number;
  /** [1, width] of each replica, width a multiple of 4. */
  readonly gain: Matrix;
  /** Some rows of x alone; all of them if absent. */
  readonly taken?: TakenRows;
  /** Something to bind where nothing is read. */
  readonly unused: GPUBuffer;
}

/** Which rows of x go in: each at most once but for row 0, which also fills up. */
interface TakenRows {
  readonly numTaken: number;
  /** int32 [R, taken] */
  readonly rows: GPUBuffer;
  /** int32 [R, rows] place of each row among the taken; `numTaken` for a row that is not. */
  readonly placeOf: GPUBuffer;
}

function uniformsOf({ numRows, taken, gain }: NormRows): number[] {
  return [numRows, taken?.numTaken ?? numRows, gain.replicaStride, gain.offset];
}

function constantsOf({ gain, taken }: NormRows): { WIDTH: number; TAKE: number } {
  return { WIDTH: gain.columns, TAKE: taken === undefined ? 0 : 1 };
}

/** x [R, rows, width] to out [R, taken, width]; keeps 1/rms of each row in `inverse` [R, taken] for the way back. */
export function rmsNorm(
  norm: NormRows,
  x: GPUBuffer,
  out: GPUBuffer,
  inverse: GPUBuffer,
): KernelCall {
  const numOut = norm.taken?.numTaken ?? norm.numRows;
  return {
    label: 'rms norm',
    source,
    constants: constantsOf(norm),
    uniforms: uniformsOf(norm),
    buffers: [x, norm.gain.buffer, norm.taken?.rows ?? norm.unused, out, inverse],
    workgroups: [groupsFor(numOut, 64), 1, norm.numReplicas],
  };
}

/** What went in and what came back. x [R, rows, width], upstream [R, taken, width], inverse [R, taken]. */
export interface NormBackward {
  readonly x: GPUBuffer;
  readonly inverse: GPUBuffer;
  readonly upstream: GPUBuffer;
}

/**
 * The gradient of x [R, rows, width], added to what `gradient` holds or in its place (0 for rows that were not taken), and that of the gain
 * in place of what `gainGradient` [1, width] holds.
 */
export function rmsNormBackward(
  norm: NormRows,
  { x, inverse, upstream }: NormBackward,
  { gradient, gainGradient }: { readonly gradient: GPUBuffer; readonly gainGradient: Matrix },
  way: 'add' | 'overwrite',
): KernelCall {
  const { numRows, numReplicas, gain, taken, unused } = norm;
  const rowGroups = groupsFor(numRows, 64);
  return {
    label: 'rms norm backward',
    source: backwardSource,
    constants: { ...constantsOf(norm), ADD: way === 'add' ? 1 : 0 },
    uniforms: [...uniformsOf(norm), rowGroups],
    buffers: [
      x,
      gain.buffer,
      inverse,
      upstream,
      taken?.rows ?? unused,
      taken?.placeOf ?? unused,
      gradient,
      gainGradient.buffer,
    ],
    workgroups: [rowGroups + gain.columns / 4, 1, numReplicas],
  };
}
