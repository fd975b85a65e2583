import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldIn, keyFromSeed } from '../rl/rng';
import { createWorkflow } from './registry';
import { scenarios, type Scenario } from './scenarios';
import { describeTokens } from './transcript';
import type { Call, Workflow } from './workflow';

/*
 * Scripted episodes as readable files, so that a change of a rule is a readable diff. After an intended change:
 * `npx vitest run src/envs -u`, then read the diff.
 */

function firstTask(world: Workflow, opening: string): { task: number; state: unknown } {
  for (let task = 0; task < 10_000; task++) {
    const state = world.reset(foldIn(keyFromSeed(1), task));
    const [call] = world.pending(state);
    if (call && describeTokens(world.spec, call.promptTokens).includes(opening))
      return { task, state };
  }
  throw new Error(`No task opens with ${opening}.`);
}

function idOf(world: Workflow, name: string): number {
  const id = world.spec.vocabulary.indexOf(name);
  if (id < 0) throw new Error(`${name} is no token of this world.`);
  return id;
}

function invocationOf({ invocation }: Call): string {
  return invocation === undefined ? '' : `, invocation ${invocation}`;
}

/** A line for each trajectory, where the world pays them apart. */
function paid(world: Workflow, state: unknown): string[] {
  const { spec } = world;
  const rewards = world.rewards?.(state);
  if (!rewards) return [];
  const { main, invocations } = rewards;
  return [
    `main reward ${main}`,
    ...invocations.map(
      ({ agent, invocation, reward }) =>
        `${spec.agents[agent]}, invocation ${invocation}: reward ${reward}`,
    ),
  ];
}

function playthrough({ title, options, opening, script }: Scenario): string {
  const world = createWorkflow(options);
  const { spec } = world;
  const first = firstTask(world, opening);
  let { state } = first;
  const lines = [title, JSON.stringify(options), `task ${first.task} of seed 1`, ''];
  for (const entry of script) {
    const [call] = world.pending(state);
    if (!call) throw new Error(`The episode ended before ${entry}.`);
    const actionTokens =
      entry === 'expert'
        ? world.demonstrate(state, call)
        : Int32Array.from(entry.split(' '), (name) => idOf(world, name));
    const step = world.apply(state, call, actionTokens);
    lines.push(
      `turn ${call.turnIndex}, ${spec.agents[call.agent]}${invocationOf(call)}`,
      `  reads   ${describeTokens(spec, call.promptTokens)}`,
      `  writes  ${describeTokens(spec, actionTokens)}${step.isValid ? '' : `   invalid, penalty ${step.penalty}`}`,
    );
    state = step.state;
  }
  return [...lines, '', `team reward ${world.teamReward(state)}`, ...paid(world, state), ''].join(
    '\n',
  );
}

test.each(scenarios.map((scenario) => [scenario.options.kind, scenario.name, scenario] as const))(
  '%s/%s plays out as its transcript says',
  async (kind, name, scenario) => {
    await expect(playthrough(scenario)).toMatchFileSnapshot(`./${kind}/transcripts/${name}.txt`);
  },
);

test.each(['routeSearchAnswer', 'solveVerify', 'planExecute'])(
  '%s: no transcript has lost its scenario',
  (kind) => {
    const named = scenarios.filter(({ options }) => options.kind === kind);
    const files = new Set(named.map(({ name }) => `${name}.txt`));
    const stored = readdirSync(join(import.meta.dirname, kind, 'transcripts'));
    expect(stored.filter((file) => !files.has(file))).toEqual([]);
  },
);
