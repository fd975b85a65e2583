import * as z from 'zod/mini';
import type { Field, NumberField } from './field';
import { fields, type FieldPath } from './fields';

/** A number whose range stands in the field table. */
export function number(path: FieldPath): z.ZodMiniNumber<number> {
  const field: Field = fields[path];
  if (field.kind !== 'integer' && field.kind !== 'real')
    throw new TypeError(`${path} is a ${field.kind}, not a number: fix the field table.`);
  const { kind, min, max }: NumberField = field;
  const base = kind === 'integer' ? z.int() : z.number();
  return base.check(z.minimum(min), z.maximum(max));
}

/** One of some words; the field table must list the same ones. */
export function choice<const T extends string>(
  path: FieldPath,
  values: readonly T[],
): z.ZodMiniEnum<{ [K in T]: K }> {
  const field: Field = fields[path];
  if (field.kind !== 'choice')
    throw new TypeError(`${path} is a ${field.kind}, not a choice: fix the field table.`);
  const known = Object.keys(field.options);
  if (values.length !== known.length || values.some((value) => !known.includes(value)))
    throw new TypeError(
      `${path}: the schema allows ${values.join()}, the field table ${known.join()}.`,
    );
  return z.enum(values);
}

const reservedIds = new Set(['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty']);
/** What arms, agents and policies can be called. */
export const nameSchema = z.string().check(
  z.maxLength(32),
  z.regex(/^[a-z][A-Za-z0-9]*$/, 'a letter a–z, then letters and digits'),
  z.refine((value) => !reservedIds.has(value), 'a name JavaScript keeps for itself'),
);

/** Dotted path of a single setting. */
export const pathSchema = z.string().check(z.maxLength(96));

/** What a single setting can be set to. */
export const overrideValueSchema = z.union(
  [z.number(), z.string().check(z.maxLength(64)), z.boolean(), z.null()],
  { error: 'a finite number, text of at most 64 characters, true, false or null' },
);

/** A whole number from 0. JSON can write −0: here that is 0. */
export const countSchema = z.int().check(
  z.minimum(0),
  z.overwrite((count) => count + 0),
);

/** What absence reads as. */
export { _default as withDefault } from 'zod/mini';
