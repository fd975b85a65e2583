import { diagnosticsFields } from './diagnosticsFields';
import { environmentFields } from './environmentFields';
import { estimatorFields } from './estimatorFields';
import type { Field } from './field';
import { lossFields } from './lossFields';
import { policyFields } from './policyFields';
import { scheduleFields } from './scheduleFields';
import { trainingFields } from './trainingFields';

/**
 * Every setting of an experiment in one table: the form, the validation messages and the docs are made from it.
 * A key is the path inside an ExperimentSpec; `*` stands for any id (of a policy, of an agent).
 */
export const fields = {
  ...environmentFields,
  ...policyFields,
  ...estimatorFields,
  ...lossFields,
  ...scheduleFields,
  ...trainingFields,
  ...diagnosticsFields,
} as const satisfies Record<string, Field>;

export type FieldPath = keyof typeof fields;

function isFieldPath(path: string): path is FieldPath {
  return Object.hasOwn(fields, path);
}

/** The key of the table for a concrete path such as `policies.router.optimizer.learningRate`, if there is one. */
export function fieldPathOf(path: string): FieldPath | undefined {
  const pattern = path.replace(/^(policies|agents)\.[^.]+\./, '$1.*.');
  return isFieldPath(pattern) ? pattern : undefined;
}

/** Its row. */
export function fieldAt(path: string): Field | undefined {
  const fieldPath = fieldPathOf(path);
  return fieldPath === undefined ? undefined : fields[fieldPath];
}

/** Choices whose options are no methods: which world, which policy, which machine, and how fast the learning rate falls. */
const withoutMethods: ReadonlySet<FieldPath> = new Set<FieldPath>([
  'environment.kind',
  'agents.*.policy',
  'policies.*.schedule.kind',
  'backend',
]);

/** The key of `choiceDetails` for a concrete path; undefined where the setting is no choice of methods. */
export function methodChoiceOf(path: string): FieldPath | undefined {
  const key = fieldPathOf(path);
  if (key === undefined || withoutMethods.has(key)) return undefined;
  return fields[key].kind === 'choice' ? key : undefined;
}
