import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { TrainerListener } from '../../protocol/trainerApi';
import { createRunner } from '../runner';
import { initialRunState, type RunState } from '../runState';
import { endedRun, here } from './testing/madeUpRuns';
import { planVerification, type VerificationPlan } from './verificationPlan';
import { makeAgain } from './makeAgain';

function planOf(original: RunState): VerificationPlan {
  const planned = planVerification(original, here, 'available');
  if (!planned.ok) throw new Error(planned.reason);
  return planned.plan;
}

/** A run made again by a trainer that the test plays. */
function again(plan: VerificationPlan) {
  const run = createStore<RunState>(() => initialRunState);
  const calls: string[] = [];
  const trainers: TrainerListener[] = [];
  const timers: (() => void)[] = [];
  const log = (name: string) => (): Promise<void> => {
    calls.push(name);
    return Promise.resolve();
  };
  const runner = createRunner({
    store: run,
    nowMs: () => 0,
    later: (callback) => timers.push(callback),
    createClient: (listener) => {
      trainers.push(listener);
      return {
        start: ({ title }) => {
          calls.push(`start ${title}`);
          // Never says that it has ended.
          return new Promise(() => {});
        },
        pause: log('pause'),
        step: log('step'),
        resume: log('resume'),
        stop: log('stop'),
        terminate: () => calls.push('terminate'),
      };
    },
  });
  let isOver = false;
  const ending = makeAgain(plan, { run, runner }).then(() => (isOver = true));
  const tell: TrainerListener = (event) => {
    trainers[0]!(event);
    // What the page takes over in batches.
    for (const timer of timers.splice(0)) timer();
  };
  const logIteration = (iteration: number): void => {
    const values = { gradNorm: iteration };
    tell({
      kind: 'iteration',
      iteration,
      rows: [{ iteration, arm: 'global', seed: 0, agent: 'solver', values }],
      transcripts: [],
      groups: [],
      gradientPairs: [],
      tokens: 1,
      times: { rolloutMs: 1, advantagesMs: 1, diagnosticsMs: 0, updateMs: 1 },
    });
  };
  return { run, calls, ending, log: logIteration, tell, isOver: () => isOver };
}

test('a run that was stopped early is made again only as far as it came, then its worker is ended', async () => {
  const { calls, ending, log, isOver, run } = again(planOf(endedRun([0, 1, 2])));
  expect(calls).toEqual(['start Made up']);
  log(0);
  log(1);
  await Promise.resolve();
  expect(isOver()).toBe(false);
  log(2);
  await ending;
  expect(calls).toEqual(['start Made up', 'stop', 'terminate']);
  expect(run.getState()).toMatchObject({ phase: 'stopped', iteration: 2 });
});

test('a run that ended before its first update is made again up to there', async () => {
  const { calls, ending, log, tell } = again(planOf(endedRun([0])));
  // Iteration 0 has not come with the first word of the trainer.
  tell({ kind: 'phase', phase: 'warmStart', detail: '', share: null });
  expect(calls).toEqual(['start Made up']);
  log(0);
  await ending;
  expect(calls.at(-1)).toBe('terminate');
});

test('a whole run is made again to its end', async () => {
  const { calls, ending, log, tell, isOver } = again(planOf(endedRun([0, 1, 2, 3, 4])));
  for (const iteration of [0, 1, 2, 3, 4]) log(iteration);
  await Promise.resolve();
  expect(isOver()).toBe(false);
  tell({ kind: 'finished', iteration: 4, reason: 'completed' });
  await ending;
  expect(calls).toEqual(['start Made up', 'terminate']);
});
