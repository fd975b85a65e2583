import fc from 'fast-check';
import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { specHash } from '../config/specHash';
import { madeUpTranscript } from './rollouts/testing/madeUpTranscript';
import type { Transcript, TrainerEvent } from '../protocol/trainerApi';
import {
  applyRunEvent,
  elapsedMs,
  etaMs,
  initialRunState,
  isActive,
  tokensPerSecond,
  type RunEvent,
  type RunState,
} from './runState';
import { noUsage } from './testing/madeUpUsage';

const spec = { ...presets['solve-verify-null'].spec, iterations: 10 };
const started: RunEvent = { kind: 'started', spec };

function iteration(index: number, transcripts: readonly Transcript[] = []): TrainerEvent {
  return {
    kind: 'iteration',
    iteration: index,
    rows: [{ iteration: index, arm: 'a', seed: 0, agent: 'team', values: { success: 0.5 } }],
    transcripts,
    groups: [],
    gradientPairs: [],
    tokens: 100,
    times: { rolloutMs: 1, advantagesMs: 1, diagnosticsMs: 0, updateMs: 1 },
  };
}

function play(events: readonly (readonly [number, RunEvent])[]): RunState {
  return events.reduce(
    (state, [atMs, event]) => applyRunEvent(state, event, atMs),
    initialRunState,
  );
}

test('a run goes from preparing through its phases to finished and keeps every row', () => {
  const state = play([
    [0, started],
    [5, { kind: 'phase', phase: 'selfTest', detail: 'policy router', share: 0.5 }],
    [9, { kind: 'phase', phase: 'warmStart', detail: 'success 0.1', share: 0.2 }],
    [20, iteration(0)],
    [30, iteration(1)],
    [31, { kind: 'finished', iteration: 1, reason: 'completed' }],
  ]);
  expect(state.phase).toBe('finished');
  expect(state.series.rows.map((row) => row.iteration)).toEqual([0, 1]);
  expect(elapsedMs(state, 1000)).toBe(31);
});

test('the progress of a phase before training is shown and forgotten when iterations arrive', () => {
  const warming = play([
    [0, started],
    [9, { kind: 'phase', phase: 'warmStart', detail: 'success 0.1', share: 0.2 }],
  ]);
  expect(warming).toMatchObject({ phase: 'warmStart', detail: 'success 0.1', share: 0.2 });
  expect(applyRunEvent(warming, iteration(0), 10)).toMatchObject({
    phase: 'training',
    detail: '',
    share: null,
  });
});

test('time left is the median iteration time times the iterations left', () => {
  const state = play([
    [0, started],
    [100, iteration(0)],
    [110, iteration(1)], // 10 ms
    [130, iteration(2)], // 20 ms
    [1130, iteration(3)], // 1,000 ms: one slow iteration must not carry the estimate away
  ]);
  // median(10, 20, 1000) = 20, and 10 − 3 = 7 iterations are left
  expect(etaMs(state)).toBe(140);
});

test('time left is unknown until an iteration was timed', () => {
  expect(etaMs(initialRunState)).toBeNull();
  const atIteration0 = play([
    [0, started],
    [500, iteration(0)],
  ]);
  expect(etaMs(atIteration0)).toBeNull();
});

test('the length of a pause counts neither for the time left nor for the throughput', () => {
  const state = play([
    [0, started],
    [0, iteration(0)],
    [10, iteration(1)], // 10 ms, 100 tokens
    [11, { kind: 'paused', iteration: 1 }],
    [90_000, { kind: 'resumed' }],
    [90_010, iteration(2)], // 10 ms, 100 tokens
  ]);
  expect(etaMs(state)).toBe(80);
  // 200 tokens in 20 ms
  expect(tokensPerSecond(state)).toBe(10_000);
});

test('a request is shown until the trainer has answered it', () => {
  const asked = play([
    [0, started],
    [1, iteration(0)],
    [2, { kind: 'requested', request: 'pause' }],
  ]);
  expect(asked.request).toBe('pause');
  // An iteration that was already under way is no answer.
  const next = applyRunEvent(asked, iteration(1), 3);
  expect(next).toMatchObject({ phase: 'training', request: 'pause' });
  expect(applyRunEvent(next, { kind: 'paused', iteration: 1 }, 4)).toMatchObject({
    phase: 'paused',
    request: null,
  });
});

test('stopping is told apart from finishing', () => {
  const state = play([
    [0, started],
    [1, iteration(0)],
    [2, { kind: 'finished', iteration: 0, reason: 'stopped' }],
  ]);
  expect(state.phase).toBe('stopped');
});

test('a crash keeps what was measured and says what happened', () => {
  const state = play([
    [0, started],
    [1, iteration(0)],
    [2, { kind: 'crashed', message: 'out of memory' }],
  ]);
  expect(state).toMatchObject({ phase: 'failed', message: 'out of memory' });
  expect(state.series.rows).toHaveLength(1);
});

test('the first failure is the one that is kept', () => {
  const state = play([
    [0, started],
    [1, { kind: 'failed', iteration: 0, message: 'device lost' }],
    [2, { kind: 'crashed', message: 'worker ended' }],
  ]);
  expect(state.message).toBe('device lost');
});

test('a new start forgets the run before', () => {
  const state = play([
    [0, started],
    [1, iteration(0)],
    [2, { kind: 'notice', message: 'target not reached' }],
    [3, { kind: 'failed', iteration: 0, message: 'device lost' }],
    [9, started],
  ]);
  expect(state).toEqual({ ...initialRunState, phase: 'preparing', spec, startedAtMs: 9 });
});

