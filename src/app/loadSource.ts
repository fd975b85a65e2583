import type { Backend, ExperimentSpec, OverrideValue } from '../config/experimentSpec';
import { withValue } from '../config/formFields';
import { parseSpec, type SpecIssue } from '../config/parseSpec';
import { presets } from '../config/presets';
import { decodeShareLink } from '../config/shareLink';
import { isPresetId } from './specState';

/** Exactly one of the three. */
export interface SpecSource {
  readonly preset?: string;
  /** Plain data, e.g. a parsed file. */
  readonly spec?: unknown;
  /** An address with a fragment, or the fragment alone. */
  readonly link?: string;
}

/** What to change in it, in the order of the fields here. */
export interface SpecAdjustment {
  /** path → value, as an arm’s overrides. */
  readonly set?: Readonly<Record<string, OverrideValue>>;
  /** Names of the arms to keep. */
  readonly arms?: readonly string[];
  readonly seeds?: readonly number[];
  readonly iterations?: number;
  readonly backend?: Backend;
}

export type LoadedSpec =
  | { readonly ok: true; readonly spec: ExperimentSpec }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** The specification that a source and its adjustment describe, or everything that is wrong with it. Never throws. */
export function specFrom(source: SpecSource, adjustment: SpecAdjustment = {}): LoadedSpec {
  const parsed = parseSource(source);
  if (!parsed.ok) return parsed;
  const missing = (adjustment.arms ?? []).filter((name) => !hasArm(parsed.spec, name));
  if (missing.length > 0) return refusal('arms', armMessage(parsed.spec, missing));
  let draft: object = parsed.spec;
  for (const [path, value] of Object.entries(adjustment.set ?? {})) {
    try {
      draft = withValue(draft, path, value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return refusal(path, error.message);
    }
  }
  return parseSpec({ ...draft, ...replaced(parsed.spec, adjustment) });
}

function parseSource({ preset, spec, link }: SpecSource): LoadedSpec {
  if (preset !== undefined)
    return isPresetId(preset)
      ? { ok: true, spec: presets[preset].spec }
      : refusal('preset', `${preset} came, expected one of ${Object.keys(presets).join(', ')}.`);
  if (link !== undefined) return decodeShareLink(link.slice(Math.max(0, link.indexOf('#'))));
  return parseSpec(spec);
}

function hasArm(spec: ExperimentSpec, name: string): boolean {
  return spec.arms.some((arm) => arm.name === name);
}

function armMessage(spec: ExperimentSpec, missing: readonly string[]): string {
  const names = spec.arms.map(({ name }) => name);
  return `${missing.join(', ')} came, expected some of ${names.join(', ')}.`;
}

/** The top-level settings that an adjustment replaces as a whole. */
function replaced(spec: ExperimentSpec, adjustment: SpecAdjustment): object {
  const { arms, seeds, iterations, backend } = adjustment;
  return {
    ...(arms && { arms: spec.arms.filter(({ name }) => arms.includes(name)) }),
    ...(seeds && { seeds: [...seeds] }),
    ...(iterations !== undefined && { iterations }),
    ...(backend !== undefined && { backend }),
  };
}

function refusal(path: string, message: string): LoadedSpec {
  return { ok: false, issues: [{ path, message }] };
}
