import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import backwardSource from './swigluBackward.wgsl?raw';
import source from './swiglu.wgsl?raw';

/** Most workgroups along x that every device takes. */
const maxWorkgroups = 65_535;

function groupsOf(count: number): [number, number, number] {
  return [Math.min(maxWorkgroups, groupsFor(count, 64)), 1, 1];
}

/** out = silu(gate) · up over `count` cells (Shazeer 2020). All float32 [count]. */
export function swiglu(count: number, gate: GPUBuffer, up: GPUBuffer, out: GPUBuffer): KernelCall {
  return {
    label: 'swiglu',
    source,
    constants: {},
    uniforms: [count],
    buffers: [gate, up, out],
    workgroups: groupsOf(count),
  };
}

/** Overwrites `gate` and `up` with their gradients. */
export function swigluBackward(
  count: number,
  upstream: GPUBuffer,
  gate: GPUBuffer,
  up: GPUBuffer,
): KernelCall {
  return {
    label: 'swiglu backward',
    source: backwardSource,
    constants: {},
    uniforms: [count],
    buffers: [upstream, gate, up],
    workgroups: groupsOf(count),
  };
}
