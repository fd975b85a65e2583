import { expect, test } from 'vitest';
import { plannedBuffers, requireBuffers } from './bufferBudget';

/** Refusals before anything is allocated. */

const limits = { maxBufferSize: 2000, maxStorageBufferBindingSize: 1000 };

test('what would be made is known by label and size', () => {
  const planned = plannedBuffers((device) => {
    const first = device.createBuffer({ label: 'keys', size: 12, usage: 0 });
    device.queue.writeBuffer(first, 0, new Float32Array(3));
    device.createBuffer({ size: 400, usage: 0 });
  });
  expect(planned).toEqual([
    { label: 'keys', size: 12 },
    { label: 'buffer', size: 400 },
  ]);
});

test('buffers within the limit pass, also when they fill it', () => {
  expect(() => requireBuffers(limits, [], 4)).not.toThrow();
  expect(() => requireBuffers(limits, [{ label: 'keys', size: 1000 }], 4)).not.toThrow();
});

test('the largest one over it is named, with its size, the limit and how many replicas fit', () => {
  const planned = [
    { label: 'keys', size: 1200 },
    { label: 'gate and up', size: 4000 },
  ];
  expect(() => requireBuffers(limits, planned, 10)).toThrow(
    new RangeError(
      'The GPU buffer "gate and up" would take 0.004000 MB, and this device allows 0.001000 MB (maxStorageBufferBindingSize). ' +
        'Of the 10 replicas (arms × seeds) 2 would fit: use fewer arms or seeds in one run, or choose the backend "wasm".',
    ),
  );
});

test('where not even one replica fits, the advice is about the batch', () => {
  expect(() => requireBuffers(limits, [{ label: 'logits', size: 9000 }], 4)).toThrow(
    'Not even one replica would fit: use fewer tasks or rollouts per task, more minibatches, or a smaller policy',
  );
});

test('the smaller of the two limits counts', () => {
  const other = { maxBufferSize: 500, maxStorageBufferBindingSize: 1000 };
  expect(() => requireBuffers(other, [{ label: 'logits', size: 600 }], 2)).toThrow('maxBufferSize');
});
