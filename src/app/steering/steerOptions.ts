import { valueAt } from '../../config/dataPath';
import type { ExperimentSpec, OverrideValue, TrainingSpec } from '../../config/experimentSpec';
import { fieldAt } from '../../config/fields';
import type { LoggedIntervention } from '../../config/loggedIntervention';
import { settingsAt, steerablePaths } from '../../config/steerable';
import { interventionsOf, trainingsAt } from '../../config/steering';
import { withInterventions } from '../../config/steerSpec';

/** What can be changed of a run that goes on, and what it would have been without a change. */

export interface SteerOption {
  /** Of an intervention. */
  readonly path: string;
  readonly label: string;
}

export interface SteerGroup {
  readonly heading: string;
  readonly options: readonly SteerOption[];
}

/** The trainings that a change would find, of all arms or of one. */
export function steeredTrainings(
  spec: ExperimentSpec,
  iteration: number,
  arm: string | null,
): readonly TrainingSpec[] {
  const trainings = trainingsAt(spec, iteration);
  return [...trainings].flatMap(([name, training]) =>
    arm === null || name === arm ? [training] : [],
  );
}

/** The different values of a setting, in the order of arms and policies; undefined among them where an arm has no such setting. */
function valuesAt(trainings: readonly TrainingSpec[], path: string): readonly unknown[] {
  const values = trainings.flatMap((training) =>
    settingsAt(training, path).map((concrete) => valueAt(training, concrete)),
  );
  return [...new Set(values)];
}

/** As above, of a setting that every one of them has. */
export function presentValues(
  trainings: readonly TrainingSpec[],
  path: string,
): readonly OverrideValue[] {
  return valuesAt(trainings, path).filter(isValue);
}

function isValue(value: unknown): value is OverrideValue {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}

function pathsUnder(prefix: string): readonly string[] {
  return steerablePaths.filter((path) => path.startsWith(prefix));
}

/** Settings that all of the trainings have, as the page offers them. A policy that some arm lacks is not on offer for all arms. */
export function steerGroups(trainings: readonly TrainingSpec[]): readonly SteerGroup[] {
  const [first] = trainings;
  if (first === undefined) return [];
  const policyIds = Object.keys(first.policies).filter((policyId) =>
    trainings.every(({ policies }) => Object.hasOwn(policies, policyId)),
  );
  const ofPolicies = pathsUnder('policies.*.');
  const groups: readonly (readonly [string, readonly string[]])[] = [
    [policyIds.length === 1 ? `Policy ${policyIds[0]}` : 'All policies', ofPolicies],
    ...(policyIds.length === 1 ? [] : policyIds).map(
      (policyId) =>
        [`Policy ${policyId}`, ofPolicies.map((path) => path.replace('*', policyId))] as const,
    ),
    ['Loss', pathsUnder('loss.')],
    ['Estimator', pathsUnder('estimator.')],
  ];
  return groups
    .map(([heading, paths]) => ({
      heading,
      options: paths
        .filter((path) => !valuesAt(trainings, path).includes(undefined))
        .map((path) => ({ path, label: fieldAt(path)?.label ?? path })),
    }))
    .filter(({ options }) => options.length > 0);
}

/**
 * An iteration at which the settings are those of the one that follows `iteration`; it moves only when a change takes effect, so that
 * nothing has to be worked out anew as a run goes on.
 */
export function settledAt(spec: ExperimentSpec, iteration: number): number {
  const past = interventionsOf(spec).filter((one) => one.iteration <= iteration + 1);
  return past.at(-1)?.iteration ?? 1;
}

const longestTitle = 120;

/** The experiment without one of the changes that were made, and without those after it. */
export function specWithoutChange(
  spec: ExperimentSpec,
  log: readonly LoggedIntervention[],
  index: number,
): ExperimentSpec {
  const before = log
    .slice(0, index)
    .map(({ iteration, arm, path, value }) => ({ iteration, arm, path, value }));
  const ending = ` without the change at iteration ${log[index]?.iteration ?? 0}`;
  const title = `${spec.title.slice(0, longestTitle - ending.length)}${ending}`;
  return withInterventions({ ...spec, title }, before);
}
