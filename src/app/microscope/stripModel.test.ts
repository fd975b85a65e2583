import { expect, test } from 'vitest';
import { defaultEstimators, defaultFailureTags } from '../../config/defaults';
import { groupView } from './groupView';
import { stripOf } from './stripModel';
import { madeUpGroup } from './testing/madeUpGroup';

const training = {
  estimator: { ...defaultEstimators.group, ddof: 0, epsilon: 0 },
  failureTags: defaultFailureTags.none,
} as const;

test('equal advantages of an agent are one dot, on an axis that all normalizers share', () => {
  // Trajectories 1, 0, 0: μ = ⅓, σ = √2/3, so √2 and −1/√2. The leave-one-out ones, 1 and −½, lie within.
  const record = madeUpGroup([
    { agent: 0, rollout: 0, score: 1 },
    { agent: 0, rollout: 1, score: 0 },
    { agent: 0, rollout: 2, score: 0 },
  ]);
  const { limit, rows } = stripOf(groupView(record, 0, training)!);
  expect(limit).toBeCloseTo(Math.SQRT2, 12);
  expect(rows).toHaveLength(4);
  const [lane] = rows[0]!.lanes;
  expect(lane!.agent).toBe('router');
  expect(lane!.dots.map(({ count }) => count)).toEqual([2, 1]);
  expect(lane!.dots[0]!.share).toBeCloseTo(1 / 4, 12);
  expect(lane!.dots[1]!.share).toBeCloseTo(1, 12);
  // E[A²] = 1: ±1/√2 of the limit √2 is ±½ of the half axis.
  expect(lane!.spread!.from).toBeCloseTo((1 - Math.SQRT1_2) / 2, 12);
  expect(lane!.spread!.to).toBeCloseTo((1 + Math.SQRT1_2) / 2, 12);
  // Agents that did not act have no lane.
  expect(rows[0]!.lanes).toHaveLength(1);
});

test('without any advantage everything stands in the middle of an axis of one', () => {
  const { limit, rows } = stripOf(
    groupView(madeUpGroup([{ agent: 1, rollout: 0, score: 2 }]), 0, training)!,
  );
  expect(limit).toBe(1);
  expect(rows[0]!.lanes[0]!.dots).toEqual([{ advantage: 0, count: 1, share: 0.5 }]);
});
