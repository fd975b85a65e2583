import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { presets } from '../config/presets';
import type { Acknowledgement, TrainerListener } from '../protocol/trainerApi';
import { createRunner } from './runner';
import { initialRunState, type RunState } from './runState';

const { spec } = presets['solve-verify-null'];

interface FakeTrainer {
  readonly send: TrainerListener;
  readonly crash: (message: string) => void;
  readonly calls: string[];
  readonly answers: ((answer: Acknowledgement) => void)[];
  readonly answerStart: () => void;
  readonly refuseStart: (error: Error) => void;
}

/** A runner whose trainers are played by the test and whose timers fire when the test says so. */
function runnerUnderTest() {
  const store = createStore<RunState>(() => initialRunState);
  const trainers: FakeTrainer[] = [];
  const timers: (() => void)[] = [];
  const runner = createRunner({
    store,
    nowMs: () => 0,
    later: (callback) => timers.push(callback),
    createClient: (send, crash) => {
      const calls: string[] = [];
      const answers: ((answer: Acknowledgement) => void)[] = [];
      const promise = new Promise<void>((answerStart, refuseStart) => {
        trainers.push({ send, crash, calls, answers, answerStart, refuseStart });
      });
      const log = (name: string) => (): Promise<void> => {
        calls.push(name);
        return Promise.resolve();
      };
      return {
        start: () => promise,
        pause: log('pause'),
        step: log('step'),
        resume: log('resume'),
        stop: log('stop'),
        intervene: (command) =>
          new Promise((answer) => {
            calls.push(`intervene ${command.path}`);
            answers.push(answer);
          }),
        terminate: () => calls.push('terminate'),
      };
    },
  });
  const fireTimers = (): void => timers.splice(0).forEach((timer) => timer());
  const trainer = (index = 0): FakeTrainer => {
    const found = trainers[index];
    if (found === undefined) throw new Error(`no trainer ${index} was created`);
    return found;
  };
  return { store, runner, trainer, trainers, fireTimers };
}

test('a finished run resolves the start and ends its worker', async () => {
  const { store, runner, trainer } = runnerUnderTest();
  const run = runner.start(spec);
  trainer().send({ kind: 'finished', iteration: 3, reason: 'completed' });
  await run;
  expect(store.getState().phase).toBe('finished');
  expect(trainer().calls).toEqual(['terminate']);
});

test('a second start is refused while a run is active', async () => {
  const { runner, trainers } = runnerUnderTest();
  void runner.start(spec); // stays active to the end of the test
  await expect(runner.start(spec)).rejects.toThrow('Stop it before');
  expect(trainers).toHaveLength(1);
});

test('a worker that breaks fails the run with its reason', async () => {
  const { store, runner, trainer } = runnerUnderTest();
  const run = runner.start(spec);
  trainer().crash('out of memory');
  await run;
  expect(store.getState()).toMatchObject({ phase: 'failed', message: 'out of memory' });
});

test('a start that the trainer refuses fails the run with the trainer’s reason', async () => {
  const { store, runner, trainer } = runnerUnderTest();
  const run = runner.start(spec);
  trainer().refuseStart(new Error('no such backend'));
  await run;
  expect(store.getState().message).toContain('no such backend');
});

test('the last event may arrive after the answer to start', async () => {
  const { store, runner, trainer, fireTimers } = runnerUnderTest();
  const run = runner.start(spec);
  trainer().answerStart();
  await Promise.resolve();
  trainer().send({ kind: 'finished', iteration: 3, reason: 'completed' });
  await run;
  fireTimers();
  expect(store.getState().phase).toBe('finished');
});

test('a trainer that never says how it ended has failed', async () => {
  const { store, runner, trainer, fireTimers } = runnerUnderTest();
  const run = runner.start(spec);
  trainer().answerStart();
  await Promise.resolve();
  fireTimers();
  await run;
  expect(store.getState().phase).toBe('failed');
});

test('the first stop asks, the second ends the worker', async () => {
  const { store, runner, trainer } = runnerUnderTest();
  const run = runner.start(spec);
  runner.stop();
  expect(trainer().calls).toEqual(['stop']);
  expect(store.getState().request).toBe('stop');
  runner.stop();
  await run;
  expect(trainer().calls).toEqual(['stop', 'terminate']);
  expect(store.getState().phase).toBe('stopped');
});

test('a reset ends the worker, and what it had still sent does not reach the next run', async () => {
  const { store, runner, trainer, fireTimers } = runnerUnderTest();
  const run = runner.start(spec);
  trainer(0).send({ kind: 'notice', message: 'of the first run' });
  runner.reset();
  await run;
  expect(store.getState()).toEqual(initialRunState);
  void runner.start(spec); // stays active to the end of the test
  fireTimers();
  expect(store.getState().notices).toEqual([]);
  expect(trainer(0).calls).toEqual(['terminate']);
});

test('a step shows that the run will pause again, a resume does not', () => {
  const { store, runner, trainer, fireTimers } = runnerUnderTest();
  void runner.start(spec); // stays active to the end of the test
  trainer().send({ kind: 'paused', iteration: 1 });
  fireTimers();
  runner.step();
  expect(store.getState()).toMatchObject({ phase: 'training', request: 'pause' });
  trainer().send({ kind: 'paused', iteration: 2 });
  fireTimers();
  runner.resume();
  expect(store.getState()).toMatchObject({ phase: 'training', request: null });
  expect(trainer().calls).toEqual(['step', 'resume']);
});

const rate = { arm: null, path: 'policies.*.optimizer.learningRate', value: 0.5 };

test('a command goes to the trainer, waits in the state, and is answered with what the trainer says', async () => {
  const { store, runner, trainer } = runnerUnderTest();
  void runner.start(spec); // stays active to the end of the test
  const [first, second] = [runner.intervene(rate), runner.intervene({ ...rate, value: -1 })];
  expect(trainer().calls).toEqual([`intervene ${rate.path}`, `intervene ${rate.path}`]);
  expect(store.getState().commands.map(({ refusal }) => refusal)).toEqual([null, null]);
  const intervention = { ...rate, iteration: 3, was: [0.1], by: 'user' } as const;
  trainer().answers[1]!({ ok: false, reason: 'from 0 to 10' });
  trainer().answers[0]!({ ok: true, intervention });
  expect(await first).toEqual({ ok: true, intervention });
  expect(await second).toEqual({ ok: false, reason: 'from 0 to 10' });
  // The event of the trainer, and not the answer, tells that a command has taken effect.
  expect(store.getState().commands.map(({ refusal }) => refusal)).toEqual([null, 'from 0 to 10']);
});

test('without a run there is nothing to change', async () => {
  const { runner, trainers } = runnerUnderTest();
  expect(await runner.intervene(rate)).toMatchObject({ ok: false });
  expect(trainers).toEqual([]);
});
