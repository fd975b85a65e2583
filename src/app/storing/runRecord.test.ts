import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import { trainingTimePoints } from '../../metrics/runSeries';
import type { TrainerEvent } from '../../protocol/trainerApi';
import { madeUpTranscript } from '../rollouts/testing/madeUpTranscript';
import { applyRunEvent, initialRunState, type RunState } from '../runState';
import { byIteration } from './byIteration';
import { freshPart, nothingGiven } from './freshPart';
import { parseNotebookRecord, parseRunRecord } from './records';
import { recordOf, stateOfRecord } from './runRecord';

const spec = { ...presets['solve-verify-null'].spec, iterations: 10 };
const here = {
  timeOriginMs: Date.UTC(2026, 0, 1),
  userAgent: 'Chrome/142.0.0.0',
  marlbook: '0.5.0',
};
const kept = { runId: 'r', notebookId: 'n', experiment: 'main' };

function iteration(index: number): TrainerEvent {
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

const running = [
  { kind: 'started', spec } as const,
  ...[0, 1, 2, 3].map(iteration),
  { kind: 'notice', message: 'Slow.' } as const,
].reduce<RunState>((state, event) => applyRunEvent(state, event, 1000), initialRunState);

/** As the database gives it back: the part as it is, the episodes by their iterations. */
function stored(run: RunState) {
  const { part } = freshPart(run, nothingGiven)!;
  return {
    rows: [structuredClone({ rows: part.rows, times: part.times })],
    episodes: [...byIteration(part.transcripts).values()].map((transcripts) =>
      structuredClone({ transcripts }),
    ),
  };
}

const record = recordOf(kept, running, { iteration: 3, bytes: 7, nowMs: 5000 }, here);

test('a run that was at work comes back stopped, marked, with every number, time, notice and episode', () => {
  const back = stateOfRecord(record, stored(running), false);
  expect(back.phase).toBe('stopped');
  expect(back.kept).toEqual({ runId: 'r', wasLeft: true });
  expect(back.series.rows).toEqual(running.series.rows);
  expect(back.revision).toBe(4);
  expect(back.iteration).toBe(3);
  // Half a second each but the first.
  expect([...trainingTimePoints(back.series).values]).toEqual([0, 0.5, 1, 1.5]);
  expect(back.notices).toEqual(['Slow.']);
  expect(back.transcripts).toEqual(running.transcripts);
  // Started at 1 s, written at 5 s.
  expect(back.endedAtMs).toBe(4000);
  expect(back.recorded?.date).toBe('2026-01-01T00:00:05.000Z');
});

test('one that goes on in another tab was not left', () => {
  expect(stateOfRecord(record, stored(running), true).kept?.wasLeft).toBe(false);
});

test('numbers that do not fit together are refused with the place', () => {
  const log = stored(running);
  expect(() => stateOfRecord(record, { ...log, rows: [...log.rows, 7] }, false)).toThrow(
    'Part 2 of its numbers',
  );
  expect(() => stateOfRecord(record, { ...log, rows: [...log.rows, ...log.rows] }, false)).toThrow(
    /came for iteration 0 after 3/,
  );
});

test('an episode that cannot be read costs that episode only', () => {
  const { rows, episodes } = stored(running);
  const torn = [...episodes.slice(0, 2), { transcripts: [{ arm: 7 }] }, 'dust'];
  expect(stateOfRecord(record, { rows, episodes: torn }, false).transcripts).toHaveLength(2);
});

/** Why it is refused; empty where it is not. */
function bad(data: unknown): string {
  const parsed = parseRunRecord(data);
  return parsed.ok ? '' : parsed.message;
}

test('records are read as they were written, and others are refused with their name', () => {
  expect(parseRunRecord(structuredClone(record))).toEqual({ ok: true, value: record });
  expect(bad({ ...record, iteration: 'three' })).toContain('run r lacks a part');
  expect(bad({ ...record, spec: { ...spec, iterations: -1 } })).toContain(
    'run r cannot be read at spec.iterations',
  );
  expect(bad({ ...record, date: 'yesterday' })).toContain('where it was made');
  expect(bad(null)).toContain('without an id');
  const notebook = parseNotebookRecord({ id: 'n', notebook: 7, savedAt: record.date });
  expect(notebook.ok ? '' : notebook.message).toContain('notebook n cannot be read');
});
