import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf, toList, toNumber, toNumbers } from './golden/cases';
import { mismatch } from './golden/mismatch';
import { ramMerge } from './ramMerge';

const { id, input, expected, tolerance } = casesOf('extras').find((one) => one.id === 'ram_merge')!;
const base = toNumbers(input['base'], id);
const vectors = toList(input['task_vectors'], id).map((vector) => toNumbers(vector, id));
const threshold = toNumber(input['threshold'], id);

test('RAM and RAM+ give the weights of an independent implementation', () => {
  const plain = ramMerge(base, vectors, { threshold, rescale: 1 });
  expect(mismatch(plain.merged, toNumbers(expected['ram'], id), tolerance)).toBeNull();
  const plus = ramMerge(base, vectors, { threshold, rescale: toNumber(input['r'], id) });
  expect(mismatch(plus.factors, toNumbers(expected['rescale'], id), tolerance)).toBeNull();
  expect(mismatch(plus.merged, toNumbers(expected['ram_plus'], id), tolerance)).toBeNull();
});

const entry = fc.constantFrom(0, 0.1, -0.2, 1e-6);
const anyVectors = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }))
  .chain(([agents, length]) =>
    fc.array(fc.array(entry, { minLength: length, maxLength: length }), {
      minLength: agents,
      maxLength: agents,
    }),
  );

test('the order of the agents changes nothing, and one agent alone keeps its policy up to the threshold', () => {
  fc.assert(
    fc.property(anyVectors, (lists) => {
      const options = { threshold: 1e-5, rescale: 1.2 };
      const zero = new Float64Array(lists[0]!.length);
      const own = lists.map((list) => Float64Array.from(list));
      const { merged } = ramMerge(zero, own, options);
      expect(mismatch(ramMerge(zero, own.toReversed(), options).merged, merged, 1e-12)).toBeNull();
      const alone = ramMerge(zero, own.slice(0, 1), { ...options, rescale: 1 }).merged;
      const kept = own[0]!.map((value) => (Math.abs(value) > 1e-5 ? value : 0));
      expect(mismatch(alone, kept, 0)).toBeNull();
    }),
  );
});

test('vectors that do not fit and impossible options are refused', () => {
  const options = { threshold: 1e-5, rescale: 1.2 };
  expect(() => ramMerge(base, [new Float64Array(2)], options)).toThrow('taskVectors[0] has 2');
  expect(() => ramMerge(base, vectors, { ...options, rescale: 0.5 })).toThrow('rescale 0.5');
});
