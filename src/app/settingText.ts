import type { Field } from '../config/field';
import { fieldAt } from '../config/fields';
import type { SpecIssue } from '../config/parseSpec';
import type { DraftDifference } from './specState';

const listNames: Readonly<Record<string, string>> = {
  title: 'Title',
  arms: 'Arms',
  seeds: 'Seeds',
  interventions: 'Changes while running',
};

/** What the form calls the setting at `path`: `router: Learning rate`. The path itself where the form has no such row. */
export function settingName(path: string): string {
  const label = fieldAt(path)?.label ?? listNames[path];
  if (label === undefined) return armName(path) ?? changeName(path) ?? path;
  const owner = /^(?:policies|agents)\.([^.]+)\./.exec(path)?.[1];
  // Of every policy: the setting as such.
  return owner === undefined || owner === '*' ? label : `${owner}: ${label}`;
}

/** `arms.1.overrides.estimator.unit` → `Arm 2: One sample per` */
function armName(path: string): string | null {
  const [, index, rest = ''] = /^arms\.(\d+)(?:\.overrides)?(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) return null;
  const name = `Arm ${Number(index) + 1}`;
  return rest === '' ? name : `${name}: ${settingName(rest)}`;
}

const changeParts: Readonly<Record<string, string>> = {
  iteration: 'iteration',
  arm: 'arm',
  path: 'setting',
  value: 'value',
};

/** `interventions.1.value` → `Change 2 while running: value` */
function changeName(path: string): string | null {
  const [, index, part] = /^interventions\.(\d+)(?:\.(\w+))?$/.exec(path) ?? [];
  if (index === undefined) return null;
  const name = `Change ${Number(index) + 1} while running`;
  return part === undefined ? name : `${name}: ${changeParts[part] ?? part}`;
}

/** What is wrong with an arm, beside the arm itself: the setting and the reason. `path` begins with the arm’s own. */
export function armIssueText({ path, message }: SpecIssue): string {
  const setting = path.replace(/^arms\.\d+\.(overrides\.?)?/, '');
  return setting === '' ? message : `${settingName(setting)}: ${message}`;
}

/** What the form shows for `value` at `path`: the option’s label, `off`, a number with its unit. */
export function settingValue(path: string, value: unknown): string {
  const field = fieldAt(path);
  if (typeof value === 'number') return numberText(field, value);
  if (typeof value === 'string') return optionText(field, value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.map(listEntry).join(', ') || 'none';
  return value === null ? nullText(field) : 'absent';
}

function numberText(field: Field | undefined, value: number): string {
  if (Number.isNaN(value)) return 'empty';
  if (field?.kind === 'choice') return optionText(field, String(value));
  const unit = field && 'unit' in field ? field.unit : undefined;
  return unit === undefined ? String(value) : `${value} ${unit}`;
}

function optionText(field: Field | undefined, value: string): string {
  return (field?.kind === 'choice' ? field.options[value] : undefined) ?? value;
}

/** A reason as the form says it: an empty number control holds NaN, a word for programmers. */
export function issueText(message: string): string {
  return message.replace(/^NaN came/, 'Nothing came');
}

/** `Group size: 32 rollouts → 8 rollouts` */
export function differenceText({ path, from, to }: DraftDifference): string {
  return `${settingName(path)}: ${settingValue(path, from)} → ${settingValue(path, to)}`;
}

function nullText(field: Field | undefined): string {
  return (field && 'nullLabel' in field ? field.nullLabel : undefined) ?? 'none';
}

/** Arms are listed by name. */
function listEntry(entry: unknown): string {
  if (typeof entry === 'object' && entry !== null) {
    if ('name' in entry) return String(entry.name);
    // A change while running.
    if ('path' in entry && 'value' in entry && 'iteration' in entry) {
      const path = String(entry.path);
      return `${settingName(path)} → ${settingValue(path, entry.value)} from ${String(entry.iteration)}`;
    }
  }
  return String(entry);
}
