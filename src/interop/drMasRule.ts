import type { EstimatorSpec, ExperimentSpec, TrainingSpec } from '../config/experimentSpec';

/** What an export to langfengQ/DrMAS knows of the experiment while it looks at one setting. */
export interface DrMasContext {
  readonly training: TrainingSpec;
  readonly evaluation: ExperimentSpec['evaluation'];
}

/** A Hydra override: `key=value`. A key that begins with + is new to their file. */
export type HydraOverride = readonly [key: string, value: string | number | boolean];

/**
 * What becomes of a setting: overrides (none where other settings of theirs already say it, or it is their fixed behaviour), or in words
 * why it has no counterpart.
 */
export type DrMasRule = (
  value: unknown,
  context: DrMasContext,
) => readonly HydraOverride[] | string;

/** A setting that nothing of theirs corresponds to, whatever its value. */
export function none(reason: string): DrMasRule {
  return () => reason;
}

/** Said by an override that another setting brings. */
export const saidElsewhere: DrMasRule = () => [];

/** Their behaviour is fixed: only this value is carried. */
export function only(fixed: unknown, reason: string): DrMasRule {
  return (value) => (value === fixed ? [] : reason);
}

/** One key takes the value as it stands. */
export function as(key: string): DrMasRule {
  return (value) => {
    if (typeof value === 'number' || typeof value === 'boolean') return [[key, value]];
    return `${String(value)} is no number.`;
  };
}

/** For a rule that says more than one key. */
export function ifNumber(key: string, value: unknown): readonly HydraOverride[] {
  return typeof value === 'number' ? [[key, value]] : [];
}

/** One key takes a word for each of ours; words that are not listed have no counterpart. */
export function words(
  key: string,
  theirs: Readonly<Record<string, string | boolean>>,
  reason: string,
): DrMasRule {
  return (value) => {
    const word = Object.hasOwn(theirs, String(value)) ? theirs[String(value)] : undefined;
    return word === undefined ? reason : [[key, word]];
  };
}

/** One of their settings for all policies: carried if all of ours agree. */
export function shared(
  rule: DrMasRule,
  pick: (policy: TrainingSpec['policies'][string]) => unknown,
): DrMasRule {
  return (value, context) => {
    const all = Object.values(context.training.policies).map(pick);
    return all.every((other) => other === value)
      ? rule(value, context)
      : 'Differs between policies, and theirs is one for all.';
  };
}

/** Their name for what our estimator computes; null where they have none. Checked against compute_*_advantage of core_algos.py. */
export function drMasEstimator(estimator: EstimatorSpec): string | null {
  if (estimator.kind === 'gigpo') return 'gigpo';
  if (estimator.kind !== 'group') return null;
  const { center, scale } = estimator;
  if (center === 'leaveOneOut') return scale === 'none' ? 'rloo' : null;
  if (center !== 'mean') return null;
  if (scale === 'batchStd') return 'reinforce_plus_plus_baseline';
  return scale === 'std' || scale === 'none' ? 'grpo' : null;
}
