import { expect, test } from 'vitest';
import type { MetricRow } from './catalog';
import { compareSeries, type SeriesVerdict } from './compareSeries';
import { appendRows, createRunSeries, type RunSeries } from './runSeries';

type Values = MetricRow['values'];

/** One replica; a list entry an iteration, from 0. */
function seriesOf(agents: Readonly<Record<string, readonly Values[]>>, arm = 'global'): RunSeries {
  const series = createRunSeries();
  for (const [agent, iterations] of Object.entries(agents))
    for (const [iteration, values] of iterations.entries())
      appendRows(series, [{ iteration, arm, seed: 0, agent, values }]);
  return series;
}

/** `solver gradNorm: differs@1` */
function told(verdict: SeriesVerdict): string {
  const at = verdict.kind === 'identical' ? '' : `@${verdict.iteration}`;
  return `${verdict.agent} ${verdict.metric}: ${verdict.kind}${at}`;
}

function compared(original: RunSeries, again: RunSeries, last = 100): string[] {
  return compareSeries(original, again, last).series.map(told);
}

test('a run beside itself is identical in every value, NaN and infinities too', () => {
  const numbers = { solver: [{ gradNorm: NaN, approxKl: Infinity }, { gradNorm: -0 }] };
  const comparison = compareSeries(seriesOf(numbers), seriesOf(numbers), 1);
  expect(comparison).toMatchObject({
    counts: { identical: 2, within: 0, differs: 0, missing: 0 },
    numValues: 3,
    numIdentical: 3,
    numNotRecorded: 0,
  });
});

test('the next number of float64 is within the tolerance and not identical', () => {
  // 1 + 2⁻⁵² is the next one after 1; allowed: 1e-5 + 1e-3 · 1.
  const comparison = compareSeries(
    seriesOf({ solver: [{ gradNorm: 1 }, { gradNorm: 1 }] }),
    seriesOf({ solver: [{ gradNorm: 1 }, { gradNorm: 1 + Number.EPSILON }] }),
    1,
  );
  expect(comparison.series).toEqual([
    {
      arm: 'global',
      seed: 0,
      agent: 'solver',
      metric: 'gradNorm',
      tolerance: 'measure',
      numValues: 2,
      numIdentical: 1,
      kind: 'within',
      iteration: 1,
      original: 1,
      again: 1 + Number.EPSILON,
      excess: Number.EPSILON / (1e-5 + 1e-3),
    },
  ]);
  expect(comparison.numIdentical).toBe(1);
});

test('a line within the tolerance is shown where it is furthest away', () => {
  const was = seriesOf({ solver: [{ gradNorm: 1 }, { gradNorm: 1 }, { gradNorm: 1 }] });
  const is = seriesOf({ solver: [1.0001, 1.0003, 1.0002].map((gradNorm) => ({ gradNorm })) });
  expect(compared(was, is)).toEqual(['solver gradNorm: within@1']);
});

test('−0 for 0 is not the same bits, and 0 apart', () => {
  const [was, is] = [
    seriesOf({ solver: [{ updateSkipped: 0 }] }),
    seriesOf({ solver: [{ updateSkipped: -0 }] }),
  ];
  expect(compared(was, is)).toEqual(['solver updateSkipped: within@0']);
});

test.each([
  // |Δ| ≤ 1e-5 + 1e-3 · 2 = 0.00201
  ['gradNorm', 2, 2.002, 'within'],
  ['gradNorm', 2, 2.00202, 'differs'],
  ['gradNorm', 2, 1.99798, 'differs'],
  ['gradNorm', 0, 9e-6, 'within'],
  ['gradNorm', 1, NaN, 'differs'],
  ['gradNorm', NaN, 1, 'differs'],
  // An infinite original allows no infinite distance.
  ['gradNorm', Infinity, 1, 'differs'],
  ['gradNorm', Infinity, -Infinity, 'differs'],
  // One of a million episodes would be 1e-6.
  ['success', 0.5, 0.5000009, 'within'],
  ['success', 0.5, 0.5000011, 'differs'],
  ['gradCosine', 0, 9e-4, 'within'],
  ['gradCosine', 0, 1.1e-3, 'differs'],
  ['tokenCount', 1000, 1001, 'differs'],
  ['learningRate', 1e-3, 1e-3 + 1e-18, 'differs'],
  // 1e-6 + 1e-6 · 9 = 1e-5
  ['rewardMean', 9, 9 + 9e-6, 'within'],
  ['rewardMean', 9, 9 + 1.1e-5, 'differs'],
] as const)('%s of %d made again as %d: %s', (metric, was, is, kind) => {
  expect(
    compared(seriesOf({ solver: [{ [metric]: was }] }), seriesOf({ solver: [{ [metric]: is }] })),
  ).toEqual([`solver ${metric}: ${kind}@0`]);
});

