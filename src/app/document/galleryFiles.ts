import { parseGalleryIndex, type GalleryEntry } from '../../notebook/gallery/galleryIndex';
import { parseNotebookFile, type ParsedNotebookFile } from '../../notebook/notebookFile';
import type { SpecIssue } from '../../config/specIssue';

/** The notebooks that come with the page: files of its own site, fetched when they are asked for. */

type Listed =
  | { readonly ok: true; readonly entries: readonly GalleryEntry[] }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** Never rejects: a file that is not there or not readable is an issue. */
export async function galleryEntries(): Promise<Listed> {
  const data = await jsonOf('index.json');
  return 'issues' in data ? { ok: false, ...data } : parseGalleryIndex(data.json);
}

/** Likewise, one notebook with its recordings. */
export async function galleryNotebook({ file }: GalleryEntry): Promise<ParsedNotebookFile> {
  const data = await jsonOf(file);
  return 'issues' in data ? { ok: false, ...data } : parseNotebookFile(data.json);
}

async function jsonOf(
  file: string,
): Promise<{ readonly json: unknown } | { readonly issues: readonly SpecIssue[] }> {
  const address = new URL(`notebooks/${file}`, document.baseURI);
  try {
    const response = await fetch(address);
    if (!response.ok) return refusal(file, `The site answered ${response.status}.`);
    return { json: await response.json() };
  } catch (error) {
    return refusal(file, error instanceof Error ? error.message : String(error));
  }
}

function refusal(file: string, reason: string): { readonly issues: readonly SpecIssue[] } {
  return {
    issues: [
      { path: `notebooks/${file}`, message: `${reason} Check that every file was deployed.` },
    ],
  };
}
