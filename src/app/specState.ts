import type { ExperimentSpec, OverrideValue } from '../config/experimentSpec';
import type { PlainObject } from '../config/dataPath';
import { editablePaths, valueAt, withValue } from '../config/formFields';
import { differencesOf, withOverrides } from '../config/overrides';
import { parseSpec, type SpecIssue } from '../config/parseSpec';
import { presets, type PresetId } from '../config/presets';

export type Arm = ExperimentSpec['arms'][number];

/** An arm that can be switched on and off without losing it. */
export interface OfferedArm {
  readonly arm: Arm;
  readonly isOn: boolean;
}

/** Where the configuration in the form came from. */
export type SpecOrigin =
  | { readonly kind: 'preset' }
  | { readonly kind: 'link' }
  | { readonly kind: 'console' }
  | { readonly kind: 'file'; readonly name: string };

/** A document that could not be opened, and everything that is wrong with it. */
interface Refusal {
  /** What was to be opened, as the subject of a sentence: `The link`. */
  readonly source: string;
  readonly issues: readonly SpecIssue[];
}

/** The configuration in the form. Plain data, replaced and never changed. */
export interface SpecState {
  /** The preset that differences are counted against: the chosen one, or the nearest to what was opened. */
  readonly presetId: PresetId;
  readonly origin: SpecOrigin;
  /** What the form holds, in the shape of a specification; values may be out of range or NaN. */
  readonly draft: object;
  readonly arms: readonly OfferedArm[];
  /** As typed: may hold NaN, fractions and repetitions. */
  readonly seeds: readonly number[];
  /** The draft as a specification that can run, or everything that is wrong with it. */
  readonly parsed: ReturnType<typeof parseSpec>;
  readonly refusal: Refusal | null;
}

export type SpecEvent =
  | { readonly kind: 'presetChosen'; readonly presetId: PresetId }
  /** A specification that was opened; its origin is shown until something else is loaded. */
  | { readonly kind: 'opened'; readonly spec: ExperimentSpec; readonly origin: SpecOrigin }
  /** The notebook says something else now, by undo for example: what was switched off stays on offer. */
  | { readonly kind: 'followed'; readonly spec: ExperimentSpec }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'refusalClosed' }
  | { readonly kind: 'valueSet'; readonly path: string; readonly value: OverrideValue }
  /** All at once; those that choose a kind come first, and none may be missing then. */
  | { readonly kind: 'recipeChosen'; readonly overrides: Arm['overrides'] }
  | { readonly kind: 'armSwitched'; readonly name: string; readonly isOn: boolean }
  | { readonly kind: 'armAdded'; readonly arm: Arm }
  | { readonly kind: 'armRemoved'; readonly name: string }
  | { readonly kind: 'seedsSet'; readonly seeds: readonly number[] }
  /** A change while running is taken back from the plan, by its place in the list. */
  | { readonly kind: 'interventionRemoved'; readonly index: number };

/** The state of the form right after a preset was chosen. */
export function specStateOf(presetId: PresetId): SpecState {
  return stateOf(presets[presetId].spec, presetId, { kind: 'preset' });
}

export function applySpecEvent(state: SpecState, event: SpecEvent): SpecState {
  if (isArmEvent(event)) return withArms(state, armsAfter(state.arms, event));
  switch (event.kind) {
    case 'presetChosen':
      return specStateOf(event.presetId);
    case 'opened':
      return stateOf(event.spec, nearestPreset(event.spec), event.origin);
    case 'followed':
      return followed(state, event.spec);
    case 'refused':
      return { ...state, refusal: event.refusal };
    case 'refusalClosed':
      return { ...state, refusal: null };
    case 'valueSet':
      return withDraft(state, withValue(state.draft, event.path, event.value));
    case 'recipeChosen':
      return withDraft(state, withOverrides({ ...state.draft }, event.overrides));
    case 'interventionRemoved':
      return withDraft(state, withoutIntervention({ ...state.draft }, event.index));
    case 'seedsSet':
      return withDraft({ ...state, seeds: event.seeds }, { ...state.draft, seeds: event.seeds });
  }
}

