import { describe, expect, test } from 'vitest';
import { defaultEstimators, noDiagnostics } from '../config/defaults';
import type { DiagnosticsSpec, ExperimentSpec } from '../config/experimentSpec';
import { presets } from '../config/presets';
import type { ScoreTurns } from '../protocol/policyApi';
import type { Transcript, TrainerEvent } from '../protocol/trainerApi';
import { keyFromSeed } from '../rl/rng';
import { scoreSteps } from './advantages';
import { planExperiment } from './cohorts';
import { measureBlame } from './episodeBlame';
import type { Trajectory } from './experience';
import { initialMemory } from './memory';
import { stepsOf } from './steps';
import { madeUpTrajectory, madeUpTurn } from './testing/madeUpTurns';
import { eventsOf, rowsOf, tinyPolicies, tinySpec } from './testing/runInProcess';
import { scriptedPolicy } from './testing/scriptedPolicy';

const [router, search, answer] = [0, 1, 2];
const arms = [{ name: 'only', overrides: {} }];
const blamed = (blame: DiagnosticsSpec['blame'], every = 1): DiagnosticsSpec => ({
  ...noDiagnostics,
  blame,
  every,
});

/** Influence of a token = its id − 1; of the id 100, none that is finite. */
const policy = {
  ...scriptedPolicy(() => 0),
  promptInfluence: ({ promptTokens }: ScoreTurns) =>
    Promise.resolve(Float32Array.from(promptTokens, (id) => (id === 100 ? NaN : id - 1))),
};

function measure(
  trajectories: readonly Trajectory[],
  diagnostics = blamed('gradNorm'),
  spec: Partial<ExperimentSpec> = {},
) {
  const plan = planExperiment(tinySpec({ arms, ...spec }));
  const replica = plan.replicas[0]!;
  const memory = initialMemory(replica);
  const inputs = { key: keyFromSeed(0), baselines: memory.baselines, critic: null };
  const scored = scoreSteps(stepsOf(replica, trajectories), replica.training, inputs);
  const batch = { replica, scored, oldLogprobs: [], tagScales: null, critic: null, memory };
  const policies = plan.cohorts.map(() => policy);
  return measureBlame({ plan, policies }, diagnostics, [batch], 6);
}

/** A prompt of [task, message] with these influences, written by a turn, after which an action of this probability was written. */
function reader(agent: number, [task, message]: [number, number], origin: number, chance: number) {
  return madeUpTurn(agent, {
    promptTokens: Int32Array.of(task + 1, message + 1),
    origins: Int32Array.of(-1, origin),
    actionTokens: Int32Array.of(3, 4),
    rolloutLogprobs: Float32Array.of(Math.log(chance) / 2, Math.log(chance) / 2),
  });
}

const failed = madeUpTrajectory([
  madeUpTurn(router, { rolloutLogprobs: Float32Array.of(-3) }),
  reader(search, [1, 3], 0, 0.25),
  reader(answer, [6, 2], 1, 0.8),
]);

test('blame flows from the last turn to whom it read, less what each would not have written again', async () => {
  const solved = { ...failed, teamReward: 1 };
  const blames = await measure([solved, failed]);
  expect([...blames.keys()]).toEqual([0]);
  expect([...blames.get(0)!.keys()]).toEqual([1]);
  const { method, turns } = blames.get(0)!.get(1)!;
  expect(method).toBe('gradNorm');
  // The answer keeps 1 − 0.8, the search 0.8 · (1 − 0.25), the router, which read no message, the rest.
  const shares = turns.map(({ share }) => share);
  for (const [place, share] of [0.2, 0.6, 0.2].entries())
    expect(shares[place]).toBeCloseTo(share, 6);
  expect(turns.map(({ origins }) => origins)).toEqual([
    [-1, -1, -1],
    [-1, 0],
    [-1, 1],
  ]);
  expect(turns.map(({ influence }) => influence)).toEqual([
    [0, 1 / 3, 2 / 3],
    [1 / 4, 3 / 4],
    [3 / 4, 1 / 4],
  ]);
  expect(turns[2]!.handedOn[0]).toBe(0);
  expect(turns[2]!.handedOn[1]).toBeCloseTo(0.8, 6);
});

