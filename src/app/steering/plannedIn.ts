import { valueAt } from '../../config/dataPath';
import { isIntervention, type Intervention } from '../../config/interventionSchema';

/** The changes that a draft of a specification plans, whether all of it is valid or not. */
export function plannedIn(draft: object): readonly Intervention[] {
  const list = valueAt(draft, 'interventions');
  return Array.isArray(list) ? list.filter(isIntervention) : [];
}
