import { fieldAt } from '../config/fields';
import type { Arm, DraftDifference } from './specState';

const listNames: Readonly<Record<string, string>> = {
  title: 'Title',
  arms: 'Arms',
  seeds: 'Seeds',
};

/** What the form calls the setting at `path`: `router: Learning rate`. The path itself where the form has no such row. */
export function settingName(path: string): string {
  const label = fieldAt(path)?.label ?? listNames[path];
  if (label === undefined) return path;
  const owner = /^(?:policies|agents)\.([^.]+)\./.exec(path)?.[1];
  return owner === undefined ? label : `${owner}: ${label}`;
}

/** What the form shows for `value` at `path`: the option’s label, `off`, a number with its unit. */
export function settingValue(path: string, value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return value.map(listEntry).join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const field = fieldAt(path);
  if (field?.kind === 'choice') return field.options[String(value)] ?? String(value);
  if (value === null) return nullText(path);
  if (typeof value === 'number' && Number.isNaN(value)) return 'empty';
  const unit = field && 'unit' in field ? field.unit : undefined;
  return unit === undefined ? String(value) : `${String(value)} ${unit}`;
}

/** `Group size: 32 rollouts → 8 rollouts` */
export function differenceText({ path, from, to }: DraftDifference): string {
  return `${settingName(path)}: ${settingValue(path, from)} → ${settingValue(path, to)}`;
}

/** What an arm overrides, one line a setting; the first line of an arm without overrides says so. */
export function armLines(arm: Arm): readonly string[] {
  const lines = Object.entries(arm.overrides).map(
    ([path, value]) => `${settingName(path)}: ${settingValue(path, value)}`,
  );
  return lines.length > 0 ? lines : ['as configured below'];
}

function nullText(path: string): string {
  const field = fieldAt(path);
  return (field && 'nullLabel' in field ? field.nullLabel : undefined) ?? 'none';
}

/** Arms are listed by name. */
function listEntry(entry: unknown): string {
  if (typeof entry === 'object' && entry !== null && 'name' in entry) return String(entry.name);
  return String(entry);
}
