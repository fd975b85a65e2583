import * as z from 'zod/mini';
import { plainCopy } from '../../config/plainData';
import { firstIssues, toSpecIssues } from '../../config/issueMessages';
import type { SpecIssue } from '../../config/specIssue';
import { maxTitleLength } from '../notebook';

const entry = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,64}$/, 'lower-case letters, digits and hyphens')),
  title: z.string().check(z.maxLength(maxTitleLength)),
  /** One sentence. */
  summary: z.string().check(z.maxLength(300)),
  /** Beside the list. */
  file: z
    .string()
    .check(z.regex(/^[a-z0-9-]{1,64}\.json$/, 'the name of a .json file beside the list')),
  /** Unit: bytes. */
  numBytes: z.int().check(z.minimum(0)),
});

const indexSchema = z.strictObject({
  version: z.literal(1),
  notebooks: z.array(entry).check(z.maxLength(100)),
});

/** One notebook of the gallery, to be shown before its file is fetched. */
export type GalleryEntry = z.output<typeof entry>;

/** The list of the gallery (`notebooks/index.json`), or what is wrong with it. */
export function parseGalleryIndex(
  data: unknown,
):
  | { readonly ok: true; readonly entries: readonly GalleryEntry[] }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] } {
  const { copy, issues } = plainCopy(data);
  if (issues.length > 0) return { ok: false, issues: firstIssues(issues) };
  const parsed = indexSchema.safeParse(copy);
  return parsed.success
    ? { ok: true, entries: parsed.data.notebooks }
    : { ok: false, issues: firstIssues(toSpecIssues(parsed.error.issues, copy)) };
}

/** The list as plain data for its file. */
export function encodeGalleryIndex(entries: readonly GalleryEntry[]): z.output<typeof indexSchema> {
  return { version: 1, notebooks: [...entries] };
}
