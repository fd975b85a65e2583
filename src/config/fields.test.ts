import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { experimentSpecSchema } from './experimentSpec';
import type { Field } from './field';
import { choiceDetails } from './choiceDetails';
import { fieldAt, fields, methodChoiceOf } from './fields';

/** What stands in a specification but is no row of the form's table: it has editors of its own. */
const withoutRow = new Set(['version', 'title', 'arms', 'seeds', 'interventions']);

/** Every path of a leaf in the schema, ids as `*`. */
function leafPaths(schema: unknown, path: string): string[] {
  const join = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (schema instanceof z.ZodMiniObject)
    return Object.entries(schema.def.shape).flatMap(([key, part]) => leafPaths(part, join(key)));
  if (schema instanceof z.ZodMiniRecord) return leafPaths(schema.def.valueType, join('*'));
  if (schema instanceof z.ZodMiniDiscriminatedUnion)
    return schema.def.options.flatMap((option) => leafPaths(option, path));
  return [path];
}

test('every setting of the schema has a row in the field table, and every row is a setting', () => {
  const settings = leafPaths(experimentSpecSchema, '').filter((path) => !withoutRow.has(path));
  expect([...new Set(settings)].toSorted()).toEqual(Object.keys(fields).toSorted());
});

const rows = Object.entries(fields) as [string, Field][];

test.each(rows)('%s explains itself', (path, field) => {
  expect(field.label).not.toBe('');
  // A help text is a sentence.
  expect(field.help).toMatch(/^[A-Z0-9].*\.$/);
  expect(fieldAt(path.replace('*', 'router'))).toBe(field);
});

const numbers = rows.flatMap(([path, field]) =>
  field.kind === 'integer' || field.kind === 'real' ? [{ path, ...field }] : [],
);

test.each(numbers)('the range of $path holds its own step', ({ min, max, step }) => {
  expect(min).toBeLessThan(max);
  expect(step).toBeGreaterThan(0);
  expect(step).toBeLessThanOrEqual(max - min);
});

test('every choice is one, but for the policies, which the specification itself names', () => {
  const lone = rows.filter(
    ([, field]) => field.kind === 'choice' && Object.keys(field.options).length < 2,
  );
  expect(lone.map(([path]) => path)).toEqual(['agents.*.policy']);
});

const methodChoices = rows.flatMap(([path, field]) =>
  field.kind === 'choice' && methodChoiceOf(path) !== undefined
    ? [{ path, options: field.options, details: choiceDetails[path] ?? {} }]
    : [],
);

test('every choice of methods has details, and nothing else has', () => {
  expect(methodChoices.map(({ path }) => path).toSorted()).toEqual(
    Object.keys(choiceDetails).toSorted(),
  );
});

test.each(methodChoices)(
  'every option of $path has its formula, or says why not, and its source',
  ({ options, details }) => {
    expect(Object.keys(details)).toEqual(Object.keys(options));
    for (const { formula, source, note = 'None.' } of Object.values(details)) {
      expect(source).not.toBe('');
      expect(formula ?? note).toMatch(/\S/);
      expect(note).toMatch(/^\S.*\.$/);
    }
  },
);

/** Numbers of a method name who set them so, or that they are ours. Sizes and plain limits have no author. */
const ownNumbers =
  /\b(GRPO|GSPO|DAPO|PPO|RAE|TRL|verl|IMPALA|GiGPO|MAGRPO|SEAL|AT-GRPO|M-GRPO|Dr\. MAS|r_mappo|paper|ours|IcePop|DeepSeek|Schulman|Ye et al|ComputerRL|Luo|Williams|PyTorch)\b/;

test.each(numbers.filter(({ path }) => /^(estimator|loss|pulses|failureTags)\./.test(path)))(
  '$path says where its usual value stands',
  ({ help }) => {
    expect(help).toMatch(ownNumbers);
  },
);

test.each(['__proto__', 'constructor', 'toString', 'estimator', 'policies.a.b.c'])(
  '%s is no field',
  (path) => expect(fieldAt(path)).toBeUndefined(),
);
