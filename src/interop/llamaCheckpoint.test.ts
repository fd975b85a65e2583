import { strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { drawWeights, plainLogits } from '../agents/golden/plainModel';
import { parameterSpecs } from '../agents/parameters';
import type { ArchitectureSpec } from '../config/experimentSpec';
import { parseLlamaCheckpoint, writeLlamaCheckpoint, type LlamaPolicy } from './llamaCheckpoint';
import { parseLlamaConfig } from './llamaConfig';
import { llamaParameters } from './llamaLayout';
import { llamaForward } from './testing/llamaForward';
import { readSafetensors } from './testing/readSafetensors';
import { parseSafetensors } from './safetensors';
import { writeSafetensors } from './writeSafetensors';

/** Every size different, so that no shape fits in another's place. */
const grouped: ArchitectureSpec = {
  numLayers: 2,
  hiddenSize: 12,
  numHeads: 3,
  numKeyValueHeads: 1,
  intermediateSize: 10,
  tieEmbeddings: false,
  ropeTheta: 500,
};
const tied: ArchitectureSpec = { ...grouped, numKeyValueHeads: 3, tieEmbeddings: true };
const vocabularySize = 5;

function policyOf(architecture: ArchitectureSpec): LlamaPolicy {
  const drawn = drawWeights(parameterSpecs(architecture, vocabularySize), 3);
  const weights = new Float32Array([...drawn.values()].flatMap((values) => Array.from(values)));
  return { architecture, vocabularySize, weights, maxLength: 16 };
}

function faults(files: Parameters<typeof parseLlamaCheckpoint>[0], policy: LlamaPolicy): string[] {
  const parsed = parseLlamaCheckpoint(files, policy);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

const json = (value: unknown): Uint8Array<ArrayBuffer> =>
  new Uint8Array(strToU8(JSON.stringify(value)));

test.each([grouped, tied])(
  'the parameters are those of our checkpoints, transposed',
  (architecture) => {
    const theirs = llamaParameters({ architecture, vocabularySize });
    const ours = parameterSpecs(architecture, vocabularySize);
    expect(theirs.map(({ name }) => name)).toEqual(ours.map(({ name }) => name));
    expect(
      theirs.map(({ shape, isTransposed }) => (isTransposed ? shape.toReversed() : shape)),
    ).toEqual(ours.map(({ shape }) => shape));
  },
);

test.each([grouped, tied])(
  'a Llama built from the files gives the policy’s own logits',
  (architecture) => {
    const policy = policyOf(architecture);
    const { model } = writeLlamaCheckpoint(policy, {});
    const tokens = [3, 0, 4, 4, 1, 2];
    const theirs = llamaForward(architecture, readSafetensors(model), tokens);
    const ours = plainLogits(
      architecture,
      drawWeights(parameterSpecs(architecture, vocabularySize), 3),
      tokens,
    ).at(-1)!;
    // Both in float64 from the same float32 weights: some hundred roundings of 1e-16 at logits of order 1.
    expect(Math.max(...theirs.map((logit, i) => Math.abs(logit - ours[i]!)))).toBeLessThan(1e-12);
  },
);

test.each([grouped, tied])('a checkpoint comes back bit for bit', (architecture) => {
  const policy = policyOf(architecture);
  const files = writeLlamaCheckpoint(policy, { arm: 'global', seed: '3' });
  expect(parseLlamaCheckpoint(files, policy)).toEqual({ ok: true, value: policy.weights });
  const file = parseSafetensors(files.model);
  expect(file.ok && [...file.value.metadata]).toEqual([
    ['arm', 'global'],
    ['format', 'pt'],
    ['seed', '3'],
  ]);
});

test('config.json says what LlamaConfig asks for', () => {
  const { config } = writeLlamaCheckpoint(policyOf(grouped), {});
  expect(JSON.parse(Buffer.from(config).toString())).toMatchObject({
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: 12,
    num_attention_heads: 3,
    num_key_value_heads: 1,
    head_dim: 4,
    rope_theta: 500,
    rope_parameters: { rope_theta: 500, rope_type: 'default' },
    rms_norm_eps: 1e-6,
    tie_word_embeddings: false,
    vocab_size: 5,
    max_position_embeddings: 16,
  });
});

const least = {
  model_type: 'llama',
  hidden_size: 12,
  intermediate_size: 10,
  num_hidden_layers: 2,
  num_attention_heads: 3,
  vocab_size: 5,
};

test('what a config leaves out is what LlamaConfig would take', () => {
  expect(parseLlamaConfig(json({ ...least, transformers_version: '5.0.0' }))).toEqual({
    ok: true,
    value: {
      vocabularySize: 5,
      architecture: { ...grouped, numKeyValueHeads: 3, ropeTheta: 10_000 },
    },
  });
});

test.each([
  [{ model_type: 'qwen2' }, 'model_type'],
  [{ rope_scaling: { type: 'linear', factor: 2 } }, 'rope_scaling'],
  [{ rope_parameters: { rope_type: 'llama3', rope_theta: 1 } }, 'rope_parameters.rope_type'],
  [{ rope_parameters: { rope_theta: 100 }, rope_theta: 200 }, 'rope_parameters.rope_theta'],
  [{ attention_bias: true }, 'attention_bias'],
  [{ rms_norm_eps: 1e-5 }, 'rms_norm_eps'],
  [{ hidden_act: 'gelu' }, 'hidden_act'],
  [{ head_dim: 8 }, 'head_dim'],
  [{ hidden_size: 1.5 }, 'hidden_size'],
  [{ vocab_size: '5' }, 'vocab_size'],
  [{ vocab_size: 1e9 }, 'vocab_size'],
  [{ num_hidden_layers: 1e9 }, 'num_hidden_layers'],
  [{ num_key_value_heads: 2 }, 'num_key_value_heads'],
])('a config that computes something else is refused: %j', (change, path) => {
  const parsed = parseLlamaConfig(json({ ...least, ...change }));
  expect(parsed.ok ? [] : parsed.issues.map((issue) => issue.path)).toEqual([path]);
});

test('what no policy can be like is told in the words of the settings', () => {
  const parsed = parseLlamaConfig(json({ ...least, num_key_value_heads: 2, rope_theta: 0 }));
  expect(parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringMatching(
      /^rope_theta: No policy here can be like that: 0 came, expected a number from/,
    ),
    'num_key_value_heads: No policy here can be like that: 2 came: must divide the number of heads.',
  ]);
});

test('a checkpoint of another architecture is refused with every difference', () => {
  const files = writeLlamaCheckpoint(policyOf(grouped), {});
  expect(faults(files, { ...policyOf(tied), vocabularySize: 6 })).toEqual([
    'config.json.num_key_value_heads: 1 came, expected 3 as the policy has it: give the policy the architecture of the file.',
    'config.json.tie_word_embeddings: false came, expected true as the policy has it: give the policy the architecture of the file.',
    'config.json.vocab_size: 5 came, expected 6 as the policy has it: give the policy the architecture of the file.',
  ]);
});

test('tensors that do not fit are refused by name', () => {
  const policy = policyOf(grouped);
  const { config } = writeLlamaCheckpoint(policy, {});
  const tensors = llamaParameters(policy).map(({ name, shape }) => ({
    name,
    shape,
    values: new Float32Array(shape.reduce((product, length) => product * length, 1)),
  }));
  const changed = (change: (tensor: (typeof tensors)[number]) => object): string[] => {
    const model = writeSafetensors(
      tensors.map((tensor) => Object.assign({}, tensor, change(tensor))),
      {},
    );
    return faults({ model, config }, policy);
  };
  expect(changed(() => ({}))).toEqual([]);
  expect(
    changed(({ name, shape }) => (name.includes('0.mlp.up') ? { shape: shape.toReversed() } : {})),
  ).toEqual([
    'model.safetensors.model.layers.0.mlp.up_proj.weight: Has shape [12, 10], expected [10, 12].',
  ]);
  expect(
    changed(({ name }) => (name === 'lm_head.weight' ? { name: 'score.weight' } : {})),
  ).toEqual([
    'model.safetensors.score.weight: No parameter of this policy: remove it.',
    'model.safetensors.lm_head.weight: Is missing: take a checkpoint of this architecture, whole.',
  ]);
  expect(
    changed(({ name, values }) =>
      name === 'model.norm.weight' ? { values: values.with(3, NaN) } : {},
    ),
  ).toEqual([
    'model.safetensors.model.norm.weight: Holds NaN at position 3, expected finite numbers.',
  ]);
});

test('a damaged model file is refused by its own faults', () => {
  const policy = policyOf(grouped);
  const { config, model } = writeLlamaCheckpoint(policy, {});
  expect(faults({ model: model.slice(0, -4), config }, policy)[0]).toMatch(
    /^model\.safetensors\.header\..*Ends at/,
  );
});

test('weights of another number are a mistake of the caller', () => {
  expect(() =>
    writeLlamaCheckpoint({ ...policyOf(grouped), weights: new Float32Array(3) }, {}),
  ).toThrow(/3 weights came/);
});