type ArmEvent = Extract<SpecEvent, { kind: 'armSwitched' | 'armAdded' | 'armRemoved' }>;

function isArmEvent(event: SpecEvent): event is ArmEvent {
  return ['armSwitched', 'armAdded', 'armRemoved'].includes(event.kind);
}

function armsAfter(arms: readonly OfferedArm[], event: ArmEvent): readonly OfferedArm[] {
  switch (event.kind) {
    case 'armSwitched':
      return arms.map((offer) =>
        offer.arm.name === event.name ? { ...offer, isOn: event.isOn } : offer,
      );
    case 'armAdded':
      return [...arms, { arm: event.arm, isOn: true }];
    case 'armRemoved':
      return arms.filter(({ arm }) => arm.name !== event.name);
  }
}

/** Without any left there is no list, and the document is what it was before. */
function withoutIntervention({ interventions, ...rest }: PlainObject, index: number): object {
  const left = Array.isArray(interventions) ? interventions.toSpliced(index, 1) : [];
  return left.length === 0 ? rest : { ...rest, interventions: left };
}

/** Whether a text names a preset. */
export function isPresetId(text: string): text is PresetId {
  return Object.hasOwn(presets, text);
}

/** One setting of the form that is not as in a specification it is compared with. */
export interface DraftDifference {
  /** Path of a setting, or `title`, `arms`, `seeds`, `interventions`. */
  readonly path: string;
  /** Undefined where the other one has no such setting. */
  readonly from: unknown;
  readonly to: unknown;
}

/** What a draft, valid or not, changes in `base`; arms and seeds count as one setting each. In the order of the form. */
export function draftDifferences(draft: object, base: ExperimentSpec): readonly DraftDifference[] {
  const lists = ['title', 'arms', 'seeds', 'interventions'];
  const paths = [...lists, ...editablePaths(draft).map(({ path }) => path)];
  return paths
    .map((path) => ({ path, from: valueAt(base, path), to: valueAt(draft, path) }))
    .filter(({ from, to }) => !isSame(from, to));
}

/** Equal as JSON, but NaN (an empty control) and null (a setting switched off) are not the same. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Object.is(a, b);
  return JSON.stringify(a) === JSON.stringify(b);
}

function stateOf(spec: ExperimentSpec, presetId: PresetId, origin: SpecOrigin): SpecState {
  const names = new Set(spec.arms.map(({ name }) => name));
  const others = presets[presetId].spec.arms.filter(({ name }) => !names.has(name));
  return {
    presetId,
    origin,
    draft: spec,
    arms: [
      ...spec.arms.map((arm) => ({ arm, isOn: true })),
      ...others.map((arm) => ({ arm, isOn: false })),
    ],
    seeds: spec.seeds,
    parsed: parseSpec(spec),
    refusal: null,
  };
}

function followed(state: SpecState, spec: ExperimentSpec): SpecState {
  const next = stateOf(spec, nearestPreset(spec), state.origin);
  const names = new Set(next.arms.map(({ arm }) => arm.name));
  const others = state.arms.flatMap(({ arm }) =>
    names.has(arm.name) ? [] : [{ arm, isOn: false }],
  );
  return { ...next, arms: [...next.arms, ...others] };
}

function withArms(state: SpecState, arms: readonly OfferedArm[]): SpecState {
  const chosen = arms.filter(({ isOn }) => isOn).map(({ arm }) => arm);
  return withDraft({ ...state, arms }, { ...state.draft, arms: chosen });
}

function withDraft(state: SpecState, draft: object): SpecState {
  return { ...state, draft, parsed: parseSpec(draft) };
}

/** The preset with the fewest settings that differ; the first of equals. */
function nearestPreset(spec: ExperimentSpec): PresetId {
  const distances = Object.keys(presets)
    .filter(isPresetId)
    .map((id) => ({ id, distance: differencesOf(spec, presets[id].spec).length }));
  return distances.reduce((best, next) => (next.distance < best.distance ? next : best)).id;
}