test('reset leaves nothing behind', () => {
  const state = play([
    [0, started],
    [1, iteration(0)],
    [2, { kind: 'finished', iteration: 0, reason: 'completed' }],
    [3, { kind: 'reset' }],
  ]);
  expect(state).toEqual(initialRunState);
});

test('rows that come twice fail the run with the reason instead of being counted twice', () => {
  const state = play([
    [0, started],
    [1, iteration(0)],
    [2, iteration(0)],
  ]);
  expect(state.phase).toBe('failed');
  expect(state.message).toContain('iteration 0 after 0');
});

test('an iteration without transcripts keeps the last ones', () => {
  const transcript = madeUpTranscript({ iteration: 0 });
  const state = play([
    [0, started],
    [1, iteration(0, [transcript])],
    [2, iteration(1)],
  ]);
  expect(state.transcripts).toEqual([transcript]);
});

test('usage of the policies is kept from report to report and forgotten with the run', () => {
  const policy = { ...noUsage, policyId: 'solver', sampledTokens: 10, trainedTokens: 20 };
  const usage = (index: number): TrainerEvent => ({
    kind: 'throughput',
    iteration: index,
    policies: [policy],
  });
  const events: readonly (readonly [number, RunEvent])[] = [
    [0, started],
    [1, iteration(0)],
    [2, usage(0)],
    [3, iteration(1)],
    [4, usage(1)],
  ];
  const { throughput } = play(events);
  expect(throughput.usages.map((event) => event.iteration)).toEqual([0, 1]);
  expect(throughput.times).toEqual([
    { rolloutMs: 1, advantagesMs: 1, diagnosticsMs: 0, updateMs: 1 },
  ]);
  expect(play([...events, [5, started]]).throughput).toEqual(initialRunState.throughput);
});

const rate = { arm: null, path: 'policies.*.optimizer.learningRate', value: 0.5 };
const changed: RunEvent = {
  kind: 'intervened',
  intervention: { ...rate, iteration: 2, was: [0.1], by: 'user' },
};

test('a command waits until it has taken effect; then it is logged, told, and part of what ran', () => {
  const waiting = play([
    [0, started],
    [1, iteration(1)],
    [2, { kind: 'commanded', id: 7, command: rate }],
  ]);
  expect(waiting.commands).toEqual([{ id: 7, command: rate, refusal: null }]);
  expect(waiting.spec).toBe(spec);
  const after = applyRunEvent(waiting, changed, 3);
  expect(after.commands).toEqual([]);
  expect(after.interventions).toHaveLength(1);
  expect(after.notices).toEqual(['Learning rate 0.1 → 0.5 in all arms from iteration 2']);
  expect(after.spec).toEqual({ ...spec, interventions: [{ ...rate, iteration: 2 }] });
  expect(specHash(after.spec!)).not.toBe(specHash(spec));
});

test('what stood in the specification is logged and does not come into it twice', () => {
  const planned = { ...spec, interventions: [{ ...rate, iteration: 2 }] };
  const state = play([
    [0, { kind: 'started', spec: planned }],
    [1, iteration(1)],
    [2, { kind: 'intervened', intervention: { ...rate, iteration: 2, was: [0.1], by: 'spec' } }],
  ]);
  expect(state.spec).toBe(planned);
  expect(state.interventions).toHaveLength(1);
});

test('a refused command keeps its reason, and one that still waits at the end gets one', () => {
  const state = play([
    [0, started],
    [1, { kind: 'commanded', id: 0, command: rate }],
    [1, { kind: 'commanded', id: 1, command: rate }],
    [2, { kind: 'commandRefused', id: 0, reason: 'too much' }],
    [3, { kind: 'finished', iteration: 10, reason: 'completed' }],
  ]);
  expect(state.commands.map(({ refusal }) => refusal)).toEqual([
    'too much',
    'The run ended first.',
  ]);
  expect(state.spec).toBe(spec);
});

test('whatever the trainer sends after the end of a run changes nothing', () => {
  const trainerEvent: fc.Arbitrary<RunEvent> = fc.oneof(
    fc.nat(20).map((index) => iteration(index)),
    fc.constant<RunEvent>({ kind: 'paused', iteration: 3 }),
    fc.constant<RunEvent>({ kind: 'resumed' }),
    fc.constant<RunEvent>({ kind: 'notice', message: 'late' }),
    fc.constant<RunEvent>({ kind: 'failed', iteration: 3, message: 'late' }),
    fc.constant<RunEvent>({ kind: 'phase', phase: 'training', detail: '', share: null }),
    fc.constant<RunEvent>({ kind: 'throughput', iteration: 3, policies: [] }),
    fc.constant(changed),
  );
  const end = fc.constantFrom<RunEvent>(
    { kind: 'finished', iteration: 1, reason: 'completed' },
    { kind: 'terminated' },
    { kind: 'crashed', message: 'worker ended' },
  );
  fc.assert(
    fc.property(end, fc.array(trainerEvent), (last, late) => {
      const over = play([
        [0, started],
        [1, iteration(0)],
        [2, last],
      ]);
      expect(isActive(over.phase)).toBe(false);
      const after = late.reduce((state, event) => applyRunEvent(state, event, 3), over);
      expect(after).toBe(over);
    }),
  );
});
