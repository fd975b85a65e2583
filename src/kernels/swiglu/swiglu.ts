import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import source from './swiglu.wgsl?raw';

/** Most workgroups along x that every device takes. */
const maxWorkgroups = 65_535;

/**
 * out [R, count] = silu(gate) · up (Shazeer 2020) of `gateUp` [R, 2, count]: all gates of a replica, then all ups. float32. Its gradient
 * is part of a product: see `MatmulOptions.onto`.
 */
export function swiglu(
  numReplicas: number,
  count: number,
  gateUp: GPUBuffer,
  out: GPUBuffer,
): KernelCall {
  return {
    label: 'swiglu',
    source,
    constants: {},
    uniforms: [count],
    buffers: [gateUp, out],
    workgroups: [Math.min(maxWorkgroups, groupsFor(count, 64)), 1, numReplicas],
  };
}
