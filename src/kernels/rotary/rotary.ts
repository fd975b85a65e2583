import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import type { AttentionShape } from '../attention/attention';
import source from './rotary.wgsl?raw';

/**
 * float32 [length, headSize / 2, 2] cosine and sine of position · θ^(−2i/headSize). Made here and not on the device: WGSL lets `cos` and
 * `sin` be wrong by 2⁻¹¹, and some devices are.
 */
export function rotaryAngles(
  length: number,
  headSize: number,
  theta: number,
): Float32Array<ArrayBuffer> {
  const half = headSize / 2;
  return Float32Array.from({ length: length * headSize }, (_, cell) => {
    const pair = Math.floor(cell / 2);
    const angle = Math.floor(pair / half) * theta ** ((-2 * (pair % half)) / headSize);
    return cell % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
}

/**
 * Rotary positions (Su et al. 2021) of queries and keys in place, halves rotated together as in Hugging Face Llama. `qkv`: see `AttentionShape`;
 * `angles`: see `rotaryAngles`, of the length or more. `backward`: turns a gradient back.
 */
export function rotary(
  shape: AttentionShape,
  angles: GPUBuffer,
  qkv: GPUBuffer,
  way: 'forward' | 'backward',
): KernelCall {
  const { numReplicas, numSequences, length, numHeads, numKeyValueHeads, headSize } = shape;
  const numRows = numSequences * length;
  return {
    label: `rotary ${way}`,
    source,
    constants: {
      HEADS: numHeads,
      KEY_HEADS: numKeyValueHeads,
      HEAD_SIZE: headSize,
      SIGN: way === 'forward' ? 1 : -1,
    },
    uniforms: [numRows, length],
    buffers: [angles, qkv],
    workgroups: [
      groupsFor((numRows * (numHeads + numKeyValueHeads) * headSize) / 2, 64),
      1,
      numReplicas,
    ],
  };
}
