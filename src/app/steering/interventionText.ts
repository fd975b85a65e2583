import type { Intervention, SteeringCommand } from '../../config/interventionSchema';
import type { LoggedIntervention } from '../../config/loggedIntervention';
import { settingName, settingValue } from '../settingText';

/** Interventions in words. */

function armText(arm: string | null): string {
  return arm === null ? 'in all arms' : `in arm ${arm}`;
}

/** `Learning rate 0.003 → 0.0001 in all arms from iteration 57` */
export function interventionText(intervention: LoggedIntervention): string {
  const { iteration, arm, path, value, was } = intervention;
  const [name, next] = [settingName(path), settingValue(path, value)];
  const [only, ...others] = was.map((before) => settingValue(path, before));
  const from = others.length === 0 && only !== undefined ? ` ${only}` : '';
  const before = others.length > 0 ? ` (was ${[only, ...others].join(', ')})` : '';
  return `${name}${from} → ${next}${before} ${armText(arm)} from iteration ${iteration}`;
}

/** Of one that has not taken effect yet: `Learning rate → 0.0001 in all arms` */
export function commandText({ arm, path, value }: SteeringCommand): string {
  return `${settingName(path)} → ${settingValue(path, value)} ${armText(arm)}`;
}

/** `Learning rate → 0.0001 in all arms from iteration 57` */
export function plannedText(intervention: Intervention): string {
  return `${commandText(intervention)} from iteration ${intervention.iteration}`;
}

/** Short enough to stand in a plot: `Learning rate → 0.0001`, with the arm where it is not for all. */
export function shortText({ arm, path, value }: SteeringCommand): string {
  const what = `${settingName(path)} → ${settingValue(path, value)}`;
  return arm === null ? what : `${arm}: ${what}`;
}
