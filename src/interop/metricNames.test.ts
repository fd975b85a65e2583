import { expect, test } from 'vitest';
import { metricCatalog } from '../metrics/catalog';
import { trlMetricName, trlNames, verlMetricName, verlNames } from './metricNames';

const catalog = Object.keys(metricCatalog).toSorted();

test.each([
  ['verl', verlNames],
  ['TRL', trlNames],
])(
  '%s: every metric of the catalog has one name or one reason, and no name is given twice',
  (_who, names) => {
    expect(Object.keys(names).toSorted()).toEqual(catalog);
    const given = Object.values(names).flatMap((entry) => ('name' in entry ? [entry.name] : []));
    expect(new Set(given).size).toBe(given.length);
    expect(given.every((name) => /^[a-z_]+(\/[a-z_]+)*$/.test(name))).toBe(true);
    const reasons = Object.values(names).flatMap((entry) =>
      'reason' in entry ? [entry.reason] : [],
    );
    expect(reasons.every((reason) => reason.endsWith('.'))).toBe(true);
  },
);

test('the worker group stands where Dr. MAS puts it', () => {
  expect(verlMetricName('gradNorm', null)).toBe('actor/grad_norm');
  expect(verlMetricName('gradNorm', 'solver')).toBe('actor/solver/grad_norm');
  expect(verlMetricName('rewardMean', 'solver')).toBe('critic/solver/score/mean');
  expect(verlMetricName('gradCosine', 'solver')).toBeNull();
});

test('names that look alike and measure something else are not used', () => {
  expect(verlMetricName('approxKl', null)).toBeNull();
  expect(verlMetricName('clipFractionLow', null)).toBeNull();
  expect(trlMetricName('rewardStd')).toBeNull();
  expect(trlMetricName('clipFractionLow')).toBe('clip_ratio/low_mean');
});
