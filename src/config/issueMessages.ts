import type * as z from 'zod/mini';
import type { Field, NumberField } from './field';
import { fieldAt } from './fields';
import { joinPath, valueAlong } from './dataPath';
import type { SpecIssue } from './specIssue';

type ZodIssue = z.core.$ZodIssue;

/** A hostile document can be wrong in a hundred thousand places; people read the first few. */
const maxIssues = 50;

export function firstIssues(issues: readonly SpecIssue[]): readonly SpecIssue[] {
  if (issues.length <= maxIssues) return issues;
  const rest = issues.length - maxIssues;
  return [...issues.slice(0, maxIssues), { path: '', message: `And ${rest} more issues.` }];
}

/** A value as a message quotes it: short, and never a whole object. */
export function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return String(value);
  if (value === undefined) return 'Nothing';
  if (Array.isArray(value)) return `A list of ${value.length}`;
  return typeof value === 'object' ? 'A group of settings' : `A ${typeof value}`;
}

/** The schema's findings about `data` in the words of the field table. */
export function toSpecIssues(zodIssues: readonly ZodIssue[], data: unknown): readonly SpecIssue[] {
  return zodIssues.flatMap((issue) => {
    const keys = issue.path.map(String);
    const path = keys.reduce(joinPath, '');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: joinPath(path, key),
        message: 'Not a setting here: remove it, or check its spelling.',
      }));
    return [{ path, message: messageOf(issue, path, valueAlong(data, keys)) }];
  });
}

function messageOf(issue: ZodIssue, path: string, value: unknown): string {
  if (issue.code === 'invalid_key')
    return `Not a possible name: expected ${issue.issues.map(({ message }) => message).join('; ')}.`;
  if (issue.code === 'custom') return `${shown(value)} came: ${issue.message}.`;
  const field = fieldAt(path);
  const expected = field ? expectedOf(field) : expectedByCode(issue);
  return `${shown(value)} came, expected ${expected}.${advice(path, field, value)}`;
}

/** `a whole number from 1 to 1024 (rollouts)` */
function expectedOf(field: Field): string {
  switch (field.kind) {
    case 'flag':
      return 'true or false';
    case 'choice': {
      const values = Object.keys(field.options);
      return values.length > 0 ? `one of ${values.join(', ')}` : 'the name of a policy';
    }
    case 'integer':
    case 'real': {
      const noun = field.kind === 'integer' ? 'a whole number' : 'a number';
      const unit = field.unit === undefined ? '' : ` (${field.unit})`;
      const orNull = field.nullLabel === undefined ? '' : `, or null (${field.nullLabel})`;
      return `${noun} from ${field.min} to ${field.max}${unit}${orNull}`;
    }
  }
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'a group of settings (an object)',
  record: 'a group of named entries (an object)',
  array: 'a list',
  string: 'text',
  int: 'a whole number',
  number: 'a finite number',
  boolean: 'true or false',
};

/** For the few places without a row in the field table: version, title, names, arms and seeds. */
function expectedByCode(issue: ZodIssue): string {
  if (issue.code === 'invalid_type') return typeWords[issue.expected] ?? issue.expected;
  if (issue.code === 'too_big') return sizeOf(issue.maximum, 'fewer', issue.origin);
  if (issue.code === 'too_small') return sizeOf(issue.minimum, 'more', issue.origin);
  if (issue.code === 'invalid_value') return issue.values.map(String).join(' or ');
  return issue.message;
}

/** `64 or fewer entries`, `0 or more` */
function sizeOf(limit: number | bigint, direction: 'fewer' | 'more', origin: string): string {
  if (origin === 'array') return `${limit} or ${direction} entries`;
  if (origin === 'string') return `${limit} or ${direction} characters`;
  return `${limit} or ${direction === 'more' ? 'more' : 'less'}`;
}

function advice(path: string, field: Field | undefined, value: unknown): string {
  if (path === 'version') return ' Open it with the version of Marlbook that wrote it.';
  if (typeof value !== 'number' || Number.isNaN(value)) return '';
  if (field?.kind !== 'integer' && field?.kind !== 'real') return '';
  return ` The nearest is ${nearest(field, value)}.`;
}

function nearest({ kind, min, max }: NumberField, value: number): number {
  const clamped = Math.min(max, Math.max(min, value));
  return kind === 'integer' ? Math.round(clamped) : clamped;
}
