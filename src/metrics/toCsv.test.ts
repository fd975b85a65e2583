import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendRows, createRunSeries } from './runSeries';
import { metricsCsv } from './toCsv';

test('every logged number is one record, NaN and Infinity spelled out', () => {
  const series = appendRows(createRunSeries(), [
    { arm: 'global', seed: 3, agent: 'team', iteration: 0, values: { success: 0.25 } },
    {
      arm: 'global',
      seed: 3,
      agent: 'search',
      iteration: 1,
      values: { gradNorm: NaN, advAbsMax: -Infinity, entropy: 1e-7 },
    },
  ]);
  expect(metricsCsv(series)).toBe(
    [
      'arm,seed,agent,iteration,metric,value',
      'global,3,team,0,success,0.25',
      'global,3,search,1,gradNorm,NaN',
      'global,3,search,1,advAbsMax,-Infinity',
      'global,3,search,1,entropy,1e-7',
      '',
    ].join('\r\n'),
  );
});

test('a run without rows is a header', () => {
  expect(metricsCsv(createRunSeries())).toBe('arm,seed,agent,iteration,metric,value\r\n');
});

test('a field with a comma, a quote or a line break is quoted, quotes doubled', () => {
  const series = appendRows(createRunSeries(), [
    { arm: 'a,"b"\n', seed: 0, agent: 'team', iteration: 0, values: { success: 1 } },
  ]);
  expect(metricsCsv(series)).toContain('"a,""b""\n",0,team,0,success,1\r\n');
});

test('a number reads back to the same float64', () => {
  fc.assert(
    fc.property(fc.double(), (value) => {
      const series = appendRows(createRunSeries(), [
        { arm: 'a', seed: 0, agent: 'team', iteration: 0, values: { teamReward: value } },
      ]);
      const text = metricsCsv(series).trimEnd().split(',').at(-1);
      // −0 prints as 0, the only value that is not kept to the bit.
      expect(Number(text) === value || (Number.isNaN(value) && text === 'NaN')).toBe(true);
    }),
  );
});
