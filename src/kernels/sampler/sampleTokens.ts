import { groupsFor, type KernelCall } from '../../gpu/kernelCall';
import noiseSource from './noise.wgsl?raw';
import source from './sampleTokens.wgsl?raw';

/** Rows of every replica that wait for their next token. */
export interface SamplingRows {
  readonly numReplicas: number;
  readonly numRows: number;
  /** Rows of logits of each replica. */
  readonly numSites: number;
  readonly vocabularySize: number;
  /** Tokens of the longest action. */
  readonly width: number;
}

export interface SamplingBuffers {
  /** float32 [R, sites, vocabulary] */
  readonly logits: GPUBuffer;
  /** int32 [R, rows] site that each row draws from. */
  readonly siteOf: GPUBuffer;
  /** uint32 [R, rows, 2] key of each row's noise. */
  readonly keys: GPUBuffer;
  /** int32 [R, rows] what was drawn. */
  readonly tokens: GPUBuffer;
  /** float32 [R, rows, width, 2] token and its log-probability (nats), 1e30 where a logit is not finite. */
  readonly draws: GPUBuffer;
}

/**
 * Draws token `position` of every row, as `sampleTurns` does on the CPU: Gumbel-max with counters position · vocabulary + token, or the
 * likeliest token, ties to the smaller one. The noise is that of `rl/rng` but for float32 rounding (about 1e-6): where the two best
 * scores are closer than that, the token may be the other one. `isDirect`: row i draws from site i.
 */
export function sampleTokens(
  rows: SamplingRows,
  { logits, siteOf, keys, tokens, draws }: SamplingBuffers,
  position: number,
  { isDirect, isGreedy }: { readonly isDirect: boolean; readonly isGreedy: boolean },
): KernelCall {
  const { numReplicas, numRows, numSites, vocabularySize, width } = rows;
  return {
    label: `sample token ${position}`,
    source: noiseSource + source,
    constants: { VOCABULARY: vocabularySize },
    uniforms: [numRows, numSites, isDirect ? 1 : 0, position, width, isGreedy ? 1 : 0],
    buffers: [logits, siteOf, keys, tokens, draws],
    workgroups: [groupsFor(numRows, 64), 1, numReplicas],
  };
}
