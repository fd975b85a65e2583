import { beforeAll, describe, expect, test } from 'vitest';
import type { DiagnosticsSpec, ExperimentSpec } from '../config/experimentSpec';
import { gradientMetrics } from '../metrics/gradientMetrics';
import type { MetricRow } from '../metrics/catalog';
import type { TrainerEvent } from '../protocol/trainerApi';
import { eventsOf, rowsOf, tinyPolicies, tinySpec } from './testing/runInProcess';

const off: DiagnosticsSpec = {
  counterfactualNorms: false,
  gradientConflict: false,
  gradientConcentration: false,
  blame: 'off',
  every: 1,
};
const on: DiagnosticsSpec = {
  ...off,
  counterfactualNorms: true,
  gradientConflict: true,
  gradientConcentration: true,
  every: 2,
};

/** One policy for all three agents in two arms of one seed; the router moves twice where it asked for a search. */
function specOf(diagnostics: DiagnosticsSpec): ExperimentSpec {
  return tinySpec({
    agents: { router: { policy: 'one' }, search: { policy: 'one' }, answer: { policy: 'one' } },
    policies: tinyPolicies(['one']),
    groups: { ...tinySpec().groups, tasksPerIteration: 4, groupSize: 8 },
    iterations: 3,
    diagnostics,
  });
}

const measured = new Set<string>(Object.keys(gradientMetrics));

function withoutDiagnostics(rows: readonly MetricRow[]): MetricRow[] {
  return rows.map((row) => ({
    ...row,
    values: Object.fromEntries(Object.entries(row.values).filter(([key]) => !measured.has(key))),
  }));
}

const pairsOf = (events: readonly TrainerEvent[], iteration: number) =>
  events.flatMap((event) =>
    event.kind === 'iteration' && event.iteration === iteration ? event.gradientPairs : [],
  );

let events: readonly TrainerEvent[];
let plainEvents: readonly TrainerEvent[];
beforeAll(async () => {
  events = await eventsOf(specOf(on));
  plainEvents = await eventsOf(specOf(off));
}, 120_000);

/** Rows of agents that learned in iteration 2. */
const agentRows = (arm: string): MetricRow[] =>
  rowsOf(events).filter(
    (row) => row.iteration === 2 && row.arm === arm && row.values.gradNorm !== undefined,
  );

describe('diagnostics', () => {
  test('change no training: all other numbers are the same to the last bit', () => {
    const rows = withoutDiagnostics(rowsOf(events));
    expect(JSON.stringify(rows)).toBe(JSON.stringify(rowsOf(plainEvents)));
  });

  test('that are off, or not due, leave no number', () => {
    for (const row of rowsOf(events).filter(({ iteration }) => iteration !== 2))
      expect(Object.keys(row.values).filter((key) => measured.has(key))).toEqual([]);
    expect(agentRows('global').length).toBeGreaterThan(1);
  });

  test('measure the norm in use as the update does, in one epoch and one minibatch', () => {
    const rows = ['global', 'globalStep', 'agentWise'].flatMap(agentRows);
    expect(rows.some(({ values }) => values.gradNorm! > 0)).toBe(true);
    for (const { values } of rows)
      expect(Math.abs(values.gradNormInUse! - values.gradNorm!)).toBeLessThanOrEqual(
        1e-5 * values.gradNorm!,
      );
  });

  test.each([
    ['global', 'gradNormGlobal'],
    ['globalStep', 'gradNormGlobalStep'],
    ['agentWise', 'gradNormAgentWise'],
  ] as const)('of the arm %s have its own normalization as the one in use', (arm, key) => {
    const others = (['gradNormGlobal', 'gradNormGlobalStep', 'gradNormAgentWise'] as const).filter(
      (other) => other !== key,
    );
    for (const { values } of agentRows(arm)) expect(values[key]).toBe(values.gradNormInUse);
    for (const other of others)
      expect(agentRows(arm).some(({ values }) => values[other] !== values.gradNormInUse)).toBe(
        true,
      );
  });

  test('without a division are shorter than agent-wise where rewards of 0 and 1 have a deviation below 1', () => {
    for (const { values } of agentRows('agentWise').filter(({ agent }) => agent === 'router')) {
      expect(values.gradNormCentered).toBeGreaterThan(0);
      expect(values.gradNormCentered).toBeLessThan(values.gradNormAgentWise!);
    }
  });

  test('have a concentration between 0 and 1', () => {
    for (const { values } of agentRows('global')) {
      expect(values.gradGini).toBeGreaterThan(0);
      expect(values.gradGini).toBeLessThan(1);
    }
  });

  test('compare every pair that shares a policy, as the update saw it and against chance', () => {
    const pairs = pairsOf(events, 2);
    expect(new Set(pairs.map(({ arm }) => arm))).toEqual(
      new Set(['global', 'globalStep', 'agentWise']),
    );
    const compared = pairs.filter(({ conflict }) => conflict !== null);
    expect(compared.length).toBeGreaterThan(0);
    for (const { updateCosine, conflict } of compared) {
      expect(conflict!.iteration).toBe(2);
      expect(conflict!.cosine).toBeCloseTo(updateCosine!, 4);
      expect(conflict!.nullLow).toBeLessThanOrEqual(conflict!.nullMedian);
      expect(conflict!.isConflict).toBe(conflict!.cosine < conflict!.nullLow);
    }
    const { a, b, arm, conflict } = compared[0]!;
    for (const id of [a, b]) {
      const row = agentRows(arm).find(({ agent }) => agent === id)!;
      expect(row.values.conflictMin).toBeLessThanOrEqual(conflict!.cosine);
      expect(row.values.conflictNullLow).toBeDefined();
    }
  });

  test('tell the angles of the update also where nothing is measured on top', () => {
    const pairs = pairsOf(plainEvents, 2);
    expect(pairs.length).toBeGreaterThan(0);
    for (const { updateCosine, conflict } of pairs) {
      expect(Math.abs(updateCosine!)).toBeLessThanOrEqual(1 + 1e-6);
      expect(conflict).toBeNull();
    }
  });

  test('compare first with later turns of the router, and never of the agent that acts last and once', () => {
    const rows = ['global', 'globalStep', 'agentWise'].flatMap(agentRows);
    const spans = (agent: string) =>
      rows.filter((row) => row.agent === agent).map(({ values }) => values.spanConflict);
    expect(spans('router').some((value) => value !== undefined)).toBe(true);
    expect(spans('answer').every((value) => value === undefined)).toBe(true);
  });
});

test('separate policies have no pairs', async () => {
  const separate = await eventsOf(tinySpec({ iterations: 1, diagnostics: { ...on, every: 1 } }));
  expect(pairsOf(separate, 1)).toEqual([]);
  for (const { values } of rowsOf(separate)) expect(values.conflictMin).toBeUndefined();
});
