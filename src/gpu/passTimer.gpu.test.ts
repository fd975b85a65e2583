import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPassTimer } from './passTimer';
import { dawnDevice } from './testing/dawnDevice';

/** Times of compute passes by the device's own clock. */

let device: GPUDevice;
let pipeline: GPUComputePipeline;
beforeEach(async () => {
  device = await dawnDevice();
  // Not to be computed beforehand: the start comes from the number of the thread.
  const code = `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
    override ROUNDS: u32;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      var value = f32(id.x);
      for (var round = 0u; round < ROUNDS; round++) { value = sin(value) + 1.0; }
      out[id.x] = value;
    }`;
  pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: {
      module: device.createShaderModule({ code }),
      entryPoint: 'main',
      constants: { ROUNDS: 2000 },
    },
  });
});
afterEach(() => device.destroy());

function runPass(numGroups: number): void {
  const out = device.createBuffer({ size: 256 * numGroups, usage: GPUBufferUsage.STORAGE });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: out } }],
    }),
  );
  pass.dispatchWorkgroups(numGroups);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

/** Everything has been done, and its read-backs have come. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await device.queue.onSubmittedWorkDone();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('passes are added up under what they are assigned to, and more work takes longer', async () => {
  const timer = createPassTimer<'short' | 'long' | 'none'>(device);
  runPass(1);
  timer.assign('short');
  for (let pass = 0; pass < 3; pass++) runPass(400);
  timer.assign('long');
  timer.assign('none');
  await settle();
  const [short, long] = [timer.totalMs('short')!, timer.totalMs('long')!];
  expect(short).toBeGreaterThan(0);
  expect(long).toBeGreaterThan(3 * short);
  expect(timer.totalMs('none')).toBe(0);
  timer.destroy();
});

test('times that could not be taken along make the sum unknown rather than too small', async () => {
  const timer = createPassTimer<'many' | 'few'>(device);
  // Nothing comes back in between: only some are on their way at once.
  for (let count = 0; count < 8; count++) {
    runPass(1);
    timer.assign('many');
  }
  await settle();
  expect(timer.totalMs('many')).toBeNull();
  runPass(1);
  timer.assign('few');
  await settle();
  expect(timer.totalMs('few')).toBeGreaterThan(0);
  timer.destroy();
});

test('without a clock there is no time, and passes run as before', () => {
  const features = new Set();
  const blind = new Proxy(device, {
    get: (target, key) => (key === 'features' ? features : Reflect.get(target, key)),
  });
  const timer = createPassTimer<'all'>(blind);
  timer.assign('all');
  expect(timer.totalMs('all')).toBeNull();
});
