import type { ExperimentSpec } from './experimentSpec';
import type { Intervention, SteeringCommand } from './interventionSchema';
import { parseSpec } from './parseSpec';

/** A specification with other interventions. */

/** With one more, after those of the same iteration. Not checked: for an intervention that took place. */
export function withIntervention(spec: ExperimentSpec, intervention: Intervention): ExperimentSpec {
  const { interventions = [] } = spec;
  const next = interventions.findIndex(({ iteration }) => iteration > intervention.iteration);
  return {
    ...spec,
    interventions: interventions.toSpliced(next < 0 ? interventions.length : next, 0, intervention),
  };
}

/** With these only; without any there is no list, and the specification has the name that it had before it was steered. */
export function withInterventions(
  spec: ExperimentSpec,
  interventions: readonly Intervention[],
): ExperimentSpec {
  const { interventions: _before, ...rest } = spec;
  return interventions.length === 0 ? rest : { ...rest, interventions: [...interventions] };
}

export type Commanded =
  | { readonly ok: true; readonly spec: ExperimentSpec; readonly intervention: Intervention }
  /** A sentence for people. */
  | { readonly ok: false; readonly reason: string };

/**
 * What a valid specification becomes by a command from outside that takes effect in `iteration`, or why not: in the words of the form.
 * Looks at everything, also whether what is planned for later still fits.
 */
export function commanded(
  spec: ExperimentSpec,
  command: SteeringCommand,
  iteration: number,
): Commanded {
  const { arm, path, value } = command;
  const candidate = withIntervention(spec, { iteration, arm, path, value });
  const { interventions } = candidate;
  const place = interventions!.findLastIndex((one) => one.iteration === iteration);
  const parsed = parseSpec(candidate);
  if (parsed.ok)
    return { ok: true, spec: parsed.spec, intervention: parsed.spec.interventions![place]! };
  const [issue] = parsed.issues;
  const [, index] = /^interventions\.(\d+)/.exec(issue?.path ?? '') ?? [];
  const message = issue?.message ?? '';
  if (index === undefined || Number(index) === place) return { ok: false, reason: message };
  const later = interventions![Number(index)]?.iteration ?? NaN;
  return {
    ok: false,
    reason: `The change that is planned for iteration ${later} would no longer fit. ${message}`,
  };
}
