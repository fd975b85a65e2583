import { expect, test } from 'vitest';
import { applyRunEvent, type RunState } from '../runState';
import { endedRun, here, iterated, madeUpSpec, startedRun } from './testing/madeUpRuns';
import { verdictOf, type Verdict } from './verdict';
import { verdictFile } from './verdictFile';
import {
  apartText,
  fingerprintRows,
  headline,
  notesOf,
  toleranceText,
  usedTolerances,
  verdictText,
  verdictWords,
} from './verdictText';
import { planVerification } from './verificationPlan';

function verdict(original: RunState, again: RunState): Verdict {
  const planned = planVerification(original, here, 'available');
  if (!planned.ok) throw new Error(planned.reason);
  return verdictOf(planned.plan, again, here);
}

const whole = [1, 2, 3, 4, 5];

test('the same bits are identical, and on the CPU that is what was to be expected', () => {
  const same = verdict(endedRun(whole), endedRun(whole));
  expect(headline(same)).toBe('Identical: 5 of 5 values in 1 series, to the last bit.');
  expect(notesOf(same)).toEqual([
    'Both ran on the CPU backend, where the same experiment gives the same bits.',
    'Measured times are not compared: they are the machine’s.',
  ]);
});

test('a number that was changed is named with its series, its iteration and both values', () => {
  const other = verdict(endedRun([1, 2, 3.5, 4, 5]), endedRun(whole));
  expect(headline(other)).toBe(
    'Differs: 1 of 1 series, first at iteration 2: Gradient norm of solver in arm global, seed 0 (3.5 in the original, 3 here).',
  );
  expect(notesOf(other)[0]).toContain('The recording was changed after the run');
  const [series] = other.comparison.series;
  expect(verdictWords(series!)).toBe('Differs from iteration 2');
  // 1e-5 + 1e-3 · 3.5
  expect(apartText(series!)).toBe('0.500, allowed 0.00351');
});

test('two numbers that differ in the last bit do not look alike', () => {
  const close = verdict(endedRun(whole), endedRun([1, 2, 3, 4, 5 + 2 ** -50]));
  expect(headline(close)).toBe(
    'Within tolerance: 1 of 1 series; the other 0 are identical to the last bit.',
  );
  expect(verdictText(close)).toContain('(5 in the original, 5.000000000000001 here; apart');
});

test('what lacks a value is incomplete, and on which side', () => {
  const run = startedRun();
  const holed = [0, 1, 3, 4].reduce((state, i) => iterated(state, i, { gradNorm: i + 1 }), run);
  const ended = applyRunEvent(holed, { kind: 'finished', iteration: 4, reason: 'completed' }, 99);
  expect(headline(verdict(endedRun(whole), ended))).toContain(
    'Incomplete: 1 of 1 series, first at iteration 2: Gradient norm of solver in arm global, seed 0 has no value in the run made again.',
  );
  expect(headline(verdict(ended, endedRun(whole)))).toContain('has no value in the original.');
});

test('a verification that was stopped speaks of what it has', () => {
  const stopped = verdict(endedRun(whole), endedRun([1, 2]));
  expect(headline(stopped)).toBe(
    'Identical: 2 of 2 values in 1 series, to the last bit. Stopped after iteration 1 of 4: what comes later was not compared.',
  );
  const atOnce = verdict(endedRun(whole), applyRunEvent(startedRun(), { kind: 'terminated' }, 2));
  expect(headline(atOnce)).toBe(
    'Nothing was compared: the run made again has no numbers. The verification was stopped.',
  );
});

test('a run made again that fails says why, beside what was compared', () => {
  const failed = applyRunEvent(
    iterated(startedRun(), 0, { gradNorm: 1 }),
    { kind: 'failed', iteration: 0, message: 'No memory.' },
    5,
  );
  expect(headline(verdict(endedRun(whole), failed))).toBe(
    'Identical: 1 of 1 values in 1 series, to the last bit. The run made again failed: No memory.',
  );
});

test('a run that was stopped early is compared whole, though the one made again went on', () => {
  const early = verdict(endedRun([1, 2]), endedRun(whole));
  expect(headline(early)).toBe('Identical: 2 of 2 values in 1 series, to the last bit.');
  expect(early.ending.kind).toBe('complete');
  expect(notesOf(early)).toContain(
    'The original ended at iteration 1 of 4: it is made again and compared up to there.',
  );
});

test('series that the original did not keep are told of', () => {
  const more = iterated(startedRun(), 0, { gradNorm: 1, entropy: 2 });
  const ended = applyRunEvent(more, { kind: 'finished', iteration: 0, reason: 'stopped' }, 9);
  expect(notesOf(verdict(endedRun([1]), ended))).toContain(
    '1 series are not in the original and were not compared.',
  );
});

test('both devices stand side by side', () => {
  const onGpu = endedRun(whole, startedRun({ ...madeUpSpec, backend: 'webgpu' }, ['webgpu']));
  const rows = fingerprintRows(verdict(onGpu, endedRun(whole)));
  expect(rows.map(({ label }) => label)).toEqual([
    'Ended',
    'Marlbook',
    'Browser',
    'Policy router',
    'User agent',
  ]);
  expect(rows[0]?.original).toBe('2026-12-02 12:00:01 UTC');
  expect(rows[3]).toEqual({
    label: 'Policy router',
    original: 'WebGPU, webgpu device, 1.20k parameters',
    again: 'CPU (reference), cpu device, 1.20k parameters',
  });
});

test('the tolerances that were used are stated', () => {
  expect(usedTolerances(verdict(endedRun(whole), endedRun(whole)))).toEqual(['measure']);
  expect(toleranceText('measure')).toBe('|Δ| ≤ 1.00×10⁻⁵ + 0.00100 · |original|');
  expect(toleranceText('share')).toBe('|Δ| ≤ 1.00×10⁻⁶');
  expect(toleranceText('exact')).toBe('equal');
});

test('the file holds every series, and numbers that JSON lacks as texts', () => {
  const broken = verdict(endedRun([1, 2, 3, 4, 5]), endedRun([1, 2, NaN, 4, 5]));
  expect(JSON.parse(verdictFile(broken))).toMatchObject({
    format: 'marlbook-verdict',
    version: 1,
    result: headline(broken),
    iterations: { planned: 4, compared: 4 },
    counts: { identical: 0, within: 0, differs: 1, missing: 0 },
    original: { versions: { marlbook: '0.5.0', browser: 'Chrome/142.0.1.2' } },
    series: [
      {
        metric: 'gradNorm',
        agent: 'solver',
        kind: 'differs',
        iteration: 2,
        original: 3,
        again: 'NaN',
        excess: 'Infinity',
      },
    ],
  });
});
