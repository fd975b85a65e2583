import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStorage } from './buffers';
import { meterDevice, type DeviceCounts } from './deviceMeter';
import { dawnDevice } from './testing/dawnDevice';

/** A device counts what is asked of it, and does it as before. */

const nothing: DeviceCounts = {
  numDispatches: 0,
  numSubmits: 0,
  numBindGroups: 0,
  numPipelines: 0,
  numBuffersMade: 0,
  numBuffers: 0,
  bytes: 0,
};

let device: GPUDevice;
let counts: () => DeviceCounts;
beforeAll(async () => {
  device = await dawnDevice();
});
beforeEach(() => {
  counts = meterDevice(device);
});
afterAll(() => device.destroy());

test('memory is that of buffers not destroyed, each counted once', () => {
  expect(counts()).toEqual(nothing);
  const [small, large] = [createStorage(device, 3, 'small'), createStorage(device, 50, 'large')];
  expect(counts()).toEqual({ ...nothing, numBuffersMade: 2, numBuffers: 2, bytes: 212 });
  small.destroy();
  small.destroy();
  expect(counts()).toEqual({ ...nothing, numBuffersMade: 2, numBuffers: 1, bytes: 200 });
  large.destroy();
  expect(counts()).toEqual({ ...nothing, numBuffersMade: 2 });
});

test('pipelines, bind groups, dispatches and submits are counted, and run', async () => {
  const code = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(1) fn main() { out[0] += 1u; }`;
  const out = createStorage(device, 1, 'out');
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
  });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: out } }],
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  for (let i = 0; i < 3; i++) pass.dispatchWorkgroups(1);
  pass.end();
  const staging = device.createBuffer({
    size: 4,
    usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  });
  encoder.copyBufferToBuffer(out, 0, staging, 0, 4);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  expect(new Uint32Array(staging.getMappedRange())[0]).toBe(3);
  expect(counts()).toEqual({
    numDispatches: 3,
    numSubmits: 1,
    numBindGroups: 1,
    numPipelines: 1,
    numBuffersMade: 2,
    numBuffers: 2,
    bytes: 8,
  });
  for (const buffer of [out, staging]) buffer.destroy();
});
