import * as z from 'zod/mini';
import { isPlainObject } from '../config/dataPath';
import { toSpecIssues } from '../config/issueMessages';
import { architectureSchema, type ArchitectureSpec } from '../config/experimentSpec';
import type { SpecIssue } from '../config/specIssue';
import type { LlamaShape } from './llamaLayout';
import { parsedUnless, refusal, type Parsed } from './parsed';
import { parseJsonBytes } from './strictJson';

/**
 * `config.json` of a Hugging Face Llama model.
 * Source: `LlamaConfig`, src/transformers/models/llama/configuration_llama.py of huggingface/transformers at 008e574.
 */

/** Our settings → their keys. */
export const llamaConfigKeys = {
  numLayers: 'num_hidden_layers',
  hiddenSize: 'hidden_size',
  numHeads: 'num_attention_heads',
  numKeyValueHeads: 'num_key_value_heads',
  intermediateSize: 'intermediate_size',
  tieEmbeddings: 'tie_word_embeddings',
  ropeTheta: 'rope_theta',
} as const satisfies Record<keyof ArchitectureSpec, string>;

/** As the policy computes its norms (`normEpsilon` of agents/tfjsModel). */
const rmsNormEpsilon = 1e-6;

/** A config.json has some thousand bytes. */
const maxConfigBytes = 64 * 1024;

/**
 * The text of `config.json`. Rotary settings stand in it twice: `rope_theta` as transformers 4 reads it, `rope_parameters` as 5 does.
 * Begin, end and padding tokens are null: our vocabularies have none, and LlamaConfig would put 1 and 2 there.
 * @param maxLength longest prompt plus action of the world
 */
export function llamaConfigJson(
  { architecture, vocabularySize }: LlamaShape,
  maxLength: number,
): string {
  const { hiddenSize, numHeads, ropeTheta } = architecture;
  const config = {
    architectures: ['LlamaForCausalLM'],
    attention_bias: false,
    attention_dropout: 0,
    bos_token_id: null,
    eos_token_id: null,
    head_dim: hiddenSize / numHeads,
    hidden_act: 'silu',
    hidden_size: hiddenSize,
    intermediate_size: architecture.intermediateSize,
    max_position_embeddings: maxLength,
    mlp_bias: false,
    model_type: 'llama',
    num_attention_heads: numHeads,
    num_hidden_layers: architecture.numLayers,
    num_key_value_heads: architecture.numKeyValueHeads,
    pad_token_id: null,
    rms_norm_eps: rmsNormEpsilon,
    rope_parameters: { rope_theta: ropeTheta, rope_type: 'default' },
    rope_scaling: null,
    rope_theta: ropeTheta,
    tie_word_embeddings: architecture.tieEmbeddings,
    torch_dtype: 'float32',
    vocab_size: vocabularySize,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

const size = z.int().check(z.minimum(1));

/** Worlds here have some dozen tokens; a table of more rows than this is for another model. */
const maxVocabularySize = 65_536;

/** A literal that may be missing, as it is LlamaConfig's default. */
function only<const T extends string | number | boolean>(
  value: T,
): z.ZodMiniOptional<z.ZodMiniLiteral<T>> {
  return z.optional(z.literal(value));
}

const ropeParameters = z.strictObject({
  rope_theta: z.optional(z.number()),
  rope_type: only('default'),
});

/**
 * Keys that decide what the model computes; values that our policies cannot have are refused. Other keys say nothing about the
 * computation (dropout, caches, token ids, versions) and are passed over, since every version of transformers writes other ones.
 */
const configSchema = z.looseObject({
  model_type: z.literal('llama'),
  hidden_size: size,
  intermediate_size: size,
  num_hidden_layers: size,
  num_attention_heads: size,
  num_key_value_heads: z.nullish(size),
  vocab_size: size.check(z.maximum(maxVocabularySize)),
  head_dim: z.nullish(size),
  hidden_act: only('silu'),
  attention_bias: only(false),
  mlp_bias: only(false),
  rms_norm_eps: only(rmsNormEpsilon),
  rope_theta: z.optional(z.number()),
  rope_scaling: z.optional(z.null()),
  rope_parameters: z.nullish(ropeParameters),
  partial_rotary_factor: only(1),
  sliding_window: z.optional(z.null()),
  tie_word_embeddings: z.optional(z.boolean()),
});

type Config = z.output<typeof configSchema>;

/** LlamaConfig's own default. */
const defaultTheta = 10_000;

/** The shape of the model that a `config.json` describes, or why no policy here computes like it. Never throws. */
export function parseLlamaConfig(bytes: Uint8Array): Parsed<LlamaShape> {
  const json = parseJsonBytes(bytes, maxConfigBytes);
  if (!json.ok) return json;
  if (!isPlainObject(json.value)) return refusal('', 'Expected an object: no config.json.');
  const parsed = configSchema.safeParse(json.value);
  if (!parsed.success) return { ok: false, issues: toSpecIssues(parsed.error.issues, json.value) };
  const config = parsed.data;
  const architecture = architectureOf(config);
  return parsedUnless([...ruleIssues(config), ...rangeIssues(architecture)], {
    architecture,
    vocabularySize: config.vocab_size,
  });
}

/** Where the field table and its rules refuse the architecture, under the names of `config.json`. */
function rangeIssues(architecture: ArchitectureSpec): readonly SpecIssue[] {
  const parsed = architectureSchema.safeParse(architecture);
  if (parsed.success) return [];
  // The table speaks of the policies of an experiment: looked at as one of those, the issues are told in its words.
  const place = ['policies', 'file', 'architecture'];
  const issues = parsed.error.issues.map((issue) =>
    Object.assign({}, issue, { path: [...place, ...issue.path] }),
  );
  return toSpecIssues(issues, { policies: { file: { architecture } } }).map(
    ({ path, message }) => ({
      path: String(Reflect.get(llamaConfigKeys, path.slice(place.join('.').length + 1))),
      message: `No policy here can be like that: ${message}`,
    }),
  );
}

function architectureOf(config: Config): ArchitectureSpec {
  return {
    numLayers: config.num_hidden_layers,
    hiddenSize: config.hidden_size,
    numHeads: config.num_attention_heads,
    numKeyValueHeads: config.num_key_value_heads ?? config.num_attention_heads,
    intermediateSize: config.intermediate_size,
    tieEmbeddings: config.tie_word_embeddings ?? false,
    ropeTheta: config.rope_parameters?.rope_theta ?? config.rope_theta ?? defaultTheta,
  };
}

function ruleIssues(config: Config): readonly SpecIssue[] {
  const { hidden_size: width, num_attention_heads: heads, head_dim: headSize } = config;
  const { rope_theta: theta, rope_parameters: rope } = config;
  const issues: SpecIssue[] = [];
  if (headSize !== undefined && headSize !== null && headSize * heads !== width)
    issues.push({
      path: 'head_dim',
      message: `${headSize} came, expected ${width} / ${heads}: policies here split their width among the heads.`,
    });
  if (theta !== undefined && rope?.rope_theta !== undefined && rope.rope_theta !== theta)
    issues.push({
      path: 'rope_parameters.rope_theta',
      message: `${rope.rope_theta} came, but rope_theta says ${theta}: remove the wrong one.`,
    });
  return issues;
}
