import fc from 'fast-check';
import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { metricCatalog, type MetricKey } from '../metrics/catalog';
import { cellKinds, type NotebookCell } from './cells';
import {
  addCell,
  changeCell,
  changeTitle,
  deleteCell,
  duplicateCell,
  moveCell,
  type Edited,
} from './editing';
import { createHistory, recordEdit, redo, undo, type EditedField } from './history';
import { isMetricKey } from './names';
import { emptyNotebook, type Notebook } from './notebook';
import { parseNotebook } from './parseNotebook';
import { comparisonStatistics } from './statistics';
import { sampleNotebook } from './testing/sampleNotebook';

const sample = sampleNotebook();
const metricKeys: readonly MetricKey[] = Object.keys(metricCatalog).filter(isMetricKey);

/** Few enough that edits meet: taken ones, deleted ones, free ones, and some that no cell may have. */
const anyId = fc.constantFrom('e1', 'e2', 'chart', 'a', 'b', 'c', '7', '__proto__', 'a.b', '');
const anyName = fc.constantFrom('global', 'agentWise', 'other');
const anyAgents = fc.oneof(
  fc.constant('all' as const),
  fc.subarray(['router', 'search', 'answer', 'team'], { minLength: 1 }),
);
const anySource = fc
  .array(fc.constantFrom('{{e1.global.spikes}}', '{{e2.a.seeds}}', '{{a.', '`', 'text', '\n\n'))
  .map((pieces) => pieces.join(' '));

/** Settings that a change may bring to a cell of each kind; some are valid, some are not. */
const changes: Readonly<Record<NotebookCell['kind'], fc.Arbitrary<object>>> = {
  text: fc.record({ source: anySource }),
  experiment: fc.record({
    spec: fc.constantFrom(...Object.values(presets).map(({ spec }) => spec), { version: 2 }),
  }),
  chart: fc.record(
    {
      experiment: anyId,
      metrics: fc.subarray([...metricKeys], { maxLength: 4 }),
      agents: anyAgents,
      x: fc.oneof(
        fc.record({ kind: fc.constantFrom('iteration', 'tokens', 'wallTime', 'epoch') }),
        fc.record({ kind: fc.constant('metric'), metric: fc.constantFrom(...metricKeys) }),
      ),
      yScale: fc.constantFrom('linear', 'log', 'symlog'),
      smoothing: fc.double({ min: 0, max: 0.999 }),
      band: fc.constantFrom('minMax', 'std', 'stderr', 'bootstrap', 'seeds', 'all'),
      hasOutlierClip: fc.boolean(),
      pairedBaseline: fc.option(anyName),
      height: fc.integer({ min: 100, max: 1300 }),
    },
    { requiredKeys: [] },
  ),
  comparison: fc.record(
    {
      experiment: anyId,
      metric: fc.option(fc.constantFrom(...metricKeys)),
      agents: anyAgents,
      baseline: fc.option(anyName),
      statistics: fc.subarray([...comparisonStatistics]),
    },
    { requiredKeys: [] },
  ),
  microscope: fc.record({ iteration: fc.integer({ min: -1, max: 9 }), seed: fc.nat() }),
  rollouts: fc.record(
    {
      outcome: fc.constantFrom('any', 'solved', 'failed'),
      agent: fc.option(anyName),
      seed: fc.option(fc.nat(3)),
      iteration: fc.oneof(fc.constantFrom('latest', 'any'), fc.nat(100)),
    },
    { requiredKeys: [] },
  ),
  claim: fc.record(
    {
      experiment: anyId,
      statement: fc.record(
        {
          kind: fc.constant('compare'),
          left: fc.record({
            kind: fc.constant('quantity'),
            arm: anyName,
            agent: fc.constantFrom('router', 'search'),
            metric: fc.constantFrom('gradNorm', 'entropy'),
            statistic: fc.constantFrom('last', 'iqm', 'peak', 'mean'),
          }),
          relation: fc.constantFrom('less', 'atMost', 'greater'),
          right: fc.record({ kind: fc.constant('constant'), value: fc.double({ noNaN: true }) }),
          inAtLeast: fc.integer({ min: 0, max: 65 }),
        },
        { requiredKeys: ['kind', 'left', 'relation', 'right'] },
      ),
    },
    { requiredKeys: ['statement'] },
  ),
};

/** One edit, whether it is possible or not; `at` picks a cell by its place, also one that is not there. */
type AnyEdit = (notebook: Notebook) => {
  readonly result: Edited;
  readonly field: EditedField | null;
};

const plain = (result: Edited): ReturnType<AnyEdit> => ({ result, field: null });
const idAt = ({ cells }: Notebook, at: number): string => cells[at]?.id ?? 'nobody';

function changedAt(notebook: Notebook, at: number, changed: Record<string, object>): Edited {
  const cell = notebook.cells[at] ?? { id: 'nobody', kind: 'text', source: '' };
  // Types cannot hold what a hand-edited file or a script brings; the edit must.
  return changeCell(notebook, Object.assign({ ...cell }, changed[cell.kind]));
}

