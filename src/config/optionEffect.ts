import { valueAt } from './dataPath';
import type { Effect, WorldSizes } from './effectGiven';
import { diagnosticsEffects } from './diagnosticsEffects';
import { environmentEffects } from './environmentEffects';
import { estimatorEffects } from './estimatorEffects';
import type { ExperimentSpec } from './experimentSpec';
import { fieldPathOf, type FieldPath } from './fields';
import { lossEffects } from './lossEffects';
import { policyEffects } from './policyEffects';
import { scheduleEffects } from './scheduleEffects';
import { trainingEffects } from './trainingEffects';

/** What every setting means in this very specification. */
const effects: Readonly<Record<FieldPath, Effect>> = {
  ...environmentEffects,
  ...policyEffects,
  ...estimatorEffects,
  ...lossEffects,
  ...scheduleEffects,
  ...trainingEffects,
  ...diagnosticsEffects,
};

/**
 * What the present value at a concrete path means in numbers, in one or two sentences; a choice without numbers says what it does.
 * Of the specification itself: an arm may override the setting.
 * @param spec one that `parseSpec` accepted
 * @param world sizes of its world
 * Throws RangeError where the form has no such setting.
 */
export function optionEffect(spec: ExperimentSpec, path: string, world: WorldSizes): string {
  const fieldPath = fieldPathOf(path);
  const value = valueAt(spec, path);
  if (fieldPath === undefined || value === undefined)
    throw new RangeError(
      `${path} is no setting of this specification: give a path of the form, such as groups.groupSize.`,
    );
  return effects[fieldPath]({ spec, world, path, value });
}
