import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import { trainingTimePoints } from '../../metrics/runSeries';
import type { KeptEvent, StoredRun } from '../../storage/storageApi';
import { madeUpTranscript } from '../rollouts/testing/madeUpTranscript';
import { applyRunEvent, initialRunState } from '../runState';
import { stateOfStored } from './keptState';

const spec = { ...presets['solve-verify-null'].spec, iterations: 10 };

function iteration(index: number): KeptEvent {
  return {
    kind: 'iteration',
    iteration: index,
    rows: ['solver', 'team'].map((agent) => ({
      iteration: index,
      arm: 'global',
      seed: 0,
      agent,
      values: { gradNorm: index === 2 ? NaN : index / 3 },
    })),
    transcripts: [madeUpTranscript({ iteration: index })],
    groups: [],
    gradientPairs: [],
    tokens: 1,
    times: { rolloutMs: 250, advantagesMs: 0, diagnosticsMs: 0, updateMs: 250 },
  };
}

const events: readonly KeptEvent[] = [
  {
    kind: 'policies',
    policies: [
      {
        policyId: 'main',
        numReplicas: 1,
        backend: 'cpu',
        device: 'A processor',
        numParameters: 7,
        selfTest: null,
        compared: [],
        decoding: null,
      },
    ],
  },
  ...[0, 1, 2, 3].map(iteration),
  { kind: 'notice', message: 'Slow.' },
];

function storedRun(changes: Partial<StoredRun> = {}): StoredRun {
  return {
    head: {
      runId: 'r',
      notebookId: 'n',
      experiment: 'main',
      spec,
      specHash: '',
      startedAt: Date.UTC(2026, 0, 1),
      versions: { marlbook: '0.5.0', browser: 'Chrome/142' },
      userAgent: 'Chrome/142',
    },
    standing: { phase: 'training', message: null, endedAt: null },
    lastSavedIteration: 3,
    savedAt: Date.UTC(2026, 0, 1, 0, 0, 9),
    checkpoints: [],
    events,
    ...changes,
  };
}

test('a run that was cut off comes back stopped, marked, with every number, time, notice and episode', () => {
  const live = events.reduce(
    (state, event) => applyRunEvent(state, event, 0),
    applyRunEvent(initialRunState, { kind: 'started', spec }, 0),
  );
  const back = stateOfStored(storedRun(), false);
  expect(back.phase).toBe('stopped');
  expect(back.kept).toEqual({ runId: 'r', wasLeft: true });
  expect(back.series.rows).toEqual(live.series.rows);
  expect(back.iteration).toBe(3);
  // Half a second each but the first.
  expect([...trainingTimePoints(back.series).values]).toEqual([0, 0.5, 1, 1.5]);
  expect(back.notices).toEqual(['Slow.']);
  expect(back.transcripts).toEqual(live.transcripts);
  // It was last written to nine seconds after its start.
  expect(back.endedAtMs).toBe(9000);
  expect(back.recorded?.date).toBe('2026-01-01T00:00:09.000Z');
  expect(back.recorded?.device.policies[0]?.device).toBe('A processor');
});

test('one that ended says how, and one that goes on in another tab was not left', () => {
  const endedAt = Date.UTC(2026, 0, 1, 0, 0, 5);
  const failed = { phase: 'failed', message: 'The device was lost.', endedAt } as const;
  const back = stateOfStored(storedRun({ standing: failed }), false);
  expect([back.phase, back.message, back.endedAtMs]).toEqual(['failed', failed.message, 5000]);
  expect(back.kept?.wasLeft).toBe(false);
  expect(stateOfStored(storedRun(), true).kept?.wasLeft).toBe(false);
});

test('numbers that do not fit together are shown as far as they do, with the reason', () => {
  const back = stateOfStored(storedRun({ events: [...events, iteration(1)] }), false);
  expect(back.phase).toBe('failed');
  expect(back.message).toContain('came for iteration 1 after 3');
  expect(back.series.rows.length).toBe(8);
});