test('a line differs from the first iteration in which it does, whatever comes later', () => {
  const comparison = compareSeries(
    seriesOf({ solver: [1, 2, 3, 4].map((gradNorm) => ({ gradNorm })) }),
    seriesOf({ solver: [1, 2, 3.5, 400].map((gradNorm) => ({ gradNorm })) }),
    3,
  );
  expect(comparison.series[0]).toMatchObject({
    kind: 'differs',
    iteration: 2,
    original: 3,
    again: 3.5,
    numIdentical: 2,
  });
});

test('a number that one of the two has not is missing, and where', () => {
  const full = seriesOf({ solver: [{ gradNorm: 1 }, { gradNorm: 2 }, { gradNorm: 3 }] });
  const holed = seriesOf({ solver: [{ gradNorm: 1 }, {}, { gradNorm: 3 }] });
  expect(compareSeries(full, holed, 2).series[0]).toMatchObject({
    kind: 'missing',
    iteration: 1,
    absentIn: 'again',
  });
  expect(compareSeries(holed, full, 2).series[0]).toMatchObject({
    kind: 'missing',
    iteration: 1,
    absentIn: 'original',
  });
  expect(compared(full, createRunSeries())).toEqual(['solver gradNorm: missing@0']);
});

test('iterations after the last are not compared, nor lines that begin after it', () => {
  const was = seriesOf({ solver: [{ gradNorm: 1 }, { gradNorm: 2, entropy: 1 }] });
  const is = seriesOf({ solver: [{ gradNorm: 1 }, { gradNorm: 9 }] });
  expect(compareSeries(was, is, 0)).toMatchObject({
    counts: { identical: 1, differs: 0, missing: 0 },
    numValues: 1,
  });
  expect(compareSeries(was, is, -1).series).toEqual([]);
});

test('lines that the original did not keep are counted and not judged', () => {
  const was = seriesOf({ solver: [{ gradNorm: 1 }] });
  const is = seriesOf({ solver: [{ gradNorm: 1, entropy: 2 }], team: [{ success: 0 }] });
  expect(compareSeries(was, is, 0)).toMatchObject({ counts: { identical: 1 }, numNotRecorded: 2 });
});

test('the worst comes first: what differs earlier, then what is missing, then what is further away', () => {
  const was = seriesOf({
    solver: [
      { gradNorm: 1, entropy: 1, policyLoss: 1, approxKl: 1, numTurns: 1 },
      { gradNorm: 1, entropy: 1, policyLoss: 1, approxKl: 1, refKl: 1, numTurns: 1 },
    ],
    verifier: [{ gradNorm: 1, entropy: 1 }],
  });
  const is = seriesOf({
    solver: [
      { gradNorm: 1, entropy: 1.0001, policyLoss: 1.0002, approxKl: 1, numTurns: 1 },
      { gradNorm: 2, entropy: 1, policyLoss: 1, approxKl: 3, numTurns: 1 },
    ],
    verifier: [{ gradNorm: 1, entropy: NaN }],
  });
  expect(compared(was, is)).toEqual([
    'verifier entropy: differs@0',
    'solver approxKl: differs@1',
    'solver gradNorm: differs@1',
    'solver refKl: missing@1',
    'solver policyLoss: within@0',
    'solver entropy: within@0',
    'solver numTurns: identical',
    'verifier gradNorm: identical',
  ]);
});

function twoReplicas(values: Values): RunSeries {
  return appendRows(seriesOf({ solver: [{ gradNorm: 1 }] }), [
    { iteration: 0, arm: 'agentWise', seed: 7, agent: 'solver', values },
  ]);
}

test('arms and seeds are lines of their own', () => {
  const { series } = compareSeries(twoReplicas({ gradNorm: 1 }), twoReplicas({ gradNorm: 2 }), 0);
  expect(series.map(({ arm, seed, kind }) => [arm, seed, kind])).toEqual([
    ['agentWise', 7, 'differs'],
    ['global', 0, 'identical'],
  ]);
});

test('neither run is changed by it', () => {
  const [was, is] = [
    seriesOf({ solver: [{ gradNorm: 1 }] }),
    seriesOf({ solver: [{ gradNorm: 2 }] }),
  ];
  const before = structuredClone([was, is]);
  compareSeries(was, is, 0);
  expect([was, is]).toEqual(before);
});
