import { packLink, unpackLink, type LinkKind } from '../config/linkText';
import type { SpecIssue } from '../config/specIssue';
import type { Notebook } from './notebook';
import { parseNotebook, type ParsedNotebook } from './parseNotebook';

/** A whole notebook, without results. `n1` names this envelope; the document inside carries a version of its own. */
const notebookLink: LinkKind = { envelope: '#n1.', noun: 'notebook' };

/** `notebook` must be valid. Refuses a link that would be too long to travel. */
export function encodeNotebookLink(
  notebook: Notebook,
):
  | { readonly ok: true; readonly fragment: string }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] } {
  return packLink(notebookLink, notebook);
}

/** Whether a fragment, with its `#`, is meant as a notebook, of whatever version. */
export function isNotebookLink(fragment: string): boolean {
  return /^#n\d/.test(fragment);
}

/** The fragment of an address to a valid notebook or to what is wrong with it. Never throws. */
export function decodeNotebookLink(fragment: string): ParsedNotebook {
  const unpacked = unpackLink(notebookLink, fragment);
  return unpacked.ok ? parseNotebook(unpacked.data) : unpacked;
}
