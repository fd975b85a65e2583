import { expect, test } from 'vitest';
import type { BenchHost, ThreadCalls } from './benchHost';
import { benchShape, requireEqualLosses } from './benchShape';
import { benchPlans } from './benchSizes';

test('losses within 1e-3 of each other pass, and the largest difference comes back', () => {
  const peers = [
    { peer: 'a', losses: [[3], [2.5], [2]] },
    { peer: 'b', losses: [[3], [2.50025], [2]] },
  ];
  expect(requireEqualLosses(peers)).toBeCloseTo(2.5e-4, 12);
});

test.each([
  ['another loss in the third step', [[3], [2.5], [2.01]]],
  ['no number', [[3], [NaN], [2]]],
  ['a step too few', [[3], [2.5]]],
  ['another replica', [[3], [2.5], [2, 2.1]]],
])('%s is refused with the losses of both', (_what, losses) => {
  const peers = [
    { peer: 'compiled', losses: [[3], [2.5], [2]] },
    { peer: 'other', losses },
  ];
  expect(() => requireEqualLosses(peers)).toThrow(/compiled 3\.00000 2\.50000 2\.00000; other 3/);
});

function refuse(): never {
  throw new Error('Not asked for in this test.');
}

/** A thread whose library takes `stepMs` a step and loses `loss` at first. */
function fakeThread(stepMs: number, loss: number, calls: string[]): ThreadCalls {
  const counts = { dispatches: 7, submits: 1, buffers: 0, bindGroups: 0, pipelines: 0, bytes: 0 };
  return {
    open: () =>
      Promise.resolve({
        numParameters: 10,
        firstMs: 5,
        losses: [[loss], [loss - 0.1], [loss - 0.2]],
        estimateMs: stepMs,
      }),
    measure(numSteps) {
      calls.push(`${stepMs}: ${numSteps}`);
      return Promise.resolve(stepMs);
    },
    issue: () => Promise.resolve(0.1),
    count: () => Promise.resolve({ steps: counts, bytes: 40 }),
    matmulRates: refuse,
    openSampler: refuse,
    sample: refuse,
  };
}

function fakeHost(threads: readonly ThreadCalls[]): BenchHost {
  return {
    peers: ['compiled', 'jaxWebgpu'],
    samplers: [],
    note: () => Promise.resolve(),
    withThreads: (_count, act) => act(threads),
  };
}

const [shapePlan] = benchPlans.smoke.shapes;
const plan = { ...benchPlans.smoke, roundMs: 8 };

test('the libraries take turns, and the ratio is ours over the other', async () => {
  const calls: string[] = [];
  const host = fakeHost([fakeThread(2, 3, calls), fakeThread(8, 3, calls)]);
  const result = await benchShape(host, plan, shapePlan!);
  // Eight milliseconds a round: four steps of two, or one of eight.
  expect(calls).toEqual(['2: 4', '8: 1', '2: 4', '8: 1']);
  expect(result.ratios).toEqual({ jaxWebgpu: 0.25 });
  expect(result.peers.map(({ stepMs }) => stepMs)).toEqual([2, 8]);
  expect(result.peers[0]).toMatchObject({ bytes: 40, counts: { dispatches: 7 } });
});

test('nothing is timed where the losses differ', async () => {
  const calls: string[] = [];
  const host = fakeHost([fakeThread(2, 3, calls), fakeThread(8, 3.5, calls)]);
  await expect(benchShape(host, plan, shapePlan!)).rejects.toThrow(/nothing is timed/);
  expect(calls).toEqual([]);
});
