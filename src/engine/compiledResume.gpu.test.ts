import { afterAll, expect, test } from 'vitest';
import { createPolicyByBackend } from '../agents/policyByBackend';
import { dawnGpu } from '../gpu/testing/dawnDevice';
import { recordDevices } from '../gpu/testing/recordDevices';
import { parseRunCheckpoint } from '../protocol/runCheckpoint';
import {
  checkpointsIn,
  eventsOf,
  rowsOf,
  stillEnvironment,
  tinySpec,
} from './testing/runInProcess';
import type { TrainerEnvironment } from './trainer';

/** A run on the compiled engine that is gone on with on new devices. */

const devicesOf: (readonly GPUDevice[])[] = [];

/** Every policy on a device of its own. */
const onGpu: TrainerEnvironment = {
  ...stillEnvironment,
  createPolicy() {
    const gpu = dawnGpu();
    devicesOf.push(recordDevices(gpu));
    const api = createPolicyByBackend({ now: () => 0, gpu: () => gpu });
    return { api, terminate: () => void api.dispose() };
  },
};
afterAll(() => {
  for (const device of devicesOf.flat()) device.destroy();
});

/** Two arms with a reference each of its own KL penalty, and one without. */
const spec = tinySpec({
  backend: 'webgpu',
  iterations: 4,
  arms: [
    { name: 'penalised', overrides: { 'loss.refKlCoef': 0.2 } },
    { name: 'free', overrides: {} },
  ],
});

test('a run on the GPU goes on from its checkpoint with the numbers of the uninterrupted run', async () => {
  const whole = await eventsOf(spec, onGpu, () => {}, { checkpointEvery: 2 });
  expect(whole.at(-1)).toMatchObject({ kind: 'finished', reason: 'completed' });
  const checkpoints = checkpointsIn(whole);
  const parsed = parseRunCheckpoint(checkpoints.get(2)!.slice(0));
  if (!parsed.ok) throw new Error(parsed.reason);
  for (const { numbers } of parsed.checkpoint.policies) {
    expect(numbers.reference).not.toBeNull();
    expect(Math.min(...numbers.counts)).toBeGreaterThan(0);
    expect(Math.min(...numbers.corrections)).toBeGreaterThan(0);
  }
  const rest = await eventsOf(spec, onGpu, () => {}, { resumeFrom: checkpoints.get(2)! });
  const expected = rowsOf(whole).filter(({ iteration }) => iteration > 2);
  // The same kernels on the same device: not even the order of a sum is another.
  expect(rowsOf(rest)).toEqual(expected);
  expect(expected.some(({ values }) => (values.refKl ?? 0) > 0)).toBe(true);
});
