import type { OverrideValue } from './experimentSpec';

/** A method by name: what it computes, where that stands, and the settings that make it. */
export interface Recipe {
  /** Fit for the name of an arm. */
  readonly id: string;
  readonly label: string;
  /** Under which heading a list shows it. */
  readonly family: string;
  readonly formula: string;
  readonly source: string;
  /** What sets it apart, where sources differ, and what this notebook does otherwise. */
  readonly note: string;
  /** path → value, as an arm's overrides; everything that makes the method, and nothing else. */
  readonly overrides: Readonly<Record<string, OverrideValue>>;
}
