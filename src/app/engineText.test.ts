import { expect, test } from 'vitest';
import type { PolicyStatus } from '../protocol/trainerApi';
import { engineRows } from './engineText';

const status: PolicyStatus = {
  policyId: 'router',
  numReplicas: 3,
  backend: 'wasm',
  device: 'WebAssembly SIMD, one thread',
  numParameters: 100,
  selfTest: null,
  compared: [],
  decoding: null,
};

/** Cell by label of the first policy. */
function cellsOf(policies: readonly PolicyStatus[], numColumns = 1) {
  return Object.fromEntries(
    engineRows(policies, numColumns).map(({ label, cells }) => [label, cells[0]!]),
  );
}

test('a policy whose backend was set says so', () => {
  const cells = cellsOf([status]);
  expect(cells['Runs on']!.text).toBe('WebAssembly');
  expect(cells['Update, WebGPU']).toMatchObject({
    text: '–',
    note: 'Not timed: the backend was set.',
  });
});

test('a comparison shows the times of both engines and the way of decoding', () => {
  const cells = cellsOf([
    {
      ...status,
      backend: 'webgpu',
      compared: [
        { backend: 'webgpu', sampleMs: 3.25, updateMs: 12.5, refusal: null },
        { backend: 'wasm', sampleMs: 40, updateMs: 55, refusal: null },
      ],
      decoding: { kind: 'persistent', batchedMs: 7, persistentMs: 3 },
    },
  ]);
  const text = (label: string) => cells[label]!.text;
  expect(text('Runs on')).toBe('WebGPU');
  expect([text('Sampling, WebGPU'), text('Update, WebGPU')]).toEqual(['3.25', '12.5']);
  expect([text('Sampling, WebAssembly'), text('Update, WebAssembly')]).toEqual(['40.0', '55.0']);
  expect([text('Decoding, batched'), text('Decoding, persistent')]).toEqual(['7.00', '3.00']);
});

test('an engine that was refused has its reason, and a way that does not fit, too', () => {
  const cells = cellsOf([
    {
      ...status,
      compared: [
        { backend: 'webgpu', sampleMs: null, updateMs: null, refusal: 'logits differ by 0.3' },
        { backend: 'wasm', sampleMs: 40, updateMs: 55, refusal: null },
      ],
      decoding: { kind: 'batched', batchedMs: 7, persistentMs: null },
    },
  ]);
  expect(cells['Sampling, WebGPU']).toMatchObject({ text: '–', note: 'logits differ by 0.3' });
  expect(cells['Decoding, persistent']!.note).toContain('does not fit');
});

test('before the start every cell waits', () => {
  for (const { cells } of engineRows([], 2)) {
    expect(cells).toHaveLength(2);
    for (const { text, note } of cells)
      expect([text, note]).toEqual(['–', 'Known once the policies have started.']);
  }
});
