import { expect, test } from 'vitest';
import { createTfjsPolicy } from '../agents/tfjsPolicy';
import { presets } from '../config/presets';
import type { ExperimentSpec } from '../config/experimentSpec';
import type { MetricRow } from '../metrics/catalog';
import type { TrainerEvent } from '../protocol/trainerApi';
import { createTrainer } from './trainer';

const spec = (): ExperimentSpec => ({
  ...presets['route-search-answer'].spec,
  backend: 'cpu', iterations: 3, seeds: [0, 1],
  groups: { tasksPerIteration: 4, groupSize: 8 },
  warmStart: { targetSuccess: 0.1, maxSteps: 3, tasksPerStep: 16, learningRate: 3e-3 },
  evaluation: { every: 2, tasks: 32, greedy: false },
});

test('smoke', async () => {
  const events: TrainerEvent[] = [];
  const trainer = createTrainer({ createPolicy: () => ({ api: createTfjsPolicy(), terminate: () => {} }), now: () => performance.now() });
  const t = performance.now();
  await trainer.start(spec(), (e) => events.push(e));
  console.log(performance.now() - t);
  const rows: MetricRow[] = events.flatMap((e) => (e.kind === 'iteration' ? e.rows : []));
  console.log(events.filter((e) => e.kind !== 'iteration'));
  console.log(JSON.stringify(rows.slice(0, 12), null, 1));
  console.log(events.flatMap(e => e.kind === 'iteration' ? [e.times, JSON.stringify(e.transcripts[0])] : []));
  expect(rows.length).toBeGreaterThan(0);
}, 100000);
