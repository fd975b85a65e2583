import type { ExperimentSpec } from '../config/experimentSpec';
import { presets } from '../config/presets';
import { encodeShareLink } from '../config/shareLink';
import { specHash } from '../config/specHash';
import { announce } from './announcement';
import { openFragment } from './openSpec';
import { openingPresetId, useSpec } from './specStore';

/** An edit reaches the address after this long without another one. Unit: ms. */
const quietMs = 400;

/** Opens the link in the address, then keeps the address at what the form holds, and opens links that are pasted over it. */
export function startAddress(): void {
  if (location.hash !== '') openFragment(location.hash);
  addEventListener('hashchange', () => openFragment(location.hash));
  let timer: ReturnType<typeof setTimeout> | undefined;
  useSpec.subscribe(({ parsed }, { parsed: before }) => {
    if (parsed === before || !parsed.ok) return;
    clearTimeout(timer);
    timer = setTimeout(() => writeAddress(parsed.spec), quietMs);
  });
}

/** Puts the specification into the address and the address on the clipboard; says so, or why not, in the live region. */
export async function shareSpec(spec: ExperimentSpec): Promise<void> {
  const link = encodeShareLink(spec);
  if (!link.ok) {
    announce(link.issues.map(({ message }) => message).join(' '));
    return;
  }
  history.replaceState(null, '', link.fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    announce('The link to this configuration is on the clipboard.');
  } catch {
    // No permission, or a page without a secure origin.
    announce('The browser did not allow copying: take the link from the address bar.');
  }
}

/** The plain address stands for the opening preset, any other specification writes its link. */
function writeAddress(spec: ExperimentSpec): void {
  if (specHash(spec) === specHash(presets[openingPresetId].spec)) {
    history.replaceState(null, '', location.pathname + location.search);
    return;
  }
  const link = encodeShareLink(spec);
  // Too long for a link: the form works all the same, and Share says what to do.
  if (link.ok) history.replaceState(null, '', link.fragment);
}
