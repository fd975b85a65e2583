import { expect, test } from 'vitest';
import { presets } from '../../config/presets';
import type { MetricKey, MetricRow } from '../../metrics/catalog';
import { appendRows, createRunSeries, type RunSeries } from '../../metrics/runSeries';
import { messagesPerEpisode, teamNumbers, type NumbersScope } from './teamNumbers';
import { agentText, formatPerEpisode, numbersText, policyNote, teamDescription } from './teamText';
import { teamLayout } from './teamLayout';
import { walkFrom } from './teamWalk';
import { worldTeam } from './testing/teams';

const { groups } = presets['route-search-answer'].spec;
// 2 × 4 = 8 episodes an iteration.
const eight = { ...groups, tasksPerIteration: 2, groupSize: 4 };
const scope: NumbersScope = {
  arm: 'global',
  seeds: [0, 1],
  agents: ['router', 'search', 'answer'],
  groups: eight,
};

function row(
  [iteration, seed, agent]: readonly [number, number, string],
  values: Partial<Record<MetricKey, number>>,
): MetricRow {
  return { iteration, arm: 'global', seed, agent, values };
}

function seriesOf(...rows: readonly MetricRow[]): RunSeries {
  return appendRows(createRunSeries(), rows);
}

const team = worldTeam(presets['route-search-answer'].spec);
const [lookUp, result, reply] = team.edges;

test('nothing is known before anything was logged', () => {
  const numbers = teamNumbers(createRunSeries(), scope);
  expect(numbers.get('router')).toEqual({
    gradNorm: null,
    numSpikes: null,
    turnsPerEpisode: null,
  });
  expect(messagesPerEpisode(lookUp!, numbers)).toBeNull();
});

test('norm and turns are medians over seeds in the last iteration', () => {
  const numbers = teamNumbers(
    seriesOf(
      row([1, 0, 'router'], { gradNorm: 100, numTurns: 8 }),
      row([1, 1, 'router'], { gradNorm: 100, numTurns: 8 }),
      row([2, 0, 'router'], { gradNorm: 1, numTurns: 12 }),
      row([2, 1, 'router'], { gradNorm: 3, numTurns: 16 }),
    ),
    scope,
  );
  // Medians: (1 + 3)/2 = 2 and (12 + 16)/2 = 14 turns in 8 episodes.
  expect(numbers.get('router')).toEqual({ gradNorm: 2, numSpikes: 0, turnsPerEpisode: 1.75 });
});

test('a seed that is an iteration behind is left out until it has caught up', () => {
  const numbers = teamNumbers(
    seriesOf(
      row([1, 0, 'router'], { gradNorm: 5, numTurns: 8 }),
      row([1, 1, 'router'], { gradNorm: 5, numTurns: 8 }),
      row([2, 0, 'router'], { gradNorm: 1, numTurns: 16 }),
    ),
    scope,
  );
  expect(numbers.get('router')).toMatchObject({ gradNorm: 1, turnsPerEpisode: 2 });
});

test('spikes of all seeds are counted, and a norm that is not finite is one', () => {
  const calm = [1, 2, 3, 4, 5].map((iteration) =>
    row([iteration, 0, 'search'], { gradNorm: 1, numTurns: 8 }),
  );
  const numbers = teamNumbers(
    seriesOf(
      ...calm,
      // More than 3 × the median of the five before it.
      row([6, 0, 'search'], { gradNorm: 4, numTurns: 8 }),
      row([6, 1, 'search'], { gradNorm: NaN, numTurns: 8 }),
    ),
    scope,
  );
  expect(numbers.get('search')).toMatchObject({ numSpikes: 2, gradNorm: 4 });
});

test('an agent that took no turn in the last iteration has 0 turns and no norm', () => {
  const before = row([1, 0, 'answer'], { numTurns: 4, gradNorm: 1 });
  const numbers = teamNumbers(seriesOf(before, row([2, 0, 'answer'], { numTurns: 0 })), scope);
  expect(numbers.get('answer')).toEqual({ gradNorm: null, numSpikes: 0, turnsPerEpisode: 0 });
  expect(messagesPerEpisode(reply!, numbers)).toBe(0);
});

test('messages follow from the turns of the agent they lead to, less the turn that begins', () => {
  const numbers = teamNumbers(
    seriesOf(
      row([1, 0, 'router'], { numTurns: 14 }),
      row([1, 0, 'search'], { numTurns: 6 }),
      row([1, 0, 'answer'], { numTurns: 7 }),
    ),
    scope,
  );
  // 8 of the router's 14 turns begin an episode; the other 6 answer the 6 searches.
  expect(messagesPerEpisode(lookUp!, numbers)).toBe(6 / 8);
  expect(messagesPerEpisode(result!, numbers)).toBe(6 / 8);
  expect(messagesPerEpisode(reply!, numbers)).toBe(7 / 8);
});

test('trees do not say how many episodes an iteration has: no turns or messages per episode', () => {
  const tree = { ...eight, sampling: 'tree', teamRewardWeight: 0.5 } as const;
  const series = seriesOf(row([1, 0, 'search'], { numTurns: 6, gradNorm: 1 }));
  const numbers = teamNumbers(series, { ...scope, groups: tree });
  expect(numbers.get('search')).toMatchObject({ gradNorm: 1, turnsPerEpisode: null });
  expect(messagesPerEpisode(lookUp!, numbers)).toBeNull();
});

test('rates keep their width', () => {
  expect([0, 0.8125, 9.994, 9.996, 42.06, 99.96].map(formatPerEpisode)).toEqual([
    '0.00',
    '0.81',
    '9.99',
    '10.0',
    '42.1',
    '100',
  ]);
});

test('words say who begins, who hands over to whom and who shares a policy', () => {
  const shared = worldTeam(presets['route-search-answer'].spec, { answer: { policy: 'search' } });
  expect(teamDescription(shared, new Map([['search', 12_345]]))).toBe(
    'router begins. router hands over to search (look up) and answer (reply). search hands over to router (result). ' +
      'search and answer share the policy search with 12.3k parameters. router has the policy router for itself.',
  );
  expect(agentText(shared, shared.agents[1]!)).toBe(
    'search hands over to router (result). Called by router. Its policy is search, shared with answer.',
  );
  expect(shared.agents.map((agent) => policyNote(agent, shared))).toEqual([
    'own policy',
    'shared policy',
    'shared policy',
  ]);
  const numbers = { gradNorm: 0.5, numSpikes: 1, turnsPerEpisode: null };
  expect(numbersText(numbers, 'global', 5)).toBe(
    'Arm global: gradient norm 0.500 in the last iteration, median over its 5 seeds; 1 spike in all seeds.',
  );
});

test('arrow keys lead along edges to the agent in their direction', () => {
  const layout = teamLayout(team, 440);
  const from = (agent: string, key: string): string | null => walkFrom(team, layout, agent, key);
  expect(from('router', 'ArrowRight')).toBe('search');
  expect(from('router', 'ArrowDown')).toBe('answer');
  expect(from('router', 'ArrowUp')).toBe('search');
  expect(from('router', 'ArrowLeft')).toBeNull();
  expect(from('answer', 'ArrowLeft')).toBe('router');
  // Search stands right above, but no edge leads there.
  expect(from('answer', 'ArrowUp')).toBe('router');
  expect(from('router', 'Home')).toBeNull();
});
