import { parseSpec } from '../config/parseSpec';
import { armIssueText } from './settingText';
import type { Arm } from './specState';

/** Why the arm cannot be added to the specification in the form; null = it can. */
export function reasonAgainst(arm: Arm, draft: object, taken: readonly string[]): string | null {
  if (arm.name === '') return 'Give the arm a name and at least one override.';
  if (taken.includes(arm.name)) return `There is an arm ${arm.name} already.`;
  if (Object.keys(arm.overrides).length === 0) return 'Choose at least one override.';
  const parsed = parseSpec({ ...draft, arms: [arm] });
  const issue = parsed.ok ? undefined : parsed.issues.find(({ path }) => path.startsWith('arms.'));
  return issue === undefined ? null : armIssueText(issue);
}
