import { expect, test } from 'vitest';
import { defaultSpec } from '../config/defaults';
import type { MetricRow } from '../metrics/catalog';
import { planExperiment } from './cohorts';
import { initialCollapse, watchCollapse } from './collapseWatch';

const plan = planExperiment({ ...defaultSpec, seeds: [4] }).replicas[0]!;

const rowsAt = (iteration: number, validActionRate: number): MetricRow[] => [
  {
    iteration,
    arm: plan.arm,
    seed: plan.seed,
    agent: 'router',
    values: { numTurns: 8, validActionRate, gradNorm: 1, approxKl: 0.01 },
  },
  { iteration, arm: plan.arm, seed: plan.seed, agent: 'search', values: { numTurns: 0 } },
  { iteration, arm: plan.arm, seed: plan.seed, agent: 'team', values: { success: 0.5 } },
];

test('an agent whose valid actions stay below half of their peak for three iterations has collapsed: said once, marked from then on', () => {
  let memory = initialCollapse(plan);
  const marks: (number | undefined)[] = [];
  const notices: string[] = [];
  for (const [index, rate] of [0.9, 0.4, 0.8, 0.44, 0.3, 0.2, 0.9].entries()) {
    const watched = watchCollapse(plan, memory, rowsAt(index + 1, rate));
    ({ memory } = watched);
    marks.push(watched.rows[0]!.values.collapsed);
    notices.push(...watched.notices);
    expect(watched.rows[1]!.values).toEqual({ numTurns: 0 });
    expect(watched.rows[2]!.values).toEqual({ success: 0.5 });
  }
  expect(marks).toEqual([0, 0, 0, 0, 0, 1, 1]);
  expect(notices).toEqual([
    'Collapse in arm global, seed 4, agent router: valid-action rate below half of its own peak since iteration 4.',
  ]);
});
