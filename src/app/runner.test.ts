import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { presets } from '../config/presets';
import type { TrainerEvent, TrainerListener } from '../protocol/trainerApi';
import { createRunner } from './runner';
import { initialRunState, type RunState } from './runState';

const { spec } = presets['solve-verify-null'];

interface FakeTrainer {
  readonly send: TrainerListener;
  readonly crash: (message: string) => void;
  readonly calls: string[];
  readonly answerStart: () => void;
  readonly refuseStart: (error: Error) => void;
  /** What the trainer was started with. */
  readonly started: unknown[];
}

/** A runner whose trainers are played by the test and whose timers fire when the test says so. */
function runnerUnderTest() {
  const store = createStore<RunState>(() => initialRunState);
  const trainers: FakeTrainer[] = [];
  const timers: (() => void)[] = [];
  const kept: string[] = [];
  const runner = createRunner({
    store,
    onCheckpoint: (iteration, bytes) =>
      kept.push(
        `${iteration}: ${bytes.byteLength} bytes at iteration ${store.getState().iteration}`,
      ),
    nowMs: () => 0,
    later: (callback) => timers.push(callback),
    createClient: (send, crash) => {
      const calls: string[] = [];
      const started: unknown[] = [];
      const promise = new Promise<void>((answerStart, refuseStart) => {
        trainers.push({ send, crash, calls, answerStart, refuseStart, started });
      });
      const log = (name: string) => (): Promise<void> => {
        calls.push(name);
        return Promise.resolve();
      };
      return {
        start: (...given) => {
          started.push(...given);
          return promise;
        },
        pause: log('pause'),
        step: log('step'),
        resume: log('resume'),
        stop: log('stop'),
        checkpoint: () => (calls.includes('pause') ? Promise.resolve(7) : new Promise(() => {})),
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
  return { store, runner, trainer, trainers, fireTimers, kept };
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

const noTimes = { rolloutMs: 0, advantagesMs: 0, diagnosticsMs: 0, updateMs: 0 };

function iterationEvent(iteration: number): TrainerEvent {
  const nothing = { rows: [], transcripts: [], groups: [], gradientPairs: [] };
  return { kind: 'iteration', iteration, ...nothing, tokens: 0, times: noTimes };
}

test('a checkpoint reaches its keeper once the state holds what came before it, and the state holds none of it', async () => {
  const { store, runner, trainer, fireTimers, kept } = runnerUnderTest();
  const options = { checkpointEvery: 5, resumeFrom: new ArrayBuffer(2) };
  const run = runner.start(spec, options);
  expect(trainer().started).toEqual([spec, options]);
  trainer().send(iterationEvent(4));
  trainer().send({ kind: 'checkpoint', iteration: 4, bytes: new ArrayBuffer(8) });
  expect(kept).toEqual([]);
  const before = store.getState();
  fireTimers();
  expect(kept).toEqual(['4: 8 bytes at iteration 4']);
  expect(Object.keys(store.getState())).toEqual(Object.keys(before));
  expect(Object.values(store.getState()).some((value) => value instanceof ArrayBuffer)).toBe(false);
  trainer().send({ kind: 'checkpoint', iteration: 5, bytes: new ArrayBuffer(9) });
  trainer().send({ kind: 'finished', iteration: 5, reason: 'completed' });
  await run;
  expect(kept.slice(1)).toEqual(['5: 9 bytes at iteration 4']);
});

test('a checkpoint of a run that was reset reaches nobody', () => {
  const { runner, trainer, fireTimers, kept } = runnerUnderTest();
  void runner.start(spec); // stays active to the reset
  trainer().send({ kind: 'checkpoint', iteration: 1, bytes: new ArrayBuffer(8) });
  runner.reset();
  fireTimers();
  expect(kept).toEqual([]);
});

test('who asks for a checkpoint hears its iteration, or that there is no run, or that it ended before', async () => {
  const { runner, trainer } = runnerUnderTest();
  await expect(runner.checkpoint()).rejects.toThrow('No run is active');
  void runner.start(spec); // stays active to the reset
  const early = runner.checkpoint();
  runner.pause();
  expect(await runner.checkpoint()).toBe(7);
  expect(trainer().calls).toEqual(['pause']);
  runner.reset();
  await expect(early).rejects.toThrow('The run ended before its checkpoint');
});
