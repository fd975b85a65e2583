import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import { neighbours } from './teamModel';
import { worldTeam } from './testing/teams';

const routed = presets['route-search-answer'].spec;
const solved = presets['solve-verify'].spec;
const planned = presets['plan-execute'].spec;

test('agents come in the order of the experiment, edges as the world declares them', () => {
  const team = worldTeam(routed);
  expect(team.firstAgent).toBe('router');
  expect(team.agents.map(({ agent }) => agent)).toEqual(['router', 'search', 'answer']);
  expect(team.edges.map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'router > search',
    'search > router',
    'router > answer',
  ]);
  expect(team.groups).toEqual([]);
});

test('turns tell how often an edge was used only where they can have come over no other', () => {
  const counts = (spec: typeof routed): unknown =>
    worldTeam(spec).edges.map(({ count }) => count && [count.turnsOf, count.minusFirst]);
  // The router begins, so that one of its turns answers no search.
  expect(counts(routed)).toEqual([
    ['search', false],
    ['router', true],
    ['answer', false],
  ]);
  expect(counts(solved)).toEqual([
    ['verifier', false],
    ['solver', true],
  ]);
  // An executor is asked again by what it looked up, and the planner goes on alone where it asks for nothing.
  expect(counts(planned)).toEqual([null, null]);
});

test('agents with one policy form one group, frozen where the policy is', () => {
  const { policies } = routed;
  const frozen = { ...policies, router: { ...policies['router']!, isFrozen: true } };
  const team = worldTeam({ ...routed, policies: frozen }, { answer: { policy: 'router' } });
  expect(team.groups).toEqual([
    { policyId: 'router', isFrozen: true, agents: ['router', 'answer'] },
  ]);
  expect(team.agents.map(({ isFrozen }) => isFrozen)).toEqual([true, false, true]);
});

test('a planner that works alone calls nobody', () => {
  const { environment } = planned;
  if (environment.kind !== 'planExecute') throw new Error('The preset has another world.');
  const team = worldTeam({ ...planned, environment: { ...environment, singleAgent: true } });
  expect(team.edges).toEqual([]);
  expect(team.continuing).toEqual(['planner']);
});

test('neighbours are joined by an edge in either direction, each once', () => {
  expect(neighbours(worldTeam(routed), 'router')).toEqual(['search', 'answer']);
  expect(neighbours(worldTeam(routed), 'answer')).toEqual(['router']);
});
