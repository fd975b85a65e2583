import type { ArchitectureSpec } from './experimentSpec';

/** How many numbers a policy has, part by part. */
export interface ParameterCount {
  readonly embedding: number;
  /** Of one transformer block. */
  readonly layer: number;
  /** 0 where it is the embedding once more. */
  readonly head: number;
  readonly total: number;
}

/**
 * Parameters of a policy: embedding V·D, per block 2D gains, D² queries, 2·D·K keys and values (K = D/heads · key-value heads),
 * D² output and 3·D·I MLP, a last gain D, head D·V unless tied. `agents` allocates as many; a test compares.
 */
export function parameterCount(
  architecture: ArchitectureSpec,
  vocabularySize: number,
): ParameterCount {
  const { numLayers, hiddenSize: width, numHeads, numKeyValueHeads } = architecture;
  const keyValueSize = (width / numHeads) * numKeyValueHeads;
  const mlp = 3 * width * architecture.intermediateSize;
  const layer = 2 * width + 2 * width * width + 2 * width * keyValueSize + mlp;
  const embedding = vocabularySize * width;
  const head = architecture.tieEmbeddings ? 0 : embedding;
  return { embedding, layer, head, total: embedding + numLayers * layer + width + head };
}
