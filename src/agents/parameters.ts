import type { ArchitectureSpec } from '../config/experimentSpec';
import { foldIn, normal, type Key } from '../rl/rng';

/** One weight matrix or vector of a policy. Matrices are [in, out]: the transpose of a Hugging Face file. */
export interface ParameterSpec {
  /** Name in a Hugging Face Llama checkpoint. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Standard deviation of the initial weights; null = all ones (norm gains). */
  readonly initialStd: number | null;
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** A matrix [rows, columns] without bias. */
function linear(name: string, rows: number, columns: number, scale = 1): ParameterSpec {
  return { name, shape: [rows, columns], initialStd: scale / Math.sqrt(rows) };
}

/**
 * All parameters in the order every optimizer and checkpoint uses.
 * Initial scale: 1/√fan-in, and 1/√(2 · layers) more for what writes to the residual stream (GPT-2); embeddings 1 when the head
 * is separate, so that the stream starts at unit scale; the head (and a tied embedding) 0.02, so that the policy starts near uniform.
 */
export function parameterSpecs(
  architecture: ArchitectureSpec,
  vocabularySize: number,
): ParameterSpec[] {
  const { hiddenSize, tieEmbeddings } = architecture;
  const head: ParameterSpec = {
    name: 'lm_head.weight',
    shape: [hiddenSize, vocabularySize],
    initialStd: 0.02,
  };
  return [
    ...bodySpecs(architecture, vocabularySize, tieEmbeddings ? 0.02 : 1),
    ...(tieEmbeddings ? [] : [head]),
  ];
}

/**
 * A value network's: the same body, and one number in place of logits. The head starts at 0, so that every value does: the first
 * advantages are then plain returns, whatever the body's random weights.
 */
export function valueParameterSpecs(
  architecture: ArchitectureSpec,
  vocabularySize: number,
): ParameterSpec[] {
  const head: ParameterSpec = {
    name: 'score.weight',
    shape: [architecture.hiddenSize, 1],
    initialStd: 0,
  };
  return [...bodySpecs(architecture, vocabularySize, 1), head];
}

/** Embedding, layers and the last norm. */
function bodySpecs(
  architecture: ArchitectureSpec,
  vocabularySize: number,
  embeddingStd: number,
): ParameterSpec[] {
  const { numLayers, hiddenSize, numHeads, numKeyValueHeads, intermediateSize } = architecture;
  const keyValueSize = (hiddenSize / numHeads) * numKeyValueHeads;
  const residual = 1 / Math.sqrt(2 * numLayers);
  const gain = (name: string): ParameterSpec => ({ name, shape: [hiddenSize], initialStd: null });
  const layers = Array.from({ length: numLayers }, (_, layer) => {
    const prefix = `model.layers.${layer}`;
    return [
      gain(`${prefix}.input_layernorm.weight`),
      linear(`${prefix}.self_attn.q_proj.weight`, hiddenSize, hiddenSize),
      linear(`${prefix}.self_attn.k_proj.weight`, hiddenSize, keyValueSize),
      linear(`${prefix}.self_attn.v_proj.weight`, hiddenSize, keyValueSize),
      linear(`${prefix}.self_attn.o_proj.weight`, hiddenSize, hiddenSize, residual),
      gain(`${prefix}.post_attention_layernorm.weight`),
      linear(`${prefix}.mlp.gate_proj.weight`, hiddenSize, intermediateSize),
      linear(`${prefix}.mlp.up_proj.weight`, hiddenSize, intermediateSize),
      linear(`${prefix}.mlp.down_proj.weight`, intermediateSize, hiddenSize, residual),
    ];
  });
  return [
    {
      name: 'model.embed_tokens.weight',
      shape: [vocabularySize, hiddenSize],
      initialStd: embeddingStd,
    },
    ...layers.flat(),
    gain('model.norm.weight'),
  ];
}

/** Initial weights, one array per parameter, drawn from `key` alone: equal on every backend. */
export function initialWeights(specs: readonly ParameterSpec[], key: Key): Float32Array[] {
  return specs.map(({ shape, initialStd }, index) => {
    const parameterKey = foldIn(key, index);
    return Float32Array.from({ length: sizeOf(shape) }, (_, position) =>
      initialStd === null ? 1 : initialStd * normal(parameterKey, position),
    );
  });
}
