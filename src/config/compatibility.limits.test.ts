import { expect, test } from 'vitest';
import { createWorkflow } from '../envs/registry';
import { turnLimitOf } from './compatibility';
import { defaultEnvironments } from './defaults';
import type { EnvironmentSpec, ExperimentSpec } from './experimentSpec';
import { parseSpec } from './parseSpec';
import { presets } from './presets';

const { spec } = presets['solve-verify'];

function arm(overrides: ExperimentSpec['arms'][number]['overrides']): ExperimentSpec['arms'] {
  return [{ name: 'late', overrides }];
}

function stalePaths(staleIterations: number, arms: ExperimentSpec['arms']): string[] {
  const groups = { ...spec.groups, staleIterations };
  const parsed = parseSpec({ ...spec, iterations: 5, groups, arms });
  return parsed.ok ? [] : parsed.issues.map(({ path }) => path);
}

test('rollouts come back before the run ends, in the base and in every arm', () => {
  const path = 'groups.staleIterations';
  expect(stalePaths(4, arm({}))).toEqual([]);
  expect(stalePaths(5, arm({}))).toEqual([path]);
  expect(stalePaths(0, arm({ [path]: 4 }))).toEqual([]);
  expect(stalePaths(0, arm({ [path]: 5 }))).toEqual([`arms.0.overrides.${path}`]);
});

test('an arm that contradicts the base is refused at the setting it overrides', () => {
  const arms = [{ name: 'branching', overrides: { 'groups.sampling': 'tree' } }];
  const parsed = parseSpec({ ...spec, arms });
  expect(parsed.ok ? [] : parsed.issues.map(({ path }) => path)).toEqual([
    'arms.0.overrides.groups.sampling',
  ]);
});

/** Every turn limit that the form allows. */
function* anyWorld(): Generator<EnvironmentSpec> {
  const { routeSearchAnswer, solveVerify, planExecute } = defaultEnvironments;
  for (let maxTurns = 2; maxTurns <= 8; maxTurns++) yield { ...routeSearchAnswer, maxTurns };
  for (const isOn of [false, true]) {
    for (let maxRounds = 1; maxRounds <= 4; maxRounds++)
      yield { ...solveVerify, maxRounds, actOnce: isOn };
    for (let maxSubtasks = 1; maxSubtasks <= 3; maxSubtasks++)
      for (let toolTurns = 2; toolTurns <= 8; toolTurns++)
        yield { ...planExecute, maxSubtasks, toolTurns, singleAgent: isOn };
  }
}

test('the turn limit is that of the world', () => {
  for (const world of anyWorld())
    expect(turnLimitOf(world)).toBe(createWorkflow(world).spec.maxTurns);
});
