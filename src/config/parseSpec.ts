import { valueAt } from './dataPath';
import { experimentSpecSchema, type ExperimentSpec, type TrainingSpec } from './experimentSpec';
import { applyOverrides, unknownOverridePaths } from './overrides';
import { parseTraining, trainingIssues, trainingOf } from './parseTraining';
import { withLaterSettings } from './migrate';
import { plainCopy } from './plainData';
import { firstIssues, shown, toSpecIssues } from './issueMessages';
import { interventionIssues } from './steering';
import type { SpecIssue } from './specIssue';

export type { SpecIssue } from './specIssue';

/** Most (arm, seed) pairs of one experiment: they are stacked on one axis in the memory of every policy. */
const maxReplicas = 64;

/**
 * Unknown data (from a link, a file, storage, a form or a message) to a specification, or what is wrong with it, at most some
 * fifty issues. The result is fresh plain data that shares nothing with `data`. Never throws on data as JSON can hold it.
 */
export function parseSpec(
  data: unknown,
):
  | { readonly ok: true; readonly spec: ExperimentSpec }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] } {
  const { copy: came, issues: foreign } = plainCopy(data);
  if (foreign.length > 0) return { ok: false, issues: firstIssues(foreign) };
  const copy = withLaterSettings(came);
  const parsed = experimentSpecSchema.safeParse(copy);
  const issues = parsed.success
    ? experimentIssues(parsed.data)
    : toSpecIssues(parsed.error.issues, copy);
  return parsed.success && issues.length === 0
    ? { ok: true, spec: parsed.data }
    : { ok: false, issues: firstIssues(issues) };
}

/** Rules between fields that the schema cannot say. */
function experimentIssues(spec: ExperimentSpec): readonly SpecIssue[] {
  const base = [...trainingIssues(spec), ...staleIssues(spec, spec.iterations)];
  const issues = [
    ...base,
    ...repeatedIssues(
      'arms',
      'name',
      spec.arms.map(({ name }) => name),
    ),
    ...repeatedIssues('seeds', '', spec.seeds),
    ...replicaIssues(spec),
    // An arm over a base that is wrong would repeat the base's issues.
    ...(base.length > 0 ? [] : armIssues(spec)),
  ];
  // Interventions change what is valid.
  return issues.length > 0 ? issues : interventionIssues(spec);
}

/** Rollouts that come back after the last iteration are never learned from. */
function staleIssues({ groups }: TrainingSpec, iterations: number): readonly SpecIssue[] {
  const { staleIterations } = groups;
  if (staleIterations < iterations) return [];
  const message = `${staleIterations} came, but the run has ${iterations} iterations, so no rollout would ever be learned from: lower it below that, or run longer.`;
  return [{ path: 'groups.staleIterations', message }];
}

function repeatedIssues(
  list: string,
  key: string,
  values: readonly (string | number)[],
): readonly SpecIssue[] {
  return values.flatMap((value, i) => {
    const first = values.indexOf(value);
    if (first === i) return [];
    const path = [list, i, key].filter((part) => part !== '').join('.');
    const message = `${shown(value)} came twice (also in ${list}.${first}): every one must be different.`;
    return [{ path, message }];
  });
}

function replicaIssues({ arms, seeds }: ExperimentSpec): readonly SpecIssue[] {
  const numReplicas = arms.length * seeds.length;
  if (numReplicas <= maxReplicas) return [];
  const message = `${arms.length} arms × ${seeds.length} seeds = ${numReplicas} runs, expected at most ${maxReplicas}: remove seeds or arms.`;
  return [{ path: 'seeds', message }];
}

/** What is wrong with the arms, and which policies neither the base nor any arm uses. */
function armIssues(spec: ExperimentSpec): readonly SpecIssue[] {
  const arms = spec.arms.map(({ overrides }, i) =>
    parseArm(spec, overrides, `arms.${i}.overrides`),
  );
  const issues = arms.flatMap((arm) => (arm.ok ? [] : arm.issues));
  if (issues.length > 0) return issues;
  const trainings = [spec, ...arms.flatMap((arm) => (arm.ok ? [arm.training] : []))];
  return unusedPolicyIssues(spec, trainings);
}

function parseArm(
  spec: ExperimentSpec,
  overrides: ExperimentSpec['arms'][number]['overrides'],
  armPath: string,
): ReturnType<typeof parseTraining> {
  const unknownPaths = unknownOverridePaths(spec, overrides);
  if (unknownPaths.length > 0) {
    const issues = unknownPaths.map((path) => ({
      path: `${armPath}.${path}`,
      message: overridePathMessage(spec, path),
    }));
    return { ok: false, issues };
  }
  const parsed = parseTraining(applyOverrides(spec, overrides));
  const found = parsed.ok ? staleIssues(parsed.training, spec.iterations) : parsed.issues;
  if (parsed.ok && found.length === 0) return parsed;
  const issues = found.map(({ path, message }) =>
    Object.hasOwn(overrides, path)
      ? { path: `${armPath}.${path}`, message }
      : { path: armPath, message: `With these overrides, ${path}: ${message}` },
  );
  return { ok: false, issues };
}

function overridePathMessage(spec: ExperimentSpec, path: string): string {
  const value = valueAt(spec, path);
  if (typeof value === 'object' && value !== null)
    return `A group of settings, expected a single one: override its parts, e.g. estimator.scope.`;
  return value === undefined || valueAt(trainingOf(spec), path) !== undefined
    ? 'No such setting with the kinds chosen here: check the spelling, or leave out the override or the arm.'
    : 'The same for all arms: change it for the whole experiment, or remove the override.';
}

function unusedPolicyIssues(
  spec: ExperimentSpec,
  trainings: readonly TrainingSpec[],
): readonly SpecIssue[] {
  const used = new Set(
    trainings.flatMap(({ agents }) => Object.values(agents).map(({ policy }) => policy)),
  );
  return Object.keys(spec.policies)
    .filter((policy) => !used.has(policy))
    .map((policy) => ({
      path: `policies.${policy}`,
      message: 'No agent uses this policy, in no arm: give it to an agent, or remove it.',
    }));
}
