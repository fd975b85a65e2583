import { expect, test } from 'vitest';
import { initialRunState, type RunState } from '../runState';
import { endedRun, here, iterated, madeUpSpec, startedRun } from './testing/madeUpRuns';
import { planVerification, type VerificationPlan } from './verificationPlan';

function planOf(run: RunState, support: 'available' | 'noApi' = 'available'): VerificationPlan {
  const planned = planVerification(run, here, support);
  if (!planned.ok) throw new Error(planned.reason);
  return planned.plan;
}

const whole = [1, 2, 3, 4, 5];

test('a run is made again with its own settings, and on the CPU there is nothing to warn of', () => {
  expect(planOf(endedRun(whole))).toMatchObject({
    spec: madeUpSpec,
    lastIteration: 4,
    remarks: [],
    warnings: [],
  });
});

function reason(run: RunState): string {
  const planned = planVerification(run, here, 'available');
  return planned.ok ? '' : planned.reason;
}

test('what has not run, goes on, or has no numbers is not verified, and why', () => {
  expect(reason(initialRunState)).toContain('no numbers to compare with: run the experiment');
  expect(reason(endedRun([]))).toContain('no numbers to compare with');
  expect(reason(iterated(startedRun(), 0, { gradNorm: 1 }))).toContain('is not over: stop it');
});

test('a run that has only been looked at before its first update is compared there', () => {
  expect(planOf(endedRun([1]))).toMatchObject({
    lastIteration: 0,
    remarks: ['The original ended at iteration 0 of 4: it is made again and compared up to there.'],
  });
});

test('“fastest here” is what it was then', () => {
  const run = endedRun(whole, startedRun({ ...madeUpSpec, backend: 'auto' }, ['wasm', 'wasm']));
  expect(planOf(run)).toMatchObject({ spec: { backend: 'wasm' }, warnings: [] });
});

test('“fastest here” that was several is chosen anew, which is said', () => {
  const run = endedRun(whole, startedRun({ ...madeUpSpec, backend: 'auto' }, ['webgpu', 'wasm']));
  const plan = planOf(run);
  expect(plan.spec.backend).toBe('auto');
  expect(plan.warnings.join()).toContain('ran on WebGPU and WebAssembly, whichever was faster');
});

test.each(['auto', 'webgpu'] as const)(
  'a run on WebGPU, set as %s, is made again on WebAssembly where there is none, which is said',
  (backend) => {
    const run = endedRun(whole, startedRun({ ...madeUpSpec, backend }, ['webgpu']));
    expect(planOf(run, 'available')).toMatchObject({ spec: { backend: 'webgpu' }, warnings: [] });
    const plan = planOf(run, 'noApi');
    expect(plan.spec).toEqual({ ...madeUpSpec, backend: 'wasm' });
    expect(plan.originalSpec.backend).toBe(backend);
    expect(plan.warnings.join()).toContain('which this browser does not offer');
  },
);

test('a run that lost its device on the way is said to have', () => {
  const run = endedRun(whole, startedRun({ ...madeUpSpec, backend: 'webgpu' }, ['wasm']));
  expect(planOf(run).warnings.join()).toContain(
    'The setting says WebGPU, but the original ended on WebAssembly',
  );
});

test('another version of the page is said, and does not stop it', () => {
  const run = endedRun(whole);
  const recorded = {
    date: '2026-01-02T03:04:05.000Z',
    versions: { marlbook: '0.4.0', browser: 'Chrome/140.0.0.0' },
    device: { userAgent: 'x', policies: [] },
  };
  expect(planOf({ ...run, recorded }).warnings).toEqual([
    'The original was made with Marlbook 0.4.0, this page is 0.5.0: a difference may be the version’s.',
  ]);
});
