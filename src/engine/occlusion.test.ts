import { expect, test } from 'vitest';
import type { ScoreTurns } from '../protocol/policyApi';
import { planExperiment } from './cohorts';
import { occlusionsOf, occlusionWeights } from './occlusion';
import { madeUpTurn } from './testing/madeUpTurns';
import { tinySpec } from './testing/runInProcess';
import { scriptedPolicy } from './testing/scriptedPolicy';

const read = (agent: number, ...promptTokens: number[]) =>
  madeUpTurn(agent, { promptTokens: Int32Array.from(promptTokens) });

/** The task's token, two of turn 0, one of turn 1. */
const turn = madeUpTurn(1, {
  promptTokens: Int32Array.of(9, 1, 2, 3),
  origins: Int32Array.of(-1, 0, 0, 1),
});

test('a message is replaced as a whole, by other messages that stood in its places, each once and the first four', () => {
  const others = [
    read(1, 9, 1, 2, 4),
    read(1, 9, 5, 2, 3),
    // Another agent, and another kind of prompt.
    read(0, 9, 8, 8, 8),
    read(1, 9, 8, 8),
    read(1, 9, 5, 2, 5),
    read(1, 9, 1, 7, 6),
    read(1, 9, 6, 6, 7),
    read(1, 9, 6, 7, 8),
    read(1, 9, 7, 7, 9),
  ];
  const occlusions = occlusionsOf({ turn, others });
  expect(occlusions.map(({ places }) => places)).toEqual([[0], [1, 2], [3]]);
  const prompts = occlusions.map((own) => own.prompts.map((prompt) => Array.from(prompt)));
  expect(prompts).toEqual([
    // The task's token never changes.
    [],
    [
      [9, 5, 2, 3],
      [9, 1, 7, 3],
      [9, 6, 6, 3],
      [9, 6, 7, 3],
    ],
    [
      [9, 1, 2, 4],
      [9, 1, 2, 5],
      [9, 1, 2, 6],
      [9, 1, 2, 7],
    ],
  ]);
  expect([...turn.promptTokens]).toEqual([9, 1, 2, 3]);
});

test('the weight of a message is the mean change of the action’s log-probability, spread over its tokens', async () => {
  const plan = planExperiment(tinySpec({ arms: [{ name: 'only', overrides: {} }] }));
  const asked: ScoreTurns[] = [];
  const policy = {
    ...scriptedPolicy(() => 0),
    // −(first + 10 · last token of the prompt) for the first of two action tokens, and half as much for the second.
    score: (turns: ScoreTurns, under: string) => {
      asked.push(turns);
      expect(under).toBe('current');
      return Promise.resolve(
        Float32Array.from({ length: turns.actionTokens.length }, (_, cell) => {
          const row = Math.floor(cell / turns.actionWidth);
          const start = row * turns.promptWidth;
          const [first, last] = [turns.promptTokens[start]!, turns.promptTokens[start + 2]!];
          return -(first + 10 * last) / (1 + (cell % turns.actionWidth));
        }),
      );
    },
  };
  const written = madeUpTurn(1, {
    promptTokens: Int32Array.of(4, 1, 2),
    origins: Int32Array.of(-1, 0, 0),
    actionTokens: Int32Array.of(1, 2),
  });
  const others = [read(1, 4, 1, 3), read(1, 6, 7, 6)];
  const silent = madeUpTurn(0);
  const doors = { plan, policies: plan.cohorts.map(() => policy) };
  const weights = await occlusionWeights(doors, [
    { replica: 0, turn: written, others },
    { replica: 0, turn: silent, others },
  ]);
  // Messages (1, 3) and (7, 6) in place of (1, 2): 10 and 40 more of the first token and half of it of the second, 15 and 60 in all,
  // 37.5 in the mean, over two tokens. The task's 6 in place of 4: 2 and 1. Nobody else has asked agent 0 anything.
  expect([...weights[0]!]).toEqual([3, 18.75, 18.75]);
  expect([...weights[1]!]).toEqual([0, 0, 0]);
  // Each policy once: four prompts of agent 1, one of agent 0.
  expect(asked.map(({ replicas }) => replicas.length).toSorted((a, b) => a - b)).toEqual([1, 4]);
  expect(await occlusionWeights(doors, [])).toEqual([]);
});
