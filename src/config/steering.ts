import { valueAt } from './dataPath';
import type { ExperimentSpec, OverrideValue, TrainingSpec } from './experimentSpec';
import type { Intervention, SteeringCommand } from './interventionSchema';
import { applyOverrides, armTrainings, unknownOverridePaths } from './overrides';
import { parseTraining } from './parseTraining';
import type { SpecIssue } from './specIssue';
import { isSteerable, settingsAt } from './steerable';

/** What interventions do to the trainings of an experiment. Pure: the page, the trainer and the check of a document ask the same. */

/** The training of each arm, by its name. Arms of one seed share nothing but it. */
export type ArmTrainings = ReadonlyMap<string, TrainingSpec>;

export type Steered =
  | {
      readonly ok: true;
      readonly trainings: ArmTrainings;
      /** The different values that were there before, in the order of arms and policies. */
      readonly was: readonly OverrideValue[];
    }
  | { readonly ok: false; readonly issue: SpecIssue };

function refused(path: string, message: string): Steered {
  return { ok: false, issue: { path, message } };
}

/**
 * The trainings after one command. Refused where the form would refuse the value, where it contradicts other settings, and where the
 * change would need something that a run gets at its start. `path` of an issue: of the command's own part, or of the setting.
 */
export function steerTrainings(trainings: ArmTrainings, command: SteeringCommand): Steered {
  const { arm, path } = command;
  if (!isSteerable(path))
    return refused('path', `${path} came, which cannot change while a run goes on.`);
  const arms = arm === null ? [...trainings.keys()] : [arm];
  const next = new Map(trainings);
  const was = new Set<OverrideValue>();
  for (const name of arms) {
    const before = trainings.get(name);
    if (before === undefined)
      return refused('arm', `${name} came, expected one of ${[...trainings.keys()].join(', ')}.`);
    const after = steerTraining(before, command);
    if (!after.ok) return arms.length === 1 ? after : inArm(after.issue, name);
    next.set(name, after.training);
    for (const value of after.was) was.add(value);
  }
  return { ok: true, trainings: next, was: [...was] };
}

function inArm({ path, message }: SpecIssue, arm: string): Steered {
  return refused(path, `In arm ${arm}: ${message}`);
}

type SteeredTraining =
  | { readonly ok: true; readonly training: TrainingSpec; readonly was: readonly OverrideValue[] }
  | { readonly ok: false; readonly issue: SpecIssue };

function steerTraining(before: TrainingSpec, { path, value }: SteeringCommand): SteeredTraining {
  const paths = settingsAt(before, path);
  const overrides = Object.fromEntries(paths.map((concrete) => [concrete, value]));
  const [unknown] = unknownOverridePaths(before, overrides);
  if (unknown !== undefined)
    return {
      ok: false,
      issue: {
        path: 'path',
        message: `${unknown} came: no such setting with the kinds chosen here.`,
      },
    };
  const was = paths.map((concrete) => valueAt(before, concrete)).filter(isValue);
  const parsed = parseTraining(applyOverrides(before, overrides));
  const issue = parsed.ok ? continuityIssue(before, parsed.training) : parsed.issues[0]!;
  return parsed.ok && issue === null
    ? { ok: true, training: parsed.training, was }
    : { ok: false, issue: issue! };
}

function isValue(value: unknown): value is OverrideValue {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}

/** What a valid training cannot become while it goes on. */
function continuityIssue(before: TrainingSpec, after: TrainingSpec): SpecIssue | null {
  const [kind, next] = [before.estimator.kind, after.estimator.kind];
  if (kind !== next && ('critic' in before.estimator || 'critic' in after.estimator))
    return {
      path: 'estimator.kind',
      message: `${next} came after ${kind}: an estimator with a critic needs a value network, which a run gets at its start and keeps.`,
    };
  if (before.loss.refKlCoef === 0 && after.loss.refKlCoef > 0)
    return {
      path: 'loss.refKlCoef',
      message: `${after.loss.refKlCoef} came, but the run keeps no reference while the penalty is 0: start it with a small one, e.g. 0.000001, and raise that.`,
    };
  return null;
}

/** In the order in which they take effect; the order of equal iterations is that of the document. */
export function interventionsOf({
  interventions = [],
}: Pick<ExperimentSpec, 'interventions'>): readonly Intervention[] {
  return interventions.toSorted((a, b) => a.iteration - b.iteration);
}

/**
 * The trainings that the rollouts of an iteration begin with.
 * Throws TypeError where an intervention is refused; `parseSpec` returns only specifications whose interventions are not.
 */
export function trainingsAt(spec: ExperimentSpec, iteration: number): ArmTrainings {
  return interventionsOf(spec)
    .filter((intervention) => intervention.iteration <= iteration)
    .reduce<ArmTrainings>((trainings, { arm, path, value }) => {
      const steered = steerTrainings(trainings, { arm, path, value });
      if (!steered.ok)
        throw new TypeError(
          `The change of ${path} is not possible (parse the spec first). ${steered.issue.message}`,
        );
      return steered.trainings;
    }, armTrainings(spec));
}

/** What is wrong with the interventions of a specification whose arms are valid; the first that is wrong hides those after it. */
export function interventionIssues(spec: ExperimentSpec): readonly SpecIssue[] {
  const { interventions = [], iterations } = spec;
  const late = interventions.findIndex(({ iteration }) => iteration > iterations);
  if (late >= 0)
    return [
      {
        path: `interventions.${late}.iteration`,
        message: `${interventions[late]!.iteration} came, but the run has ${iterations} iterations: expected at most that. Change it, or run longer.`,
      },
    ];
  let trainings = interventions.length === 0 ? new Map() : armTrainings(spec);
  for (const intervention of interventionsOf(spec)) {
    const { arm, path, value, iteration } = intervention;
    const steered = steerTrainings(trainings, { arm, path, value });
    if (steered.ok) {
      ({ trainings } = steered);
      continue;
    }
    const place = `interventions.${interventions.indexOf(intervention)}`;
    const { issue } = steered;
    return [placedIssue(place, issue, intervention, iteration)];
  }
  return [];
}

/** At the part of the intervention that is wrong; a setting elsewhere that no longer fits is named. */
function placedIssue(
  place: string,
  { path: at, message }: SpecIssue,
  { path }: SteeringCommand,
  iteration: number,
): SpecIssue {
  if (at === 'path' || at === 'arm') return { path: `${place}.${at}`, message };
  const isOwn = at === path || at.endsWith(path.replace(/^policies\.\*/, ''));
  return isOwn
    ? { path: `${place}.value`, message }
    : { path: place, message: `From iteration ${iteration} on, ${at}: ${message}` };
}
