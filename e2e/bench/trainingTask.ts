import {
  parameterSpecs,
  initialWeights,
  sizeOf,
  type ParameterSpec,
} from '../../src/agents/parameters';
import type { ArchitectureSpec } from '../../src/config/experimentSpec';
import { foldIn, keyFromSeed, uniformInt } from '../../src/rl/rng';

/** The step that every library takes: next-token cross-entropy of one decoder-only transformer on fixed tokens, then Adam. */

/** Axes: L layers, D width, H heads, V vocabulary, T tokens, B sequences. */
export interface BenchShape {
  readonly numLayers: number;
  readonly hiddenSize: number;
  readonly numHeads: number;
  readonly vocabularySize: number;
  readonly length: number;
  readonly numSequences: number;
}

export interface TrainingTask {
  readonly shape: BenchShape;
  readonly architecture: ArchitectureSpec;
  readonly specs: readonly ParameterSpec[];
  readonly numParameters: number;
  /** One array per parameter, in the order of `specs`. */
  readonly weights: readonly Float32Array[];
  /** [B, T] */
  readonly tokens: Int32Array<ArrayBuffer>;
  /** [B, T] the token after each of `tokens`. */
  readonly targets: Int32Array<ArrayBuffer>;
}

/** Plain Adam: no decay, no clipping. */
export const adam = {
  kind: 'adamw',
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradNorm: null,
} as const;

/** Llama's block; the feed-forward part 11/4 as wide as the stream, so that it is as heavy as a plain one of four times the width. */
export function architectureOf({ numLayers, hiddenSize, numHeads }: BenchShape): ArchitectureSpec {
  return {
    numLayers,
    hiddenSize,
    numHeads,
    numKeyValueHeads: numHeads,
    intermediateSize: (11 * hiddenSize) / 4,
    tieEmbeddings: false,
    ropeTheta: 10_000,
  };
}

/** The same numbers in every thread. */
export function createTrainingTask(shape: BenchShape): TrainingTask {
  const architecture = architectureOf(shape);
  const specs = parameterSpecs(architecture, shape.vocabularySize);
  const key = keyFromSeed(5);
  const drawn = (row: number, place: number): number =>
    uniformInt(foldIn(key, 1), row * (shape.length + 1) + place, shape.vocabularySize);
  const rows = (first: number): Int32Array<ArrayBuffer> =>
    Int32Array.from({ length: shape.numSequences * shape.length }, (_, index) =>
      drawn(Math.floor(index / shape.length), first + (index % shape.length)),
    );
  return {
    shape,
    architecture,
    specs,
    numParameters: specs.reduce((sum, spec) => sum + sizeOf(spec.shape), 0),
    weights: initialWeights(specs, foldIn(key, 2)),
    tokens: rows(0),
    targets: rows(1),
  };
}

/**
 * Floating-point operations of one step, forwards and backwards: 6 · parameters · tokens, and for attention
 * 12 · layers · width · T per token, halved because a token sees the half of the others on average (PaLM, appendix B; causal).
 */
export function stepFlops(shape: BenchShape, numParameters: number): number {
  const numTokens = shape.numSequences * shape.length;
  const attention = 6 * shape.numLayers * shape.hiddenSize * shape.length;
  return numTokens * (6 * numParameters + attention);
}
