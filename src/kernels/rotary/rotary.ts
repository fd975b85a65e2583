import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import source from './rotary.wgsl?raw';

/** Rows of heads of every replica; a row's position is its place in its sequence. */
export interface RotaryRows {
  readonly numReplicas: number;
  readonly numRows: number;
  /** Tokens of a sequence. */
  readonly length: number;
  readonly numHeads: number;
  /** Even. */
  readonly headSize: number;
  /** float32 [length or more, headSize / 2, 2], see `rotaryAngles`. */
  readonly angles: GPUBuffer;
}

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
 * Rotary positions (Su et al. 2021) of x [R, rows, heads · headSize] in place, halves rotated together as in Hugging Face Llama.
 * `backward`: turns a gradient back.
 */
export function rotary(rows: RotaryRows, x: GPUBuffer, way: 'forward' | 'backward'): KernelCall {
  const width = rows.numHeads * rows.headSize;
  return {
    label: `rotary ${way}`,
    source,
    constants: {
      WIDTH: width,
      HEAD_SIZE: rows.headSize,
      SIGN: way === 'forward' ? 1 : -1,
    },
    uniforms: [rows.numRows, rows.length],
    buffers: [rows.angles, x],
    workgroups: [groupsFor((rows.numRows * width) / 2, 64), 1, rows.numReplicas],
  };
}
