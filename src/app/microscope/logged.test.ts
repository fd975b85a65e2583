import { expect, test } from 'vitest';
import { appendRows, createRunSeries } from '../../metrics/runSeries';
import { loggedMoments } from './logged';
import { madeUpGroup } from './testing/madeUpGroup';

test('the logged moments are those of the record’s arm, seed and iteration, NaN where there are none', () => {
  const series = createRunSeries();
  for (const iteration of [1, 2, 3])
    appendRows(series, [
      {
        iteration,
        arm: 'global',
        seed: 0,
        agent: 'answer',
        values: { advSecondMoment: iteration, advSecondMomentPredicted: 10 * iteration },
      },
    ]);
  const record = madeUpGroup([], { iteration: 2 });
  expect(loggedMoments(series, record)).toEqual([
    { predicted: NaN, measured: NaN },
    { predicted: NaN, measured: NaN },
    { predicted: 20, measured: 2 },
  ]);
});
