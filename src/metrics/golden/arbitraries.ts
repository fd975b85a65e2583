import fc from 'fast-check';

/** Scores that keep their differences when shifted and scaled by a few: sixteenths, so that sums and ties are exact. */
const score = fc.integer({ min: -80, max: 80 }).map((sixteenths) => sixteenths / 16);

/** One to three tasks with `minSeeds` to seven seeds each, at their own numbers. */
export function anyScores(minSeeds: number): fc.Arbitrary<number[][]> {
  return fc.array(fc.array(score, { minLength: minSeeds, maxLength: 7 }), {
    minLength: 1,
    maxLength: 3,
  });
}

/** Each task's scores in another order: rotated by `turn` and reversed. */
export function reordered(scores: readonly (readonly number[])[], turn: number): number[][] {
  return scores.map((values) => {
    const from = turn % values.length;
    return [...values.slice(from), ...values.slice(0, from)].toReversed();
  });
}
