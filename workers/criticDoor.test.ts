import { expect, test } from 'vitest';
import { createTfjsCritic } from '../src/agents/tfjsCritic';
import { valueParameterSpecs, sizeOf } from '../src/agents/parameters';
import { eventsOf, rowsOf, stillEnvironment, tinySpec } from '../src/engine/testing/runInProcess';
import { connectCritic, exposeCritic } from './criticDoor';

/** Messages as they crossed, in either direction, and their typed arrays by name. */
function recordedCritic(arrays: [string, ArrayBufferView][]) {
  const { port1, port2 } = new MessageChannel();
  exposeCritic(createTfjsCritic(), port2);
  for (const port of [port1, port2])
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      arrays.push(...arraysIn(data));
    });
  const terminate = (): void => {
    port1.close();
    port2.close();
  };
  return { api: connectCritic(port1), terminate };
}

function arraysIn(value: unknown, name = ''): [string, ArrayBufferView][] {
  if (ArrayBuffer.isView(value)) return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => arraysIn(entry, key));
}

test('only tokens, lengths, ids, values and targets cross the door of a critic, no weights, and a run through it is the run without it', async () => {
  const arrays: [string, ArrayBufferView][] = [];
  const spec = tinySpec({
    arms: [{ name: 'mappo', overrides: { 'estimator.kind': 'gae', 'estimator.critic': 'state' } }],
  });
  const behindDoor = rowsOf(
    await eventsOf(spec, { ...stillEnvironment, createCritic: () => recordedCritic(arrays) }),
  );
  expect(behindDoor).toEqual(rowsOf(await eventsOf(spec)));
  const names = new Set(arrays.map(([name]) => name));
  // `value` is how the answer of a call travels.
  expect([...names].toSorted()).toEqual([
    'lengths',
    'oldValues',
    'replicas',
    'returns',
    'steps',
    'tokens',
    'value',
  ]);
  const { architecture } = spec.policies['router']!;
  const numParameters = valueParameterSpecs(architecture, 30).reduce(
    (sum, { shape }) => sum + sizeOf(shape),
    0,
  );
  const floats = arrays.flatMap(([, array]) => (array instanceof Float32Array ? array.length : []));
  expect(Math.max(...floats)).toBeLessThan(numParameters / 4);
});
