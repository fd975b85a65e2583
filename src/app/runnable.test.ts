import { expect, test } from 'vitest';
import { parseSpec } from '../config/parseSpec';
import { presets } from '../config/presets';
import { runnableOf } from './runnable';

const { spec } = presets['solve-verify-null'];
const onWebgpu = parseSpec({ ...spec, backend: 'webgpu' });

test('a valid specification runs without WebGPU on every other backend', () => {
  for (const backend of ['wasm', 'cpu'] as const)
    expect(runnableOf(parseSpec({ ...spec, backend }), 'noApi').ok).toBe(true);
});

test('a specification for WebGPU waits for the browser’s answer and runs only on yes', () => {
  expect(runnableOf(onWebgpu, 'available').ok).toBe(true);
  for (const support of ['checking', 'noApi', 'noAdapter'] as const)
    expect(runnableOf(onWebgpu, support).ok).toBe(false);
});

test('the reason names the first wrong setting as the form does, and how many more there are', () => {
  const parsed = parseSpec({
    ...spec,
    groups: { ...spec.groups, tasksPerIteration: 0, groupSize: 0 },
    iterations: 10,
  });
  const runnable = runnableOf(parsed, 'available');
  expect(runnable.ok ? '' : runnable.reason).toMatch(/^Tasks: .* And 1 more\.$/);
});