test('an episode with an influence that is not finite is not told, and the others are', async () => {
  const broken = madeUpTrajectory([
    madeUpTurn(router),
    madeUpTurn(answer, { promptTokens: Int32Array.of(1, 100, 2) }),
  ]);
  const blames = await measure([broken, failed]);
  expect([...blames.get(0)!.keys()]).toEqual([1]);
});

test('origins are places among the turns, in whatever order parallel turns were taken', async () => {
  const { turns } = failed;
  // Two parallel searches of which the later one was answered first.
  const parallel = {
    ...failed,
    turns: [
      turns[0]!,
      { ...turns[1]!, turnIndex: 2 },
      { ...turns[1]!, turnIndex: 1 },
      { ...reader(answer, [6, 2], 2, 0.8), turnIndex: 3 },
    ],
  };
  const told = (await measure([parallel])).get(0)!.get(0)!;
  expect(told.turns.map(({ origins }) => origins)).toEqual([
    [-1, -1, -1],
    [-1, 0],
    [-1, 0],
    [-1, 1],
  ]);
  expect(told.turns[2]!.share).toBe(0);
});

test('nothing is measured where it is off, between measured iterations, in trees, and without a failure', async () => {
  expect((await measure([failed], blamed('off'))).size).toBe(0);
  expect((await measure([failed], blamed('gradNorm', 4))).size).toBe(0);
  expect((await measure([failed], blamed('gradNorm', 3))).size).toBe(1);
  expect((await measure([{ ...failed, teamReward: 1 }])).size).toBe(0);
  const groups = { ...tinySpec().groups, sampling: 'tree', teamRewardWeight: 1 } as const;
  const estimator = { ...defaultEstimators.group, scope: 'taskAgentTurn', unit: 'step' } as const;
  const branches = failed.turns.map((turn) => ({ ...turn, branchReward: 0 }));
  const tree = await measure([{ ...failed, turns: branches }], blamed('gradNorm'), {
    groups,
    estimator,
  });
  expect(tree.size).toBe(0);
});

function transcriptsOf(events: readonly TrainerEvent[]): Transcript[] {
  return events.flatMap((event) => (event.kind === 'iteration' ? event.transcripts : []));
}

describe.each(['gradNorm', 'occlusion'] as const)('a run that measures %s', (method) => {
  // A world in which messages differ from prompt to prompt even where nothing is learned yet.
  const { environment, agents } = presets['solve-verify'].spec;
  const spec = tinySpec({
    environment,
    agents,
    policies: tinyPolicies(Object.values(agents).map(({ policy: id }) => id)),
    arms,
    groups: { ...tinySpec().groups, tasksPerIteration: 4 },
    iterations: 2,
    evaluation: { every: 2, tasks: 2, greedy: false },
  });
  const events = eventsOf({ ...spec, diagnostics: blamed(method, 2) });

  test('tells the blame of every failed episode of the sample, and of no other', async () => {
    const transcripts = transcriptsOf(await events);
    const measured = transcripts.filter(({ blame }) => blame !== null);
    expect(measured.length).toBeGreaterThan(1);
    const sample = transcripts.filter(({ spikingAgents }) => spikingAgents.length === 0);
    for (const { iteration, isSolved, blame } of sample)
      expect(blame !== null).toBe(iteration === 2 && !isSolved);
    for (const { blame, turns } of measured) {
      expect(blame!.method).toBe(method);
      expect(blame!.turns).toHaveLength(turns.length);
      expect(blame!.turns.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
      for (const [place, { influence, origins }] of blame!.turns.entries()) {
        expect(influence).toHaveLength(turns[place]!.promptTokens.length);
        expect(origins).toHaveLength(turns[place]!.promptTokens.length);
      }
    }
    // Somebody reads somebody, and it matters.
    const parts = measured.flatMap(({ blame }) => blame!.turns.flatMap((turn) => turn.handedOn));
    expect(Math.max(...parts)).toBeGreaterThan(0);
  });

  test('trains as one that measures nothing, to the last bit', async () => {
    const plain = await eventsOf(spec);
    expect(rowsOf(await events)).toEqual(rowsOf(plain));
    const unmeasured = transcriptsOf(await events).map((episode) =>
      Object.assign({}, episode, { blame: null }),
    );
    expect(unmeasured).toEqual(transcriptsOf(plain));
  });
});
