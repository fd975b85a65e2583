import { expect, test } from 'vitest';
import { withValue } from '../config/formFields';
import type { SpecIssue } from '../config/specIssue';
import { cellKinds, maxTextLength } from './cells';
import { cellOf, emptyNotebook } from './notebook';
import { parseNotebook } from './parseNotebook';
import { sampleNotebook } from './testing/sampleNotebook';

const sample = sampleNotebook();
const indexOf = (id: string): number => sample.cells.findIndex((cell) => cell.id === id);

function issuesOf(data: unknown): readonly SpecIssue[] {
  const parsed = parseNotebook(data);
  return parsed.ok ? [] : parsed.issues;
}

function sampleWith(path: string, value: unknown): unknown {
  return withValue(sample, path, value);
}

test('a notebook with every kind of cell comes back from its JSON', () => {
  expect(new Set(sample.cells.map(({ kind }) => kind))).toEqual(new Set(cellKinds));
  expect(parseNotebook(JSON.parse(JSON.stringify(sample)))).toEqual({ ok: true, notebook: sample });
});

test('a notebook that mentions no deleted experiments has none', () => {
  expect(parseNotebook({ version: 1, title: 'By hand', cells: [] })).toEqual({
    ok: true,
    notebook: emptyNotebook('By hand'),
  });
});

test('the result shares nothing with what came', () => {
  const data = structuredClone(sample);
  const parsed = parseNotebook(data);
  Reflect.set(data.cells[0]!, 'source', 'changed');
  expect(parsed).toEqual({ ok: true, notebook: sample });
});

test.each([
  [undefined, 'Nothing came, expected a group of settings (an object).'],
  [null, 'null came, expected a group of settings (an object).'],
  [[], 'A list of 0 came, expected a group of settings (an object).'],
  [new Map(), 'A special object came, expected plain data as in JSON.'],
])('a document that is %s is refused as a whole', (data, message) => {
  expect(issuesOf(data)).toEqual([{ path: '', message }]);
});

const chart = `cells.${indexOf('chart')}`;
const table = `cells.${indexOf('table')}`;
const lens = `cells.${indexOf('lens')}`;
const claim = `cells.${indexOf('claim')}`;

test.each([
  ['version', 2, '2 came, expected 1. Open it with the version of Marlbook that wrote it.'],
  ['title', 'x'.repeat(121), `"${'x'.repeat(40)}…" came, expected 120 or fewer characters.`],
  ['cells', {}, 'A group of settings came, expected a list.'],
  ['cells.0', 7, '7 came, expected a cell (an object with an id and a kind).'],
  [
    'cells.0.source',
    'x'.repeat(maxTextLength + 1),
    `"${'x'.repeat(40)}…" came, expected 50000 or fewer characters.`,
  ],
  ['cells.0.id', 'a.b', '"a.b" came, expected 1 to 32 letters and digits.'],
  ['cells.0.id', 'toString', '"toString" came: a name JavaScript keeps for itself.'],
  [`${chart}.metrics.0`, 'sucess', '"sucess" came: no metric, the nearest is success.'],
  [`${chart}.metrics.0`, 'toString', expect.stringContaining('no metric')],
  [`${chart}.metrics.0`, null, 'null came: not the name of a metric.'],
  [`${chart}.metrics`, [], 'A list of 0 came, expected 1 or more entries.'],
  [`${chart}.metrics`, ['success', 'success'], 'A list of 2 came: every entry may come once.'],
  [`${chart}.smoothing`, 1, '1 came, expected 0.999 or less.'],
  [`${chart}.smoothing`, NaN, 'NaN came, expected a finite number.'],
  [`${chart}.height`, 300.5, '300.5 came, expected a whole number.'],
  [`${chart}.yScale`, 'sqrt', '"sqrt" came, expected linear or log or symlog.'],
  [
    `${chart}.x.kind`,
    'epoch',
    '"epoch" came, expected one of iteration, environmentSteps, tokens, wallTime, metric.',
  ],
  [`${chart}.agents`, 'none', '"none" came, expected all, or a list of different agents.'],
  [`${chart}.hasOutlierClip`, 1, '1 came, expected true or false.'],
  [`${table}.statistics.0`, 'mean', expect.stringContaining('expected last or best or peak')],
  [`${lens}.seed`, -1, '-1 came, expected 0 or more.'],
  [`${lens}.taskGroup`, 1024, '1024 came, expected 1023 or less.'],
  [`${claim}.statement.kind`, 'eval', '"eval" came, expected compare.'],
  [`${claim}.statement.right.kind`, 'code', '"code" came, expected one of quantity, constant.'],
  [
    `${claim}.statement.left.agent`,
    'router',
    '"router" came: success is measured once for the team: write team in place of router.',
  ],
])('%s = %j is refused in words', (path, value, message) => {
  expect(issuesOf(sampleWith(path, value))).toEqual([{ path, message }]);
});

test('an unknown kind of cell is refused with the nearest one', () => {
  expect(issuesOf(sampleWith('cells.0.kind', 'script'))).toEqual([
    {
      path: 'cells.0.kind',
      message: expect.stringContaining('"script" came, expected one of text, experiment, chart'),
    },
  ]);
});

