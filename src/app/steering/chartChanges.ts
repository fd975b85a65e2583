import type { LoggedIntervention } from '../../config/loggedIntervention';
import type { ChartChange } from '../charts/chartChanges';
import { interventionText, shortText } from './interventionText';

/** The interventions of a run as its charts tell of them. */
export function chartChanges(interventions: readonly LoggedIntervention[]): readonly ChartChange[] {
  return interventions.map((intervention, index) => ({
    id: String(index),
    iteration: intervention.iteration,
    arm: intervention.arm,
    label: shortText(intervention),
    text: interventionText(intervention),
  }));
}
