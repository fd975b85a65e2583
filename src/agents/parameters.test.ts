import { describe, expect, test } from 'vitest';
import type { ArchitectureSpec } from '../config/experimentSpec';
import { keyFromSeed } from '../rl/rng';
import { initialWeights, parameterSpecs, sizeOf, type ParameterSpec } from './parameters';

const architecture: ArchitectureSpec = {
  numLayers: 1,
  hiddenSize: 32,
  numHeads: 4,
  numKeyValueHeads: 2,
  intermediateSize: 88,
  tieEmbeddings: false,
  ropeTheta: 10_000,
};
const vocabularySize = 50;

const namesOf = (specs: readonly ParameterSpec[]): string[] => specs.map(({ name }) => name);

/** `LlamaForCausalLM.state_dict()` of one layer without biases, in the order of its forward pass. */
const tiedNames = [
  'model.embed_tokens.weight',
  'model.layers.0.input_layernorm.weight',
  'model.layers.0.self_attn.q_proj.weight',
  'model.layers.0.self_attn.k_proj.weight',
  'model.layers.0.self_attn.v_proj.weight',
  'model.layers.0.self_attn.o_proj.weight',
  'model.layers.0.post_attention_layernorm.weight',
  'model.layers.0.mlp.gate_proj.weight',
  'model.layers.0.mlp.up_proj.weight',
  'model.layers.0.mlp.down_proj.weight',
  'model.norm.weight',
];

test('one layer has the names of a Hugging Face Llama checkpoint, a tied head none of its own', () => {
  expect(namesOf(parameterSpecs({ ...architecture, tieEmbeddings: true }, 50))).toEqual(tiedNames);
  expect(namesOf(parameterSpecs(architecture, 50))).toEqual([...tiedNames, 'lm_head.weight']);
});

test('three layers have distinct names, numbered from 0', () => {
  const names = namesOf(parameterSpecs({ ...architecture, numLayers: 3 }, 50));
  expect(names).toHaveLength(2 + 3 * 9 + 1);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.endsWith('q_proj.weight'))).toEqual([
    'model.layers.0.self_attn.q_proj.weight',
    'model.layers.1.self_attn.q_proj.weight',
    'model.layers.2.self_attn.q_proj.weight',
  ]);
});

test.each([
  [1, 4, false],
  [1, 4, true],
  [3, 2, false],
  [2, 1, true],
])(
  '%i layers, %i key heads, tied %s: as many numbers as the formula says',
  (numLayers, numKeyValueHeads, tieEmbeddings) => {
    const specs = parameterSpecs(
      { ...architecture, numLayers, numKeyValueHeads, tieEmbeddings },
      vocabularySize,
    );
    // Width 32, four heads of 8, inner 88: q and o 32², k and v 32 · 8 per key head, three matrices 32 · 88, two gains.
    const perLayer = 2 * 32 ** 2 + 2 * 32 * 8 * numKeyValueHeads + 3 * 32 * 88 + 2 * 32;
    const embeddings = (tieEmbeddings ? 1 : 2) * vocabularySize * 32;
    const total = specs.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
    expect(total).toBe(embeddings + numLayers * perLayer + 32);
  },
);

describe('initial weights', () => {
  const twoLayers = { ...architecture, numLayers: 2 };
  const specs = parameterSpecs(twoLayers, vocabularySize);
  const weights = initialWeights(specs, keyFromSeed(4));
  const valuesOf = (name: string): Float32Array => weights[namesOf(specs).indexOf(name)]!;

  // 1/√fan-in; what writes to the stream 1/√(2 · 2 layers) = ½ of it; a separate head 0.02, its embedding 1.
  test.each([
    ['model.embed_tokens.weight', 1],
    ['model.layers.0.self_attn.q_proj.weight', 1 / Math.sqrt(32)],
    ['model.layers.1.self_attn.k_proj.weight', 1 / Math.sqrt(32)],
    ['model.layers.0.self_attn.v_proj.weight', 1 / Math.sqrt(32)],
    ['model.layers.1.self_attn.o_proj.weight', 0.5 / Math.sqrt(32)],
    ['model.layers.0.mlp.gate_proj.weight', 1 / Math.sqrt(32)],
    ['model.layers.0.mlp.up_proj.weight', 1 / Math.sqrt(32)],
    ['model.layers.1.mlp.down_proj.weight', 0.5 / Math.sqrt(88)],
    ['lm_head.weight', 0.02],
  ])('%s has mean 0 and standard deviation %d within four standard errors', (name, std) => {
    const values = valuesOf(name);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    // Of n normal draws the mean has standard error σ/√n, the standard deviation σ/√(2n).
    expect(Math.abs(mean)).toBeLessThan((4 * std) / Math.sqrt(values.length));
    expect(Math.abs(Math.sqrt(variance) - std)).toBeLessThan(
      (4 * std) / Math.sqrt(2 * values.length),
    );
  });

  test('a tied embedding starts as small as a head', () => {
    const [spec] = parameterSpecs({ ...architecture, tieEmbeddings: true }, vocabularySize);
    expect(spec?.initialStd).toBe(0.02);
  });

  test('the gains of all norms are ones', () => {
    const gains = specs.filter(({ shape }) => shape.length === 1);
    expect(gains).toHaveLength(5);
    for (const { name } of gains) expect(valuesOf(name)).toEqual(new Float32Array(32).fill(1));
  });

  test('two matrices of one shape are different draws', () => {
    const [k, v] = ['k_proj', 'v_proj'].map((name) =>
      valuesOf(`model.layers.0.self_attn.${name}.weight`),
    );
    expect(k).toHaveLength(v!.length);
    expect(k!.filter((value, i) => value === v![i])).toHaveLength(0);
  });

  test('one key gives equal weights, another key others', () => {
    expect(initialWeights(specs, keyFromSeed(4))).toEqual(weights);
    expect(initialWeights(specs, keyFromSeed(5))[0]).not.toEqual(weights[0]);
  });
});
