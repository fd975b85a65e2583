import { expect, test } from 'vitest';
import { assertTaskScores, flattenedScores, sampleSizeOf, sortedScores } from './taskScores';

const scores = [[3, 1, 2, 5, 4], Float64Array.of(7, 6, 9, 8, 10, 11)];

test('N is that of the task with the fewest seeds, and 4 are few where 5 are not', () => {
  expect(sampleSizeOf(scores)).toEqual({ numSeeds: 5, numTasks: 2, isFewSeeds: false });
  expect(sampleSizeOf([...scores, [1, 2, 3, 4]])).toEqual({
    numSeeds: 4,
    numTasks: 3,
    isFewSeeds: true,
  });
});

test('flattened scores stand task after task; sorted ones stay in their task and are copies', () => {
  expect([...flattenedScores(scores)]).toEqual([3, 1, 2, 5, 4, 7, 6, 9, 8, 10, 11]);
  expect(sortedScores(scores).map((values) => Array.from(values))).toEqual([
    [1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10, 11],
  ]);
  expect(scores[0]).toEqual([3, 1, 2, 5, 4]);
});

test('nothing to average, and scores that are not finite, are refused with their place', () => {
  expect(() => assertTaskScores([], 'baseline')).toThrow(
    new RangeError('baseline has no tasks: give one list of scores per task.'),
  );
  expect(() => assertTaskScores([[1], []], 'scores')).toThrow('scores has no scores for task 1');
  for (const bad of [NaN, Infinity, -Infinity])
    expect(() =>
      assertTaskScores(
        [
          [1, 2],
          [3, bad],
        ],
        'scores',
      ),
    ).toThrow(`scores of task 1 is ${bad} at position 1, expected a finite score`);
});
