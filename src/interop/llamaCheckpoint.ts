import { shown } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import { float32Values } from './float32Values';
import { llamaConfigJson, llamaConfigKeys, parseLlamaConfig } from './llamaConfig';
import {
  llamaParameters,
  numLlamaParameters,
  sizeOf,
  transposed,
  type LlamaParameter,
  type LlamaShape,
} from './llamaLayout';
import { issuesUnder, parsedUnless, refusal, type Parsed } from './parsed';
import { parseSafetensors, type SafeTensor } from './safetensors';
import { writeSafetensors } from './writeSafetensors';
import { strToU8 } from 'fflate';

/** A policy as a folder that Hugging Face transformers opens: `LlamaForCausalLM.from_pretrained(folder)`. */
export interface LlamaFiles {
  /** `model.safetensors` */
  readonly model: Uint8Array<ArrayBuffer>;
  /** `config.json` */
  readonly config: Uint8Array<ArrayBuffer>;
}

/** One replica’s policy. */
export interface LlamaPolicy extends LlamaShape {
  /** [P] all parameters one after another, as our checkpoints hold them: matrices [in, out]. */
  readonly weights: Float32Array;
  /** Longest prompt plus action of its world. */
  readonly maxLength: number;
}

/**
 * Throws RangeError when there are not as many weights as the architecture has.
 * @param about what the file says of itself, e.g. policy, arm, seed and hash of the specification
 */
export function writeLlamaCheckpoint(
  policy: LlamaPolicy,
  about: Readonly<Record<string, string>>,
): LlamaFiles {
  const { weights, maxLength } = policy;
  const size = numLlamaParameters(policy);
  if (weights.length !== size)
    throw new RangeError(
      `${weights.length} weights came, but this architecture has ${size}: pass those of one replica.`,
    );
  let offset = 0;
  const tensors = llamaParameters(policy).map(({ name, shape, isTransposed }) => {
    const values = weights.subarray(offset, (offset += sizeOf(shape)));
    const [out = 1, into = 1] = shape;
    return { name, shape, values: isTransposed ? transposed(values, into, out) : values };
  });
  return {
    model: writeSafetensors(tensors, { ...about, format: 'pt' }),
    config: new Uint8Array(strToU8(llamaConfigJson(policy, maxLength))),
  };
}

/**
 * The weights of a Llama checkpoint for a policy of the expected shape, [P] in the order of our own checkpoints; or every place where
 * the files do not fit it. float32, float16 and bfloat16 are read, all without rounding. Weights that are not finite are refused:
 * such a policy writes no token. Never throws.
 */
export function parseLlamaCheckpoint(
  { model, config }: LlamaFiles,
  expected: LlamaShape,
): Parsed<Float32Array> {
  const shape = parseLlamaConfig(config);
  if (!shape.ok) return { ok: false, issues: issuesUnder('config.json', shape.issues) };
  const differences = shapeIssues(shape.value, expected);
  if (differences.length > 0) return { ok: false, issues: differences };
  const file = parseSafetensors(model);
  if (!file.ok) return { ok: false, issues: issuesUnder('model.safetensors', file.issues) };
  // The config alone decides how much memory the weights take: a small file must not ask for a large one.
  const size = numLlamaParameters(expected);
  if (2 * size > model.length)
    return refusal(
      'model.safetensors',
      `${model.length} bytes came, too few for the ${size} parameters of config.json: take both files of one checkpoint.`,
    );
  const { weights, issues } = takeWeights(file.value.tensors, expected);
  return parsedUnless(issuesUnder('model.safetensors', issues), weights);
}

function shapeIssues(came: LlamaShape, expected: LlamaShape): readonly SpecIssue[] {
  const settings = [
    ...Object.entries(expected.architecture).map(([key, value]) => ({
      key: String(Reflect.get(llamaConfigKeys, key)),
      came: String(Reflect.get(came.architecture, key)),
      expected: String(value),
    })),
    {
      key: 'vocab_size',
      came: String(came.vocabularySize),
      expected: String(expected.vocabularySize),
    },
  ];
  return settings
    .filter((setting) => setting.came !== setting.expected)
    .map((setting) => ({
      path: `config.json.${setting.key}`,
      message: `${setting.came} came, expected ${setting.expected} as the policy has it: give the policy the architecture of the file.`,
    }));
}

function takeWeights(
  tensors: readonly SafeTensor[],
  expected: LlamaShape,
): { readonly weights: Float32Array; readonly issues: readonly SpecIssue[] } {
  const parameters = llamaParameters(expected);
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const known = new Set(parameters.map(({ name }) => name));
  const issues: SpecIssue[] = tensors
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => ({ path: name, message: 'No parameter of this policy: remove it.' }));
  const weights = new Float32Array(numLlamaParameters(expected));
  let offset = 0;
  for (const parameter of parameters) {
    const values = valuesOf(parameter, byName.get(parameter.name));
    if (typeof values === 'string') issues.push({ path: parameter.name, message: values });
    else weights.set(values, offset);
    offset += sizeOf(parameter.shape);
  }
  return { weights, issues };
}

/** The numbers in our layout, or what is wrong with them. */
function valuesOf(
  { shape, isTransposed }: LlamaParameter,
  tensor: SafeTensor | undefined,
): Float32Array | string {
  if (tensor === undefined) return 'Is missing: take a checkpoint of this architecture, whole.';
  const [out = 1, into = 1] = shape;
  if (tensor.shape.length !== shape.length || tensor.shape.some((length, i) => length !== shape[i]))
    return `Has shape [${tensor.shape.join(', ')}], expected [${shape.join(', ')}].`;
  const values = float32Values(tensor);
  if (values === null)
    return `Holds ${tensor.dtype}, expected F32, F16 or BF16: convert the file to float32.`;
  const wrong = values.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0)
    return `Holds ${shown(values[wrong])} at position ${wrong}, expected finite numbers.`;
  return isTransposed ? transposed(values, out, into) : values;
}
