import { expect, test } from 'vitest';
import { keyFromSeed } from '../rl/rng';
import { drawSuccesses, emptyBuffer, numSuccesses, withSuccesses } from './successBuffer';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';

const key = keyFromSeed(3);

const rollout = (task: number, token: number, teamReward = 1, batch = 1) =>
  madeUpTrajectory([madeUpTurn(0, { actionTokens: Int32Array.of(token) })], {
    task,
    teamReward,
    batch,
  });

test('only successes are kept, each wording of a task once, and no more of a task than allowed', () => {
  const buffer = withSuccesses(
    emptyBuffer,
    [
      rollout(0, 7),
      rollout(0, 7),
      rollout(0, 8, 0),
      rollout(0, 9),
      rollout(0, 5),
      rollout(1, 1, 0),
    ],
    2,
    key,
  );
  expect(buffer.tasks).toHaveLength(1);
  expect(buffer.tasks[0]!.rollouts.map(({ turns }) => turns[0]!.actionTokens[0])).toEqual([7, 9]);
});

test('successes of all earlier iterations stay; the same task number of another iteration is another task', () => {
  const first = withSuccesses(emptyBuffer, [rollout(0, 1, 1, 1)], 4, key);
  const second = withSuccesses(first, [rollout(0, 1, 1, 2)], 4, key);
  expect(second.tasks).toHaveLength(2);
  expect(numSuccesses(first)).toBe(1);
});

test('beyond 2048 tasks a subset stays that does not prefer early or late ones', () => {
  let buffer = emptyBuffer;
  for (let batch = 1; batch <= 64; batch++) {
    const rollouts = Array.from({ length: 64 }, (_, task) => rollout(task, 1, 1, batch));
    buffer = withSuccesses(buffer, rollouts, 1, key);
  }
  expect(buffer.tasks).toHaveLength(2048);
  const early = buffer.tasks.filter(({ rollouts }) => rollouts[0]!.batch <= 32).length;
  // Hypergeometric, 2048 of 4096: the standard deviation is √(2048/4·(2048/4095)) = 16.
  expect(Math.abs(early - 1024)).toBeLessThan(4 * 16);
});

test('draws are balanced over tasks, not over rollouts', () => {
  const buffer = withSuccesses(
    emptyBuffer,
    [rollout(0, 1), rollout(0, 2), rollout(0, 3), rollout(1, 4)],
    4,
    key,
  );
  const drawn = drawSuccesses(buffer, 4000, key);
  const ofSecond = drawn.filter(({ task }) => task === 1).length;
  // Binomial: 2000 ± 32.
  expect(Math.abs(ofSecond - 2000)).toBeLessThan(4 * 32);
  expect(drawSuccesses(buffer, 8, key)).toEqual(drawn.slice(0, 8));
  expect(() => drawSuccesses(emptyBuffer, 1, key)).toThrow(RangeError);
});
