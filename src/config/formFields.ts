import { isPlainObject, replaceAt, valueAt, type PlainObject } from './dataPath';
import type { Field } from './field';
import { fields } from './fields';
import { switchKind } from './overrides';

export { valueAt } from './dataPath';

export type FormSection =
  | 'World'
  | 'Team'
  | `Policy ${string}`
  | 'Estimator'
  | 'Loss'
  | 'Groups'
  | 'Pulses'
  | 'Failure tags'
  | 'Warm start'
  | 'Run'
  | 'Diagnostics';

/** One control of the form. */
export interface FormField {
  readonly section: FormSection;
  /** Concrete path inside the specification, for `valueAt` and `withValue`. */
  readonly path: string;
  readonly field: Field;
}

/**
 * The controls for a specification, or for one that is being edited and not valid now, in the order of the form: section by
 * section, inside a section as in the field table. Settings that its world or optimizer does not have are absent; an agent's
 * policy can be chosen among the policies there are. Title, arms and seeds are no rows of the table and have editors of their own.
 */
export function editablePaths(spec: object): readonly FormField[] {
  const policyIds = keysAt(spec, 'policies');
  const policyChoice: Field = {
    ...fields['agents.*.policy'],
    options: Object.fromEntries(policyIds.map((policyId) => [policyId, policyId])),
  };
  return [
    ...rowsUnder(spec, 'World', 'environment.'),
    ...keysAt(spec, 'agents').map((agent): FormField => ({
      section: 'Team',
      path: `agents.${agent}.policy`,
      field: policyChoice,
    })),
    ...policyIds.flatMap((policyId) => policyRows(spec, policyId)),
    ...rowsUnder(spec, 'Estimator', 'estimator.'),
    ...rowsUnder(spec, 'Loss', 'loss.'),
    ...rowsUnder(spec, 'Groups', 'groups.'),
    ...rowsUnder(spec, 'Pulses', 'pulses.'),
    ...rowsUnder(spec, 'Failure tags', 'failureTags.'),
    ...rowsUnder(spec, 'Warm start', 'warmStart.'),
    ...rowsUnder(spec, 'Run', 'iterations'),
    ...rowsUnder(spec, 'Run', 'evaluation.'),
    ...rowsUnder(spec, 'Run', 'backend'),
    ...rowsUnder(spec, 'Diagnostics', 'diagnostics.'),
  ];
}

function keysAt(spec: object, path: string): readonly string[] {
  const value = valueAt(spec, path);
  return isPlainObject(value) ? Object.keys(value) : [];
}

const rows: readonly (readonly [string, Field])[] = Object.entries(fields);

function rowsUnder(spec: object, section: FormSection, prefix: string): readonly FormField[] {
  return rows
    .filter(([path]) => path.startsWith(prefix) && valueAt(spec, path) !== undefined)
    .map(([path, field]) => ({ section, path, field }));
}

function policyRows(spec: object, policyId: string): readonly FormField[] {
  return rows
    .filter(([pattern]) => pattern.startsWith('policies.*.'))
    .map(([pattern, field]): FormField => ({
      section: `Policy ${policyId}`,
      path: pattern.replace('*', policyId),
      field,
    }))
    .filter(({ path }) => valueAt(spec, path) !== undefined);
}

/**
 * A copy with another value at an existing path; the result is not checked: give it to `parseSpec`. Another kind of optimizer
 * brings its defaults and keeps the gradient clip. Another world brings its defaults, its agents and a policy for each of them,
 * copied from those there are (one for all, where all shared one). Throws RangeError when nothing is at the path.
 */
export function withValue(data: object, path: string, value: unknown): PlainObject {
  const switched = switchKind({ ...data }, path, value);
  const edited = replaceAt(switched, path, value);
  const isNewTeam = valueAt(switched, 'agents') !== valueAt(data, 'agents');
  return isNewTeam ? withOwnPolicies(edited) : edited;
}

/** Names each policy after its agent, unless the whole team shares one, and drops those without an agent. */
function withOwnPolicies(data: PlainObject): PlainObject {
  const agents = keysAt(data, 'agents');
  const policyIds = agents.map((agent) => valueAt(data, `agents.${agent}.policy`));
  const isShared = policyIds.every((policyId) => policyId === policyIds[0]);
  if (isShared) {
    const shared = String(policyIds[0]);
    return { ...data, policies: { [shared]: valueAt(data, `policies.${shared}`) } };
  }
  return {
    ...data,
    agents: Object.fromEntries(agents.map((agent) => [agent, { policy: agent }])),
    policies: Object.fromEntries(
      agents.map((agent, i) => [agent, valueAt(data, `policies.${String(policyIds[i])}`)]),
    ),
  };
}
