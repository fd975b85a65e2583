import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import placeSource from './placeRows.wgsl?raw';
import takeSource from './takeRows.wgsl?raw';

/** Some rows out of all, each at most once, of every replica. */
export interface RowChoice {
  readonly numReplicas: number;
  readonly numRows: number;
  readonly numTaken: number;
  readonly width: number;
}

/** out [R, taken, width] = rows of x [R, rows, width] at `rows` int32 [R, taken]. */
export function takeRows(
  { numReplicas, numRows, numTaken, width }: RowChoice,
  x: GPUBuffer,
  rows: GPUBuffer,
  out: GPUBuffer,
): KernelCall {
  return {
    label: 'take rows',
    source: takeSource,
    constants: { WIDTH: width },
    uniforms: [numRows, numTaken],
    buffers: [x, rows, out],
    workgroups: [groupsFor(numTaken * width, 64), 1, numReplicas],
  };
}

/** The way back: out [R, rows, width] has upstream's rows in their places, by `siteOfRow` int32 [R, rows], and 0 elsewhere. */
export function placeRows(
  { numReplicas, numRows, numTaken, width }: RowChoice,
  upstream: GPUBuffer,
  siteOfRow: GPUBuffer,
  out: GPUBuffer,
): KernelCall {
  return {
    label: 'place rows',
    source: placeSource,
    constants: { WIDTH: width },
    uniforms: [numRows, numTaken],
    buffers: [upstream, siteOfRow, out],
    workgroups: [groupsFor(numRows * width, 64), 1, numReplicas],
  };
}
