import type { ArchitectureSpec } from '../../config/experimentSpec';
import { foldIn, keyFromSeed, normal } from '../../rl/rng';

/**
 * The Llama forward pass in plain float64 loops, one sequence at a time, written from the definition of the architecture:
 * Touvron et al. 2023 (arXiv 2302.13971) §2.2, Su et al. 2021 (arXiv 2104.09864) Eq. 34, Ainslie et al. 2023 (arXiv 2305.13245).
 */

/** Values by Hugging Face name; matrices [in, out] row-major, the embedding [V, D]. */
export type PlainWeights = ReadonlyMap<string, Float32Array | Float64Array>;

type Vector = readonly number[];

/** Weights with logits of order 1 and gains that differ from 1, so that no part of the model can be left out unnoticed. */
export function drawWeights(
  parameters: readonly { readonly name: string; readonly shape: readonly number[] }[],
  seed: number,
  embeddingScale = 1,
): Map<string, Float32Array> {
  return new Map(
    parameters.map(({ name, shape }, index) => {
      const key = foldIn(keyFromSeed(seed), index);
      const size = shape.reduce((product, length) => product * length, 1);
      const isGain = shape.length === 1;
      const scale = name.includes('embed') ? embeddingScale : 1 / Math.sqrt(shape[0]!);
      const values = Float32Array.from({ length: size }, (_, position) =>
        isGain ? 1 + 0.3 * normal(key, position) : scale * normal(key, position),
      );
      return [name, values];
    }),
  );
}

function weight(weights: PlainWeights, name: string): Float32Array | Float64Array {
  const values = weights.get(name);
  if (values === undefined)
    throw new RangeError(`No weight "${name}": give every parameter of the architecture.`);
  return values;
}

/** x · W */
function times(x: Vector, matrix: Float32Array | Float64Array): Vector {
  const columns = matrix.length / x.length;
  return Array.from({ length: columns }, (_, column) =>
    x.reduce((sum, value, row) => sum + value * matrix[row * columns + column]!, 0),
  );
}

function plus(a: Vector, b: Vector): Vector {
  return a.map((value, index) => value + b[index]!);
}

function dot(a: Vector, b: Vector): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}

/** xᵢ gᵢ / √(mean x² + 10⁻⁶) */
function rootMeanSquareNorm(x: Vector, gain: Float32Array | Float64Array): Vector {
  const root = Math.sqrt(dot(x, x) / x.length + 1e-6);
  return x.map((value, index) => (value / root) * gain[index]!);
}

/** Turns the pair (xᵢ, xᵢ₊ₕ), h = half the head, by the angle position · θ^(−i/h). */
function rotary(head: Vector, position: number, theta: number): Vector {
  const half = head.length / 2;
  const turned = [...head];
  for (let i = 0; i < half; i++) {
    const angle = position * theta ** (-i / half);
    const [first, second] = [head[i]!, head[i + half]!];
    turned[i] = first * Math.cos(angle) - second * Math.sin(angle);
    turned[i + half] = first * Math.sin(angle) + second * Math.cos(angle);
  }
  return turned;
}

/** Σₛ softmaxₛ(q · kₛ / √size) vₛ */
function attend(query: Vector, keys: readonly Vector[], values: readonly Vector[]): Vector {
  const exps = keys.map((key) => Math.exp(dot(query, key) / Math.sqrt(query.length)));
  const total = exps.reduce((sum, value) => sum + value, 0);
  return query.map(
    (_, i) =>
      dot(
        exps,
        values.map((value) => value[i]!),
      ) / total,
  );
}

/** Output of all heads, side by side, at each position. [T, D] → [T, D] */
function attention(
  architecture: ArchitectureSpec,
  weights: PlainWeights,
  prefix: string,
  normed: readonly Vector[],
): Vector[] {
  const { numHeads, numKeyValueHeads, hiddenSize, ropeTheta } = architecture;
  const size = hiddenSize / numHeads;
  const project = (name: string): Vector[] =>
    normed.map((x) => times(x, weight(weights, `${prefix}.self_attn.${name}.weight`)));
  const [queries, keys, values] = [project('q_proj'), project('k_proj'), project('v_proj')];
  const headOf = (x: Vector, head: number): Vector => x.slice(head * size, (head + 1) * size);
  return queries.map((query, position) =>
    Array.from({ length: numHeads }, (_, head) => {
      // Consecutive query heads share a key head.
      const shared = Math.floor((head * numKeyValueHeads) / numHeads);
      const past = Array.from({ length: position + 1 }, (_unused, index) => index);
      return attend(
        rotary(headOf(query, head), position, ropeTheta),
        past.map((index) => rotary(headOf(keys[index]!, shared), index, ropeTheta)),
        past.map((index) => headOf(values[index]!, shared)),
      );
    }).flat(),
  );
}

/** (silu(x·Wgate) ⊙ x·Wup) · Wdown with silu(z) = z / (1 + e⁻ᶻ). Shazeer 2020 (arXiv 2002.05202) Eq. 6. */
function swiglu(x: Vector, weights: PlainWeights, prefix: string): Vector {
  const up = times(x, weight(weights, `${prefix}.mlp.up_proj.weight`));
  const gated = times(x, weight(weights, `${prefix}.mlp.gate_proj.weight`)).map(
    (z, index) => (z / (1 + Math.exp(-z))) * up[index]!,
  );
  return times(gated, weight(weights, `${prefix}.mlp.down_proj.weight`));
}

/** Next-token logits after each token of one sequence. [T] → [T, V] */
export function plainLogits(
  architecture: ArchitectureSpec,
  weights: PlainWeights,
  sequence: readonly number[],
): Vector[] {
  const width = architecture.hiddenSize;
  const embedding = weight(weights, 'model.embed_tokens.weight');
  let stream: Vector[] = sequence.map((token) => [
    ...embedding.subarray(token * width, (token + 1) * width),
  ]);
  for (let layer = 0; layer < architecture.numLayers; layer++) {
    const prefix = `model.layers.${layer}`;
    const norm = (name: string): Vector[] =>
      stream.map((x) => rootMeanSquareNorm(x, weight(weights, `${prefix}.${name}.weight`)));
    const mixed = attention(architecture, weights, prefix, norm('input_layernorm'));
    const output = weight(weights, `${prefix}.self_attn.o_proj.weight`);
    stream = stream.map((x, position) => plus(x, times(mixed[position]!, output)));
    const inner = norm('post_attention_layernorm');
    stream = stream.map((x, position) => plus(x, swiglu(inner[position]!, weights, prefix)));
  }
  const gain = weight(weights, 'model.norm.weight');
  const rowOf = (token: number): Vector => [
    ...embedding.subarray(token * width, (token + 1) * width),
  ];
  return stream.map((x) => {
    const final = rootMeanSquareNorm(x, gain);
    if (!architecture.tieEmbeddings) return times(final, weight(weights, 'lm_head.weight'));
    // A tied head scores a token by its own embedding.
    return Array.from({ length: embedding.length / width }, (_, token) => dot(final, rowOf(token)));
  });
}
