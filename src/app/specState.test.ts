import fc from 'fast-check';
import { expect, test } from 'vitest';
import { presets } from '../config/presets';
import { recipeOf, recipes } from '../config/recipes';
import { applySpecEvent, draftDifferences, specStateOf, type SpecEvent } from './specState';

const opening = specStateOf('route-search-answer');
const preset = presets['route-search-answer'].spec;

function play(...events: SpecEvent[]) {
  return events.reduce(applySpecEvent, opening);
}

test('a preset opens valid and differs from itself in nothing', () => {
  for (const id of ['route-search-answer', 'solve-verify-null'] as const) {
    const state = specStateOf(id);
    expect(state.parsed).toEqual({ ok: true, spec: presets[id].spec });
    expect(draftDifferences(state.draft, presets[id].spec)).toEqual([]);
  }
});

test('an edit is one difference, and undoing it leaves none', () => {
  const edited = play({ kind: 'valueSet', path: 'groups.groupSize', value: 8 });
  expect(draftDifferences(edited.draft, preset)).toEqual([
    { path: 'groups.groupSize', from: preset.groups.groupSize, to: 8 },
  ]);
  const undone = applySpecEvent(edited, {
    kind: 'valueSet',
    path: 'groups.groupSize',
    value: preset.groups.groupSize,
  });
  expect(draftDifferences(undone.draft, preset)).toEqual([]);
});

test('an empty number control names its path and is a difference even where null is allowed', () => {
  const path = 'policies.router.optimizer.maxGradNorm';
  const state = play({ kind: 'valueSet', path, value: NaN });
  expect(state.parsed.ok ? [] : state.parsed.issues.map((issue) => issue.path)).toEqual([path]);
  expect(draftDifferences(state.draft, preset).map((difference) => difference.path)).toEqual([
    path,
  ]);
});

test('a recipe sets all of its settings at once, whatever kinds the form had, and over an invalid form', () => {
  const sampo = recipes.method.find(({ id }) => id === 'sampo');
  if (!sampo) throw new Error('No SAMPO.');
  const chosen = play(
    { kind: 'valueSet', path: 'groups.groupSize', value: NaN },
    { kind: 'recipeChosen', overrides: sampo.overrides },
  );
  expect(recipeOf(chosen.draft, 'method')?.id).toBe('sampo');
  expect(chosen.parsed.ok ? [] : chosen.parsed.issues.map(({ path }) => path)).toEqual([
    'groups.groupSize',
  ]);
  const [global] = preset.arms;
  const alone = applySpecEvent(chosen, { kind: 'valueSet', path: 'groups.groupSize', value: 8 });
  const arms = preset.arms
    .slice(1)
    .map(({ name }) => ({ kind: 'armSwitched', name, isOn: false }) as const);
  const runnable = arms.reduce(applySpecEvent, alone);
  expect(runnable.parsed.ok && runnable.parsed.spec.arms).toEqual([global]);
});

test('an arm that is switched off leaves the specification and can come back where it was', () => {
  const [first] = preset.arms;
  const name = first?.name ?? '';
  const off = play({ kind: 'armSwitched', name, isOn: false });
  expect(off.parsed.ok && off.parsed.spec.arms).toEqual(preset.arms.slice(1));
  const on = applySpecEvent(off, { kind: 'armSwitched', name, isOn: true });
  expect(on.parsed.ok && on.parsed.spec.arms).toEqual(preset.arms);
});

test('without any arm there is nothing to run', () => {
  const state = play(
    ...preset.arms.map(({ name }) => ({ kind: 'armSwitched', name, isOn: false }) as const),
  );
  expect(state.parsed.ok ? [] : state.parsed.issues.map(({ path }) => path)).toEqual(['arms']);
});

test('an added arm runs, and removing it leaves the preset', () => {
  const arm = { name: 'bigGroups', overrides: { 'groups.groupSize': 64 } };
  const added = play({ kind: 'armAdded', arm });
  expect(added.parsed.ok && added.parsed.spec.arms).toEqual([...preset.arms, arm]);
  const removed = applySpecEvent(added, { kind: 'armRemoved', name: 'bigGroups' });
  expect(draftDifferences(removed.draft, preset)).toEqual([]);
});

test('two equal seeds are refused with the place of the second', () => {
  const state = play({ kind: 'seedsSet', seeds: [3, 3] });
  expect(state.parsed.ok ? [] : state.parsed.issues.map(({ path }) => path)).toEqual(['seeds.1']);
});

test('what is opened is compared with the nearest preset and keeps that preset’s other arms on offer', () => {
  const nullControl = presets['solve-verify-null'].spec;
  const spec = { ...nullControl, iterations: 12, arms: nullControl.arms.slice(0, 1) };
  const state = play({ kind: 'opened', spec, origin: { kind: 'link' } });
  expect(state.presetId).toBe('solve-verify-null');
  expect(state.arms.map(({ arm, isOn }) => [arm.name, isOn])).toEqual(
    nullControl.arms.map(({ name }, index) => [name, index === 0]),
  );
});

test('a refusal loads nothing, and closing it leaves no trace', () => {
  const refusal = { source: 'The link', issues: [{ path: 'seeds', message: 'missing' }] };
  const refused = play({ kind: 'refused', refusal });
  expect(refused).toEqual({ ...opening, refusal });
  expect(applySpecEvent(refused, { kind: 'refusalClosed' })).toEqual(opening);
});

test('changing the world brings its agents, and the form stays runnable', () => {
  const state = play({ kind: 'valueSet', path: 'environment.kind', value: 'solveVerify' });
  expect(state.parsed.ok && Object.keys(state.parsed.spec.agents)).toEqual(['solver', 'verifier']);
});

test('any number typed into any place leaves a form that is either runnable or says where it is not', () => {
  const path = fc.constantFrom(
    'iterations',
    'loss.clipLow',
    'groups.groupSize',
    'evaluation.every',
  );
  fc.assert(
    fc.property(path, fc.double(), (edited, value) => {
      const { parsed } = play({ kind: 'valueSet', path: edited, value });
      // An evaluation interval longer than the run is reported where the interval stands.
      const places = parsed.ok ? [] : parsed.issues.map((issue) => issue.path);
      expect(parsed.ok || places.includes(edited) || places.includes('evaluation.every')).toBe(
        true,
      );
    }),
  );
});
