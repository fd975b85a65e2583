import { expect, test } from 'vitest';
import { keyFromSeed, normal } from '../rl/rng';
import { agentAngles } from './gradientAngles';

/** Norms and angles from inner products, against the vectors themselves. */

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test.each([2, 3, 5])('%i parts: as computed from the parts', (count) => {
  const parts = Array.from({ length: count }, (_, part) =>
    Array.from({ length: 7 }, (__, i) => normal(keyFromSeed(part), i)),
  );
  const agents = parts.map((_, part) => 10 + part);
  const angles = agentAngles(
    agents,
    parts.flatMap((a) => parts.map((b) => dot(a, b))),
  );
  for (const [part, own] of parts.entries()) {
    const rest = own.map((_, i) => parts.reduce((sum, other) => sum + other[i]!, 0) - own[i]!);
    const { norm, withRest, cosines } = angles.get(10 + part)!;
    expect(norm).toBeCloseTo(Math.sqrt(dot(own, own)), 12);
    expect(withRest).toBeCloseTo(cosine(own, rest), 10);
    expect(cosines.size).toBe(count - 1);
    for (const [agent, value] of cosines)
      expect(value).toBeCloseTo(cosine(own, parts[agent - 10]!), 12);
  }
});

test('an agent alone has a norm and no angles', () => {
  const { norm, withRest, cosines } = agentAngles([3], [25]).get(3)!;
  expect([norm, withRest, cosines.size]).toEqual([5, null, 0]);
});

test('a part that is not finite leaves the norms and angles of the others as they are', () => {
  const products = [4, 2, NaN, 2, 9, NaN, NaN, NaN, NaN];
  const angles = agentAngles([0, 1, 2], products);
  expect(angles.get(0)!.norm).toBe(2);
  expect(angles.get(0)!.cosines.get(1)).toBeCloseTo(1 / 3, 12);
  expect(angles.get(2)!.norm).toBeNaN();
});

test('opposite parts that leave nothing have no angle with the rest', () => {
  // The rest of agent 0 is zero: agents 1 and 2 cancel.
  const angles = agentAngles([0, 1, 2], [1, 0, 0, 0, 1, -1, 0, -1, 1]);
  expect(angles.get(0)!.withRest).toBeNaN();
});