const anyEdit: fc.Arbitrary<AnyEdit> = fc
  .record({
    what: fc.constantFrom('add', 'move', 'duplicate', 'delete', 'change', 'retitle'),
    id: anyId,
    kind: fc.constantFrom(...cellKinds),
    at: fc.integer({ min: -1, max: 12 }),
    to: fc.integer({ min: -1, max: 12 }),
    changed: fc.record(changes),
  })
  .map(({ what, id, kind, at, to, changed }) => (notebook) => {
    switch (what) {
      case 'add':
        return plain(addCell(notebook, { id, kind, at }));
      case 'move':
        return plain(moveCell(notebook, idAt(notebook, at), to));
      case 'duplicate':
        return plain(duplicateCell(notebook, idAt(notebook, at), id));
      case 'delete':
        return plain(deleteCell(notebook, idAt(notebook, at)));
      case 'retitle':
        return plain(changeTitle(notebook, id));
      case 'change': {
        const field = { cell: idAt(notebook, at), field: 'all' };
        return { result: changedAt(notebook, at, changed), field };
      }
    }
  });

const anyEdits = fc.array(anyEdit, { maxLength: 25 });
const anyStart = fc.constantFrom(sample, emptyNotebook('Empty'));

function after(start: Notebook, edits: readonly AnyEdit[]): Notebook {
  return edits.reduce((notebook, edit) => {
    const { result } = edit(notebook);
    return result.ok ? result.notebook : notebook;
  }, start);
}

test('the edits drawn here do every kind of thing, and every kind of cell is changed', () => {
  const drawn = fc.sample(anyEdits, { numRuns: 200, seed: 1 });
  const ends = drawn.map((edits) => after(sample, edits));
  expect(ends.some(({ deletedExperiments }) => deletedExperiments.length > 0)).toBe(true);
  expect(ends.some(({ cells }) => cells.length > sample.cells.length)).toBe(true);
  const before = new Map(sample.cells.map((cell) => [cell.id, JSON.stringify(cell)]));
  const changedKinds = new Set(
    ends
      .flatMap(({ cells }) => cells)
      .filter((cell) => before.has(cell.id) && before.get(cell.id) !== JSON.stringify(cell))
      .map(({ kind }) => kind),
  );
  expect(cellKinds.filter((kind) => !changedKinds.has(kind))).toEqual([]);
});

test('any sequence of edits leaves a valid notebook, which is what comes back from its JSON', () => {
  fc.assert(
    fc.property(anyStart, anyEdits, (start, edits) => {
      const notebook = after(start, edits);
      expect(parseNotebook(JSON.parse(JSON.stringify(notebook)))).toEqual({ ok: true, notebook });
    }),
  );
});

test('no edit changes the notebook that it is given', () => {
  fc.assert(
    fc.property(anyEdits, anyEdit, (edits, edit) => {
      const notebook = after(sample, edits);
      const text = JSON.stringify(notebook);
      edit(notebook);
      expect(JSON.stringify(notebook)).toBe(text);
    }),
  );
});

test('a refused edit says why', () => {
  fc.assert(
    fc.property(anyEdits, anyEdit, (edits, edit) => {
      const { result } = edit(after(sample, edits));
      expect(result.ok || result.issues.length > 0).toBe(true);
    }),
  );
});

test('undo gives the notebook before the step, redo the one after it', () => {
  fc.assert(
    fc.property(anyStart, anyEdits, (start, edits) => {
      let history = createHistory(start);
      /** The document before each step, as whoever watched would have noted it. */
      const before: Notebook[] = [];
      let open: string | null = null;
      for (const edit of edits) {
        const { result, field } = edit(history.present);
        if (!result.ok || result.notebook === history.present) continue;
        if (field === null || field.cell !== open) before.push(history.present);
        open = field?.cell ?? null;
        history = recordEdit(history, result.notebook, field);
      }
      const end = history.present;
      for (const expected of before.toReversed()) {
        history = undo(history);
        expect(history.present).toBe(expected);
      }
      expect(history.present).toBe(start);
      for (const _ of before) history = redo(history);
      expect(history.present).toBe(end);
    }),
  );
});

const hostileKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'version',
  'title',
  'cells',
  'deletedExperiments',
  'id',
  'kind',
  'spec',
  'experiment',
  'x',
  'polluted',
);
const hostileValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('text', 'experiment', 'chart', 'claim', '__proto__', 1, 1e308, -0, null),
    fc.string(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  // Entries, not a record: written as JSON text, so that `__proto__` becomes an own key as a file would bring it.
  object: fc.array(fc.tuple(hostileKey, tie('value')), { maxLength: 5 }).map((entries) => ({
    toJSON: () => Object.fromEntries(entries.map(([key, value]) => [key, value])),
  })),
}));

test('hostile JSON never throws, is never half loaded, and leaves every object clean', () => {
  const inherited = Object.getOwnPropertyNames(Object.prototype);
  fc.assert(
    fc.property(hostileValue.value, fc.array(fc.nat(8), { maxLength: 3 }), (value, places) => {
      const text = JSON.stringify(value);
      const data: unknown = JSON.parse(text);
      const cells: unknown[] = structuredClone([...sample.cells]);
      for (const place of places) cells[place] = data;
      for (const came of [data, { ...sample, cells }, { ...sample, cells: data }]) {
        const parsed = parseNotebook(came);
        expect(parsed.ok || parsed.issues.length > 0).toBe(true);
        expect(Object.keys(parsed)).toEqual(parsed.ok ? ['ok', 'notebook'] : ['ok', 'issues']);
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
