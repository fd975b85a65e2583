import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClaimCell } from '../../notebook/cells';
import { parseCell } from '../../notebook/parseCell';
import { brokenCells } from '../../notebook/references';
import { metricStatistics } from '../../notebook/statistics';
import { cellAs, sampleNotebook } from '../../notebook/testing/sampleNotebook';
import {
  metricKeys,
  namesOf,
  withExperiment,
  withMetric,
  withPresent,
  withRightKind,
  withSeeds,
} from './claimChoices';

const notebook = sampleNotebook();
const cell = cellAs(notebook, 'claim', 'claim');
const { arms, agents } = namesOf(notebook, 'e1');

/** One change that a control can make. */
const changes: fc.Arbitrary<(cell: ClaimCell) => ClaimCell> = fc.oneof(
  fc.constantFrom(...metricKeys).map((metric) => (before: ClaimCell): ClaimCell => ({
    ...before,
    statement: {
      ...before.statement,
      left: withMetric(before.statement.left, metric, agents),
    },
  })),
  fc.constantFrom(...metricStatistics).map((statistic) => (before: ClaimCell): ClaimCell => ({
    ...before,
    statement: { ...before.statement, left: { ...before.statement.left, statistic } },
  })),
  fc.constantFrom('e1', 'e2').map(
    (experiment) =>
      (before: ClaimCell): ClaimCell =>
        withExperiment(before, notebook, experiment),
  ),
  fc
    .constantFrom('constant' as const, 'quantity' as const)
    .map((kind) => (before: ClaimCell): ClaimCell => ({
      ...before,
      statement: withRightKind(before.statement, kind),
    })),
  fc.option(fc.integer({ min: 1, max: 5 })).map((asked) => (before: ClaimCell): ClaimCell => ({
    ...before,
    statement: withSeeds(before.statement, asked),
  })),
);

test('whatever is chosen, the cell is one that a file could hold, and all its names are known', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 12 }), (chosen) => {
      const after = chosen.reduce((before, change) => change(before), cell);
      expect(parseCell(after, '')).toEqual({ ok: true, cell: after });
      const cells = notebook.cells.map((other) => (other.id === after.id ? after : other));
      expect(brokenCells({ ...notebook, cells })).toEqual([]);
    }),
  );
});

test('a metric of agents takes the first agent, and keeps one that was chosen', () => {
  const norm = withMetric(cell.statement.left, 'gradNorm', agents);
  expect(norm.agent).toBe('router');
  expect(withMetric({ ...norm, agent: 'search' }, 'entropy', agents).agent).toBe('search');
  expect(withMetric(norm, 'success', agents).agent).toBe('team');
});

test('an experiment without the arm gives its first', () => {
  const lost = { ...cell.statement, left: { ...cell.statement.left, arm: 'gone' } };
  expect(withExperiment({ ...cell, statement: lost }, notebook, 'e2').statement.left.arm).toBe(
    arms[0],
  );
});

test('a name that is not there stays in sight', () => {
  expect(withPresent(['a'], 'b')).toEqual([
    ['b', 'b (not there)'],
    ['a', 'a'],
  ]);
  expect(withPresent(['a'], 'a')).toEqual([['a', 'a']]);
});