test('a fault inside an experiment is told by its path in the notebook', () => {
  const path = `cells.${indexOf('e1')}.spec.groups.groupSize`;
  expect(issuesOf(sampleWith(path, -7))).toEqual([
    {
      path,
      message: '-7 came, expected a whole number from 1 to 1024 (rollouts). The nearest is 1.',
    },
  ]);
});

test('an experiment without a specification is refused, and so is what does not belong beside it', () => {
  const cell = { id: 'e', kind: 'experiment', color: 'red' };
  expect(issuesOf({ ...emptyNotebook(''), cells: [cell] })).toEqual([
    { path: 'cells.0.color', message: 'Not a setting here: remove it, or check its spelling.' },
    {
      path: 'cells.0.spec',
      message: 'Nothing came, expected a group of settings (an object).',
    },
  ]);
});

test('an experiment of an older age is read as it was meant', () => {
  const path = `cells.${indexOf('e1')}.spec`;
  const cell = cellOf(sample, 'e1');
  const { pulses, failureTags, ...older } = cell?.kind === 'experiment' ? cell.spec : raise();
  const { kind, ...estimator } = older.estimator;
  expect([pulses.kind, failureTags.kind, kind]).toEqual(['none', 'none', 'group']);
  expect(parseNotebook(sampleWith(path, { ...older, estimator }))).toEqual({
    ok: true,
    notebook: sample,
  });
});

function raise(): never {
  throw new Error('The sample has no experiment e1.');
}

test('every fault is named, not only the first', () => {
  const data = withValue(withValue(sample, 'cells.0.source', 5), `${chart}.height`, 1);
  expect(issuesOf({ ...data, color: 'red' }).map(({ path }) => path)).toEqual([
    'color',
    'cells.0.source',
    `${chart}.height`,
  ]);
});

test.each([
  ['"version":1', '"version":1,"__proto__":{"polluted":1}', '__proto__'],
  ['"id":"intro"', '"id":"intro","__proto__":{"polluted":1}', 'cells.0.__proto__'],
  ['"id":"intro"', '"id":"intro","constructor":1', 'cells.0.constructor'],
  ['"x":{', '"x":{"__proto__":{"polluted":1},', `${chart}.x.__proto__`],
])('a reserved key is refused: %s → %s', (find, replacement, path) => {
  const text = JSON.stringify(sample);
  expect(text).toContain(find);
  const issues = issuesOf(JSON.parse(text.replace(find, replacement)));
  expect(issues[0]?.path).toBe(path);
  expect(issues[0]?.message).toMatch(/is reserved: remove it/);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('201 cells are one too many', () => {
  const cells = Array.from({ length: 201 }, (_, i) => ({ id: `t${i}`, kind: 'text', source: '' }));
  expect(parseNotebook({ ...emptyNotebook(''), cells: cells.slice(1) }).ok).toBe(true);
  expect(issuesOf({ ...emptyNotebook(''), cells })).toEqual([
    { path: 'cells', message: 'A list of 201 came, expected 200 or fewer entries.' },
  ]);
});

test('an id that comes twice is refused where it comes again', () => {
  expect(issuesOf(sampleWith(`${chart}.id`, 'intro'))).toEqual([
    {
      path: `${chart}.id`,
      message: '"intro" came twice (also in cells.0): every one must be different.',
    },
  ]);
  const deletedExperiments = [{ id: 'e1', title: 'Gone' }];
  expect(issuesOf({ ...sample, deletedExperiments }).map(({ path }) => path)).toEqual([
    'deletedExperiments.0.id',
  ]);
});

test.each([
  ['nobody', 'no cell has that id: expected the id of an experiment cell, the nearest is e1'],
  ['intro', 'that is a text cell: expected the id of an experiment cell, the nearest is e1'],
  ['chart', 'that is a chart cell: expected the id of an experiment cell, the nearest is e1'],
])('a chart of %s is refused', (experiment, reason) => {
  expect(issuesOf(sampleWith(`${chart}.experiment`, experiment))).toEqual([
    { path: `${chart}.experiment`, message: `"${experiment}" came, but ${reason}.` },
  ]);
});

test('a chart may point to an experiment that is remembered as deleted', () => {
  const cells = sample.cells.filter(({ id }) => id !== 'e1');
  expect(issuesOf({ ...sample, cells }).length).toBe(5);
  const deletedExperiments = [{ id: 'e1', title: 'Gone' }];
  expect(parseNotebook({ ...sample, cells, deletedExperiments }).ok).toBe(true);
});

test('a text may cite what nobody has: that is shown in place', () => {
  expect(issuesOf(sampleWith('cells.0.source', '{{nobody.global.spikes}} and {{'))).toEqual([]);
});

test('a claim may leave open in how many seeds it must hold, but not say "undefined"', () => {
  expect(parseNotebook(sampleWith(`${claim}.statement.relation`, 'less')).ok).toBe(true);
  const statement = { ...JSON.parse(JSON.stringify(sample)).cells[indexOf('claim')].statement };
  expect(issuesOf(sampleWith(`${claim}.statement`, { ...statement, inAtLeast: 3 }))).toEqual([]);
  expect(
    issuesOf(sampleWith(`${claim}.statement`, { ...statement, inAtLeast: 0 })).map(
      ({ path }) => path,
    ),
  ).toEqual([`${claim}.statement.inAtLeast`]);
});
