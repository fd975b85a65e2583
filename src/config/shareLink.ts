import type { ExperimentSpec } from './experimentSpec';
import { packLink, unpackLink, type LinkKind } from './linkText';
import { parseSpec } from './parseSpec';
import type { SpecIssue } from './specIssue';

/**
 * The whole specification, not its difference to a preset: presets may change, a link must not. `v1` names this envelope; the
 * document inside carries a version of its own.
 */
const experimentLink: LinkKind = { envelope: '#v1.', noun: 'experiment' };

type Refusal = { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** `spec` must be valid (from `parseSpec`). Refuses a link that would be too long to travel. */
export function encodeShareLink(
  spec: ExperimentSpec,
): { readonly ok: true; readonly fragment: string } | Refusal {
  return packLink(experimentLink, spec);
}

/** The fragment of an address, with or without its `#`, to a valid specification or to what is wrong with it. Never throws. */
export function decodeShareLink(
  fragment: string,
): { readonly ok: true; readonly spec: ExperimentSpec } | Refusal {
  const unpacked = unpackLink(experimentLink, fragment);
  return unpacked.ok ? parseSpec(unpacked.data) : unpacked;
}
