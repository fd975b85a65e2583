import type { ArchitectureSpec } from '../config/experimentSpec';
import { parseRunCheckpoint } from './runCheckpoint';

/** One parameter of one replica’s policy. */
interface NamedWeights {
  /** Name in a Hugging Face Llama checkpoint. */
  readonly name: string;
  /** Matrices are [in, out]: the transpose of such a file. */
  readonly shape: readonly number[];
  /** Part of the replica's `weights`. */
  readonly values: Float32Array;
}

/** One replica’s policy, as it stood behind an iteration. `writeLlamaCheckpoint` of interop takes it as it is. */
export interface ReplicaWeights {
  readonly policyId: string;
  readonly arm: string;
  readonly seed: number;
  readonly architecture: ArchitectureSpec;
  readonly vocabularySize: number;
  /** Longest prompt plus action of its world. */
  readonly maxLength: number;
  /** [P] all parameters one after another. */
  readonly weights: Float32Array;
  readonly parameters: readonly NamedWeights[];
}

/** The policies of all replicas in a run checkpoint; or why it cannot be read. Never throws. */
export function policyWeights(
  bytes: ArrayBuffer,
):
  | { readonly ok: true; readonly iteration: number; readonly policies: readonly ReplicaWeights[] }
  | { readonly ok: false; readonly reason: string } {
  const parsed = parseRunCheckpoint(bytes);
  if (!parsed.ok) return parsed;
  const { iteration, policies } = parsed.checkpoint;
  const all = policies.flatMap(({ replicas, parameters, numbers, ...policy }) => {
    const size = numbers.weights.length / replicas.length;
    return replicas.map((replica, index) => {
      const weights = numbers.weights.subarray(index * size, (index + 1) * size);
      let offset = 0;
      const named = parameters.map(({ name, shape }) => {
        const length = shape.reduce((product, side) => product * side, 1);
        const values = weights.subarray(offset, offset + length);
        offset += length;
        return { name, shape, values };
      });
      return { ...policy, ...replica, weights, parameters: named };
    });
  });
  return { ok: true, iteration, policies: all };
}
