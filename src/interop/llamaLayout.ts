import type { ArchitectureSpec } from '../config/experimentSpec';

/**
 * The parameters of a policy as a Hugging Face Llama checkpoint names and shapes them.
 *
 * Layout: a Hugging Face linear layer is y = x · Wᵀ with W [out, in]; ours is y = x · W with W [in, out]. So every matrix but the
 * embedding is transposed on the way. The order is that of our own checkpoints (`parameterSpecs` of agents; a test compares).
 */

export interface LlamaParameter {
  readonly name: string;
  /** In the Hugging Face file: [out, in], [vocabulary, width] for the embedding, [width] for gains. */
  readonly shape: readonly number[];
  /** Ours is the transpose. */
  readonly isTransposed: boolean;
}

/** What decides all shapes. */
export interface LlamaShape {
  readonly architecture: ArchitectureSpec;
  readonly vocabularySize: number;
}

function linear(name: string, out: number, into: number): LlamaParameter {
  return { name: `${name}.weight`, shape: [out, into], isTransposed: true };
}

export function llamaParameters({
  architecture,
  vocabularySize,
}: LlamaShape): readonly LlamaParameter[] {
  const { numLayers, hiddenSize, tieEmbeddings } = architecture;
  const gain = (name: string): LlamaParameter => ({
    name: `${name}.weight`,
    shape: [hiddenSize],
    isTransposed: false,
  });
  const layers = Array.from({ length: numLayers }, (_, layer) =>
    layerParameters(architecture, `model.layers.${layer}`, gain),
  );
  return [
    {
      name: 'model.embed_tokens.weight',
      shape: [vocabularySize, hiddenSize],
      isTransposed: false,
    },
    ...layers.flat(),
    gain('model.norm'),
    ...(tieEmbeddings ? [] : [linear('lm_head', vocabularySize, hiddenSize)]),
  ];
}

function layerParameters(
  { hiddenSize, numHeads, numKeyValueHeads, intermediateSize }: ArchitectureSpec,
  layer: string,
  gain: (name: string) => LlamaParameter,
): readonly LlamaParameter[] {
  const keyValueSize = (hiddenSize / numHeads) * numKeyValueHeads;
  return [
    gain(`${layer}.input_layernorm`),
    linear(`${layer}.self_attn.q_proj`, hiddenSize, hiddenSize),
    linear(`${layer}.self_attn.k_proj`, keyValueSize, hiddenSize),
    linear(`${layer}.self_attn.v_proj`, keyValueSize, hiddenSize),
    linear(`${layer}.self_attn.o_proj`, hiddenSize, hiddenSize),
    gain(`${layer}.post_attention_layernorm`),
    linear(`${layer}.mlp.gate_proj`, intermediateSize, hiddenSize),
    linear(`${layer}.mlp.up_proj`, intermediateSize, hiddenSize),
    linear(`${layer}.mlp.down_proj`, hiddenSize, intermediateSize),
  ];
}

/** Numbers of one policy. */
export function numLlamaParameters(shape: LlamaShape): number {
  return llamaParameters(shape).reduce((sum, parameter) => sum + sizeOf(parameter.shape), 0);
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** [rows, columns] row-major → [columns, rows] row-major. */
export function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      out[column * rows + row] = values[row * columns + column]!;
  return out;
}
