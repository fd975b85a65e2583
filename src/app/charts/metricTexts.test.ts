import { expect, test } from 'vitest';
import { areOfTeam, axisValuesOf, metricsTitle } from './metricTexts';

test('a title is the labels of the metrics; what they have in common is said once', () => {
  expect(metricsTitle(['gradNorm'])).toBe('Gradient norm');
  expect(metricsTitle(['advSecondMoment', 'advSecondMomentPredicted'])).toBe(
    'Advantage second moment',
  );
  expect(metricsTitle(['entropy', 'gradNorm'])).toBe('Entropy and Gradient norm');
  // One metric alone keeps its comma.
  expect(metricsTitle(['advSecondMoment'])).toBe('Advantage second moment, measured');
});

test('shares hold both their ends, and one metric of agents makes panels', () => {
  expect(axisValuesOf(['success', 'entropy'])).toEqual([0, 1, 0]);
  expect(axisValuesOf(['gradNorm'])).toEqual([]);
  expect(areOfTeam(['success', 'evalSuccess'])).toBe(true);
  expect(areOfTeam(['success', 'gradNorm'])).toBe(false);
});
