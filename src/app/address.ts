import { presets } from '../config/presets';
import { encodeShareLink } from '../config/shareLink';
import type { SpecIssue } from '../config/specIssue';
import { specHash } from '../config/specHash';
import type { Notebook } from '../notebook/notebook';
import { encodeNotebookLink } from '../notebook/notebookLink';
import { standardSpecOf } from '../notebook/standardNotebook';
import { announce } from './announcement';
import { openFirstNotebook } from './document/gallery';
import { presentNotebook, useDocument } from './document/documentStore';
import { openFragment } from './openSpec';
import { openingPresetId } from './openingPreset';

/** Opens the page with an experiment that nothing was done with. */
const blank = '#new';

/** An edit reaches the address after this long without another one. Unit: ms. */
const quietMs = 400;

/** Opens the link in the address, then keeps the address at what the notebook says, and opens links that are pasted over it. */
export function startAddress(): void {
  // A visitor who brings nothing is shown a finished notebook; what goes wrong with it leaves the page as it is.
  if (location.hash === '') void openFirstNotebook();
  else if (location.hash !== blank) openFragment(location.hash);
  addEventListener('hashchange', () => {
    if (location.hash !== '' && location.hash !== blank) openFragment(location.hash);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  useDocument.subscribe(({ history: { present } }, before) => {
    if (present === before.history.present) return;
    clearTimeout(timer);
    timer = setTimeout(() => writeAddress(present), quietMs);
  });
}

type Link =
  | { readonly ok: true; readonly fragment: string }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** What says nothing but its experiment is a link to the experiment: shorter, and read by every version. */
export function linkOf(notebook: Notebook): Link {
  const spec = standardSpecOf(notebook);
  return spec === null ? encodeNotebookLink(notebook) : encodeShareLink(spec);
}

/** Puts the notebook into the address and the address on the clipboard; says so, or why not, in the live region. */
export async function shareNotebook(): Promise<void> {
  const link = linkOf(presentNotebook());
  if (!link.ok) {
    announce(link.issues.map(({ message }) => message).join(' '));
    return;
  }
  history.replaceState(null, '', link.fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    announce('The link to this notebook is on the clipboard.');
  } catch {
    // No permission, or a page without a secure origin.
    announce('The browser did not allow copying: take the link from the address bar.');
  }
}

/** The plain address stands for the opening preset, any other notebook writes its link. */
function writeAddress(notebook: Notebook): void {
  const spec = standardSpecOf(notebook);
  const isOpening = spec !== null && specHash(spec) === specHash(presets[openingPresetId].spec);
  const link = isOpening ? null : linkOf(notebook);
  // Too long for a link: the notebook works all the same, and Share says what to do.
  const fragment = link?.ok ? link.fragment : location.pathname + location.search;
  history.replaceState(null, '', fragment);
}
