import * as z from 'zod/mini';
import { isPlainObject } from '../config/dataPath';
import { seedSchema } from '../config/experimentSpec';
import { firstIssues, shown, toSpecIssues } from '../config/issueMessages';
import { refusal, type Parsed } from './parsed';
import { stableReplacer } from './stableReplacer';
import { parseStrictJson } from './strictJson';

/** Name of the SVG element and the PNG chunk that carry it. */
export const proofKeyword = 'marlbook';

/** What a figure says of where it comes from, so that whoever has the picture can run the experiment again. */
const figureProofSchema = z.strictObject({
  version: z.literal(1),
  /** Fragment of an address, with its `#`: a notebook (`#n1.…`) or an experiment (`#v1.…`). */
  link: z
    .string()
    .check(z.regex(/^#[nv]\d{1,3}\.[A-Za-z0-9_-]{1,16384}$/, 'the link of a notebook')),
  /** `specHash` of the experiment that was drawn. */
  specHash: z.string().check(z.regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits')),
  seeds: z.readonly(z.array(seedSchema).check(z.minLength(1), z.maxLength(64))),
  /** Version of Marlbook. */
  marlbook: z
    .string()
    .check(z.regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}[\w.+-]{0,32}$/, 'a version such as 0.5.0')),
});

export type FigureProof = z.output<typeof figureProofSchema>;

/** Throws RangeError for a proof that `parseProof` would refuse. */
export function proofJson(proof: FigureProof): string {
  const text = JSON.stringify(proof, stableReplacer);
  const read = parseProof(text);
  if (read.ok) return text;
  const [issue] = read.issues;
  throw new RangeError(`The figure cannot carry its proof: ${issue?.path}: ${issue?.message}`);
}

/** The proof in a text that a figure carried. Never throws. */
export function parseProof(text: string): Parsed<FigureProof> {
  const json = parseStrictJson(text);
  if (!json.ok) return json;
  const version = isPlainObject(json.value) ? json.value['version'] : undefined;
  if (Number.isInteger(version) && version !== 1)
    return refusal(
      'version',
      `${shown(version)} came, this page reads 1: open the figure with a newer Marlbook.`,
    );
  const parsed = figureProofSchema.safeParse(json.value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: firstIssues(toSpecIssues(parsed.error.issues, json.value)) };
}
