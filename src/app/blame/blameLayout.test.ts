import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { noDiagnostics } from '../../config/defaults';
import type { EpisodeBlame } from '../../protocol/trainerApi';
import { madeUpTranscript, madeUpTurn } from '../rollouts/testing/madeUpTranscript';
import { BlameGraph } from './BlameGraph';
import { blameLayout, blameLinks, meanBlame } from './blameLayout';
import { meanText, missingText, promptTokenText, readText } from './blameText';

/** The plan is read by two, whose reports the answer reads; the second report has no influence. */
const blame: EpisodeBlame = {
  method: 'gradNorm',
  turns: [
    { share: 0.25, origins: [-1], influence: [1], handedOn: [0] },
    { share: 0.5, origins: [0, 0], influence: [0.5, 0.5], handedOn: [0.125, 0.125] },
    { share: 0, origins: [0], influence: [1], handedOn: [0] },
    { share: 0.25, origins: [2, -1, 1], influence: [0, 0.25, 0.75], handedOn: [0, 0, 0.75] },
  ],
};
const turns = ['planner', 'executor', 'executor', 'planner'].map((agent, turnIndex) =>
  madeUpTurn({ agent, turnIndex, promptTokens: blame.turns[turnIndex]!.origins.map(() => 'X') }),
);
const episode = madeUpTranscript({ turns, blame });
const agents = ['planner', 'executor'];

test('links are what one turn read of another, by reader and writer, summed over tokens', () => {
  expect(blameLinks(blame)).toEqual([
    { from: 0, to: 1, influence: 1, handedOn: 0.25 },
    { from: 0, to: 2, influence: 1, handedOn: 0 },
    { from: 1, to: 3, influence: 0.75, handedOn: 0.75 },
    { from: 2, to: 3, influence: 0, handedOn: 0 },
  ]);
});

test('lines are as thick as the influence, those without are not drawn, and all stay in the frame', () => {
  const { arcs, xs, width, height, y } = blameLayout(blame);
  expect(arcs.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [0, 2],
    [1, 3],
  ]);
  expect(arcs[2]!.strokeWidth / arcs[0]!.strokeWidth).toBeCloseTo(0.75, 12);
  expect(xs).toHaveLength(4);
  expect(Math.max(...xs)).toBeLessThan(width);
  expect(y).toBeLessThan(height);
  for (const { path } of arcs)
    for (const number of path.match(/-?[\d.]+/g) ?? []) expect(Number(number)).toBeLessThan(width);
});

test('a single turn has a place and no lines', () => {
  const alone = { ...blame, turns: blame.turns.slice(0, 1) };
  expect(blameLayout(alone).arcs).toEqual([]);
  expect(blameLayout(alone).width).toBeGreaterThan(0);
});

test('the mean is over the blamed episodes alone, summed over each agent’s turns', () => {
  const other = madeUpTranscript({
    turns: turns.slice(0, 1),
    blame: { ...blame, turns: [{ ...blame.turns[0]!, share: 1 }] },
  });
  const mean = meanBlame([episode, madeUpTranscript(), other], agents);
  // planner: (½ + 1)/2, executor: ½/2.
  expect(mean).toEqual({
    numEpisodes: 2,
    shares: [
      { agent: 'planner', share: 0.75 },
      { agent: 'executor', share: 0.25 },
    ],
  });
  expect(meanText(mean, episode)).toBe(
    'Mean over 2 blamed episodes of iteration 1, global: planner 75.0 %, executor 25.0 %',
  );
  expect(meanBlame([madeUpTranscript()], agents)).toEqual({ numEpisodes: 0, shares: [] });
});

test('what was read is told with its writer, and that of the task as the task’s', () => {
  const own = blameLinks(blame).filter(({ to }) => to === 3);
  expect(readText(episode, own)).toBe('turn 2 (executor) 75.0 %, turn 3 (executor) 0.0 %');
  expect(readText(episode, [])).toBe('no message');
  expect(promptTokenText(episode, -1, 0.25)).toContain('of the task, 25.0 %');
  expect(promptTokenText(episode, 1, 0.75)).toContain('from turn 2 (executor), 75.0 %');
});

test('a failed episode without blame says how to get it, or why it has none; a solved one says nothing', () => {
  const on = { ...noDiagnostics, blame: 'gradNorm' } as const;
  expect(missingText({ isSolved: false }, noDiagnostics)).toContain('switch on Blame');
  expect(missingText({ isSolved: false }, on)).toContain('not measured here');
  expect(missingText({ isSolved: true }, noDiagnostics)).toBeNull();
});

test('the drawing has every number in a table, too', () => {
  const html = renderToStaticMarkup(createElement(BlameGraph, { episode, blame, agents }));
  const [drawing, table] = html.split('<table>');
  expect(drawing).toContain('<svg');
  expect(drawing).toContain('aria-hidden="true"');
  for (const text of ['50.0 %', 'turn 2 (executor) 75.0 %', 'no message'])
    expect(table).toContain(text);
  expect(table!.match(/<tr>/g)).toHaveLength(5);
});
