import type { ArchitectureSpec } from '../../config/experimentSpec';

type Row = readonly number[];
interface Weight {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/**
 * Next-token logits after the last token, as `LlamaForCausalLM` computes them from a checkpoint's tensors: linear layers x · Wᵀ with W
 * [out, in], `rotate_half`, `repeat_kv`, SwiGLU. Plain float64 loops after src/transformers/models/llama/modeling_llama.py.
 */
export function llamaForward(
  architecture: ArchitectureSpec,
  weights: ReadonlyMap<string, Weight>,
  tokens: readonly number[],
): Row {
  const get = (name: string): Weight => weights.get(`${name}.weight`)!;
  const table = get('model.embed_tokens');
  let stream: Row[] = tokens.map((token) => rowOf(table, token));
  for (let layer = 0; layer < architecture.numLayers; layer++) {
    const of = (name: string): Weight => get(`model.layers.${layer}.${name}`);
    const normed = stream.map((x) => rmsNorm(x, of('input_layernorm')));
    const mixed = attention(architecture, normed, of);
    stream = stream.map((x, t) => add(x, linear(mixed[t]!, of('self_attn.o_proj'))));
    stream = stream.map((x) => {
      const inner = rmsNorm(x, of('post_attention_layernorm'));
      const up = linear(inner, of('mlp.up_proj'));
      const gated = linear(inner, of('mlp.gate_proj')).map(
        (g, i) => (g / (1 + Math.exp(-g))) * up[i]!,
      );
      return add(x, linear(gated, of('mlp.down_proj')));
    });
  }
  const last = rmsNorm(stream.at(-1)!, get('model.norm'));
  return linear(last, architecture.tieEmbeddings ? table : get('lm_head'));
}

function rowOf({ shape, values }: Weight, row: number): Row {
  return values.slice(row * shape[1]!, (row + 1) * shape[1]!);
}

function dot(a: Row, b: Row): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}

function add(a: Row, b: Row): Row {
  return a.map((x, i) => x + b[i]!);
}

/** torch.nn.Linear: output o is x · row o. */
function linear(x: Row, weight: Weight): Row {
  return Array.from({ length: weight.shape[0]! }, (_, o) => dot(x, rowOf(weight, o)));
}

function rmsNorm(x: Row, { values: gain }: Weight): Row {
  const scale = 1 / Math.sqrt(dot(x, x) / x.length + 1e-6);
  return x.map((value, i) => value * scale * gain[i]!);
}

/** q · cos + rotate_half(q) · sin with rotate_half(x₁, x₂) = (−x₂, x₁). */
function rotated(head: Row, position: number, theta: number): Row {
  const half = head.length / 2;
  return head.map((value, i) => {
    const angle = position * theta ** (-(2 * (i % half)) / head.length);
    const partner = i < half ? -head[i + half]! : head[i - half]!;
    return value * Math.cos(angle) + partner * Math.sin(angle);
  });
}

function attention(
  { hiddenSize, numHeads, numKeyValueHeads, ropeTheta }: ArchitectureSpec,
  inputs: readonly Row[],
  of: (name: string) => Weight,
): Row[] {
  const size = hiddenSize / numHeads;
  const headOf = (x: Row, head: number): Row => x.slice(head * size, (head + 1) * size);
  const projected = (name: string): Row[] =>
    inputs.map((x) => linear(x, of(`self_attn.${name}_proj`)));
  const [queries, keys, values] = [projected('q'), projected('k'), projected('v')];
  return inputs.map((_, t) =>
    Array.from({ length: numHeads }, (__, head) => {
      // repeat_kv: consecutive query heads share a key head.
      const shared = Math.floor(head / (numHeads / numKeyValueHeads));
      const query = rotated(headOf(queries[t]!, head), t, ropeTheta);
      const scores = keys
        .slice(0, t + 1)
        .map((key, s) => dot(query, rotated(headOf(key, shared), s, ropeTheta)) / Math.sqrt(size));
      const exps = scores.map((score) => Math.exp(score - Math.max(...scores)));
      const total = exps.reduce((sum, e) => sum + e, 0);
      return Array.from({ length: size }, (___, i) =>
        exps.reduce((sum, e, s) => sum + (e / total) * headOf(values[s]!, shared)[i]!, 0),
      );
    }).flat(),
  );
}
