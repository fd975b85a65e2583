import { afterAll, expect, test } from 'vitest';
import { createPolicyByBackend } from '../agents/policyByBackend';
import { dawnGpu } from '../gpu/testing/dawnDevice';
import { recordDevices } from '../gpu/testing/recordDevices';
import type { MetricRow } from '../metrics/catalog';
import { eventsOf, rowsOf, stillEnvironment, tinySpec } from './testing/runInProcess';
import type { TrainerEnvironment } from './trainer';

/** A whole run on the compiled engine beside the same run on the CPU, and with a device that is lost in the middle of it. */

/** One list for each policy, in the order in which they were made. */
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

/** Float32 sums in another order, over twenty iterations of training on what was sampled. */
const tolerance = 1e-3;

/** What differs by more, as text. */
function differences(actual: readonly MetricRow[], expected: readonly MetricRow[]): string[] {
  return expected.flatMap(({ values, ...place }, index) => {
    const row = actual[index]!;
    expect({ ...row, values: {} }).toEqual({ ...place, values: {} });
    expect(Object.keys(row.values)).toEqual(Object.keys(values));
    const others = Object.values(row.values);
    return Object.entries(values).flatMap(([name, value], column) => {
      const other = others[column]!;
      const isNear =
        Object.is(other, value) || Math.abs(other - value) <= tolerance * (1 + Math.abs(value));
      return isNear
        ? []
        : [`${place.iteration} ${place.arm} ${place.agent} ${name}: ${other} for ${value}`];
    });
  });
}

const spec = tinySpec({ iterations: 20 });

test('twenty iterations have the metric rows of the CPU', async () => {
  const expected = rowsOf(await eventsOf(spec));
  const actual = rowsOf(await eventsOf({ ...spec, backend: 'webgpu' }, onGpu));
  expect(actual).toHaveLength(expected.length);
  expect(expected.some(({ values }) => (values.gradNorm ?? 0) > 0.1)).toBe(true);
  expect(differences(actual, expected)).toEqual([]);
});

test('a device lost in the middle of a run changes no number of it', async () => {
  const short = tinySpec({ iterations: 4, backend: 'webgpu' });
  const undisturbed = rowsOf(await eventsOf(short, onGpu));
  const before = devicesOf.length;
  const events = await eventsOf(short, onGpu, (event) => {
    if (event.kind === 'iteration' && event.iteration === 2) devicesOf[before]![0]!.destroy();
  });
  const notices = events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []));
  expect(notices.filter((message) => message.includes('device was lost'))).toHaveLength(1);
  // Three policies, of which the first had to begin again.
  expect(devicesOf.slice(before).map(({ length }) => length)).toEqual([2, 1, 1]);
  expect(rowsOf(events)).toEqual(undisturbed);
});
