import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { encodeNotebookFile, parseNotebookFile } from '../notebook/notebookFile';
import { standardNotebook } from '../notebook/standardNotebook';
import { madeUpTranscript } from './rollouts/testing/madeUpTranscript';
import { recordingOfState, stateOfRecording } from './recordedRun';
import { applyRunEvent, initialRunState, type RunState } from './runState';

const spec = { ...presets['solve-verify-null'].spec, iterations: 2 };
const here = {
  timeOriginMs: Date.UTC(2026, 11, 2, 12),
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.1.2 Safari/537.36',
  marlbook: '0.5.0',
};

function iterated(state: RunState, iteration: number): RunState {
  const values = { gradNorm: 0.1 * iteration, approxKl: iteration === 2 ? NaN : 1e-9 };
  const rows = [
    { iteration, arm: 'global', seed: 0, agent: 'solver', values },
    { iteration, arm: 'global', seed: 0, agent: 'team', values: { success: 1 / 3 } },
  ];
  const times = { rolloutMs: 1, advantagesMs: 1, diagnosticsMs: 0, updateMs: 1 };
  const transcripts = [madeUpTranscript({ arm: 'global', seed: 0, iteration })];
  const told = { rows, transcripts, groups: [], gradientPairs: [], tokens: 7, times };
  return applyRunEvent(state, { kind: 'iteration', iteration, ...told }, 10 * iteration);
}

function finished(): RunState {
  const started = applyRunEvent(initialRunState, { kind: 'started', spec }, 0);
  const trained = iterated(iterated(started, 1), 2);
  return applyRunEvent(trained, { kind: 'finished', iteration: 2, reason: 'completed' }, 30);
}

test('a run that is over travels in a file and comes back with the same rows, bit by bit', () => {
  const run = finished();
  const recording = recordingOfState(run, here);
  if (recording === null) throw new Error('no recording');
  const file = { notebook: standardNotebook(spec), recordings: new Map([['main', recording]]) };
  const parsed = parseNotebookFile(JSON.parse(JSON.stringify(encodeNotebookFile(file))));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const back = stateOfRecording(parsed.recordings.get('main')!);
  expect(back).toMatchObject({ phase: 'finished', iteration: 2, spec, revision: 2, message: null });
  expect(back.series.rows).toEqual(run.series.rows);
  expect(back.transcripts).toEqual(run.transcripts);
  expect(back.recorded).toMatchObject({
    // The run ended 30 ms after the page began to count.
    date: '2026-12-02T12:00:00.030Z',
    versions: { marlbook: '0.5.0', browser: 'Chrome/142.0.1.2' },
  });
});

test('a recorded run that is saved again says where and when it was made, not where it is now', () => {
  const recording = recordingOfState(finished(), here)!;
  const later = { timeOriginMs: Date.UTC(2027, 0, 1), userAgent: 'other', marlbook: '9.9.9' };
  const again = recordingOfState(stateOfRecording(recording), later)!;
  expect(again.date).toBe(recording.date);
  expect(again.versions).toEqual(recording.versions);
  expect(again.device).toEqual(recording.device);
});

test('a run that goes on, or has nothing, is not written down', () => {
  const started = applyRunEvent(initialRunState, { kind: 'started', spec }, 0);
  expect(recordingOfState(initialRunState, here)).toBeNull();
  expect(recordingOfState(iterated(started, 1), here)).toBeNull();
  const stopped = applyRunEvent(started, { kind: 'terminated' }, 5);
  expect(recordingOfState(stopped, here)).toBeNull();
});

test('what was changed while a run went on travels with it, and a run without changes has no list of them', () => {
  expect(recordingOfState(finished(), here)).not.toHaveProperty('interventions');
  const asked = { iteration: 2, arm: 'global', path: 'loss.entropyCoef', value: 0.1 };
  const intervention = { ...asked, was: [0], by: 'user' } as const;
  const started = applyRunEvent(initialRunState, { kind: 'started', spec }, 0);
  const changed = applyRunEvent(iterated(started, 1), { kind: 'intervened', intervention }, 11);
  const run = applyRunEvent(
    iterated(changed, 2),
    { kind: 'finished', iteration: 2, reason: 'completed' },
    30,
  );
  const recording = recordingOfState(run, here)!;
  const file = { notebook: standardNotebook(spec), recordings: new Map([['main', recording]]) };
  const parsed = parseNotebookFile(JSON.parse(JSON.stringify(encodeNotebookFile(file))));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const back = stateOfRecording(parsed.recordings.get('main')!);
  expect(back.interventions).toEqual([intervention]);
  expect(back.spec).toEqual({ ...spec, interventions: [asked] });
});
