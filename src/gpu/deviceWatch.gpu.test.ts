import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestComputeDevice } from './device';
import { watchDevice, type DeviceWatch } from './deviceWatch';
import { dawnGpu } from './testing/dawnDevice';

/** What no call says: a lost device, and errors that surface as events. */

let device: GPUDevice;
let watch: DeviceWatch;
beforeEach(async () => {
  ({ device } = await requestComputeDevice(dawnGpu()));
  watch = watchDevice(device);
});
afterEach(() => device.destroy());

test('a task keeps its outcome while the device is there', async () => {
  await expect(watch.untilLost(Promise.resolve(3))).resolves.toBe(3);
  await expect(watch.untilLost(Promise.reject(new Error('own')))).rejects.toThrow('own');
  expect(watch.lossReason()).toBeNull();
});

test('a task that would wait for ever ends with the device, and the reason is kept', async () => {
  const task = watch.untilLost(new Promise(() => undefined));
  device.destroy();
  await expect(task).rejects.toThrow(/destroyed/);
  expect(watch.lossReason()).toMatch(/destroyed/);
});

test('a refused command is told once, in words', async () => {
  expect(watch.takeError()).toBeNull();
  device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
  await device.queue.onSubmittedWorkDone();
  expect(watch.takeError()).toMatch(/^The GPU refused a command: /);
  expect(watch.takeError()).toBeNull();
});
