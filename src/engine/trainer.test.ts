import { defaultGroups } from '../config/defaults';
import { expect, test, vi } from 'vitest';
import type { PolicyApi } from '../protocol/policyApi';
import type { TrainerEvent } from '../protocol/trainerApi';
import {
  eventsOf,
  localPolicy,
  rowsOf,
  stillEnvironment,
  tinyPolicies,
  tinySpec,
} from './testing/runInProcess';

const iterationsIn = (events: readonly TrainerEvent[]): number[] =>
  events.flatMap((event) => (event.kind === 'iteration' ? [event.iteration] : []));

async function bytesOfRows(seed: number): Promise<string> {
  return JSON.stringify(rowsOf(await eventsOf(tinySpec({ seeds: [seed] }))));
}

test('the same specification gives the same metric rows to the last byte, another seed gives others', async () => {
  const first = await bytesOfRows(3);
  expect(await bytesOfRows(3)).toBe(first);
  expect((await bytesOfRows(4)).replaceAll('"seed":4', '"seed":3')).not.toBe(first);
});

test('a replica’s rows do not depend on which other arms and seeds run beside it', async () => {
  const { arms } = tinySpec();
  const together = rowsOf(await eventsOf(tinySpec({ seeds: [0, 1] })));
  const alone = rowsOf(await eventsOf(tinySpec({ arms: arms.slice(1, 2), seeds: [1] })));
  const own = together.filter(({ arm, seed }) => arm === arms[1]!.name && seed === 1);
  expect(JSON.stringify(own)).toBe(JSON.stringify(alone));
});

test('arms of a seed start from equal weights, tasks and noise: their first rollouts are equal', async () => {
  const rows = rowsOf(
    await eventsOf(tinySpec({ iterations: 1, evaluation: { every: 1, tasks: 8, greedy: false } })),
  );
  const { arms } = tinySpec();
  const ofArm = (name: string, agent: string) =>
    rows.find((row) => row.arm === name && row.agent === agent && row.iteration === 1)!.values;
  for (const { name } of arms) {
    expect(ofArm(name, 'team').success).toBe(ofArm('global', 'team').success);
    expect(ofArm(name, 'team').tokenCount).toBe(ofArm('global', 'team').tokenCount);
    expect(ofArm(name, 'router').rewardMean).toBe(ofArm('global', 'router').rewardMean);
  }
});

test('when every agent acts once on a shared reward, global and agent-wise runs are the same run', async () => {
  const spec = tinySpec({
    environment: {
      kind: 'solveVerify',
      modulus: 3,
      maxRounds: 1,
      actOnce: true,
      invalidPenalty: 0,
    },
    agents: { solver: { policy: 'solver' }, verifier: { policy: 'verifier' } },
    policies: tinyPolicies(['solver', 'verifier']),
    groups: { ...defaultGroups.parallel, tasksPerIteration: 4, groupSize: 8 },
  });
  const rows = rowsOf(await eventsOf(spec));
  const ofArm = (name: string) =>
    JSON.stringify(rows.filter(({ arm }) => arm === name)).replaceAll(`"${name}"`, '"arm"');
  expect(rows.some(({ values }) => (values.advAbsMax ?? 0) > 0)).toBe(true);
  expect(ofArm('agentWise')).toBe(ofArm('global'));
});

test('an agent that did not act has its count of turns and nothing else', async () => {
  // No hard question and a router that is taught to answer: the search agent is not called.
  const spec = tinySpec({
    environment: {
      kind: 'routeSearchAnswer',
      numKeys: 2,
      numValues: 2,
      answerLength: 1,
      searchShare: 0,
      maxTurns: 4,
      invalidPenalty: 0.01,
    },
    warmStart: { targetSuccess: 1, maxSteps: 40, tasksPerStep: 16, learningRate: 0.03 },
    iterations: 1,
    evaluation: { every: 1, tasks: 8, greedy: false },
    groups: { ...defaultGroups.parallel, tasksPerIteration: 1, groupSize: 2 },
  });
  const rows = rowsOf(await eventsOf(spec));
  const search = rows.filter(({ agent, iteration }) => agent === 'search' && iteration === 1);
  expect(search.map(({ values }) => values)).toContainEqual({ numTurns: 0 });
});

test('pause holds before the next iteration, step lets one pass, resume the rest', async () => {
  const seen: string[] = [];
  const events = await eventsOf(tinySpec({ iterations: 4 }), stillEnvironment, (event, trainer) => {
    if (event.kind === 'iteration') {
      seen.push(`iteration ${event.iteration}`);
      if (event.iteration === 1) void trainer.pause();
    }
    if (event.kind !== 'paused') return;
    seen.push(`paused ${event.iteration}`);
    void (event.iteration === 1 ? trainer.step() : trainer.resume());
  });
  expect(seen).toEqual([
    'iteration 0',
    'iteration 1',
    'paused 1',
    'iteration 2',
    'paused 2',
    'iteration 3',
    'iteration 4',
  ]);
  expect(events.at(-1)).toEqual({ kind: 'finished', iteration: 4, reason: 'completed' });
});

test('stop ends the run before the next iteration, also when it is paused and in the warm start', async () => {
  const afterTwo = await eventsOf(tinySpec(), stillEnvironment, (event, trainer) => {
    if (event.kind === 'iteration' && event.iteration === 2) void trainer.stop();
  });
  expect(iterationsIn(afterTwo)).toEqual([0, 1, 2]);
  expect(afterTwo.at(-1)).toEqual({ kind: 'finished', iteration: 2, reason: 'stopped' });

  const whilePaused = await eventsOf(tinySpec(), stillEnvironment, (event, trainer) => {
    if (event.kind === 'iteration' && event.iteration === 1) void trainer.pause();
    if (event.kind === 'paused') void trainer.stop();
  });
  expect(whilePaused.at(-1)).toEqual({ kind: 'finished', iteration: 1, reason: 'stopped' });

  const inWarmStart = await eventsOf(tinySpec(), stillEnvironment, (event, trainer) => {
    if (event.kind === 'phase' && event.phase === 'warmStart') void trainer.stop();
  });
  expect(iterationsIn(inWarmStart)).toEqual([]);
  expect(inWarmStart.at(-1)).toEqual({ kind: 'finished', iteration: 0, reason: 'stopped' });
});

test('a policy that throws ends the run with its reason, and every policy is freed', async () => {
  let numFreed = 0;
  const update = vi.fn<PolicyApi['update']>().mockRejectedValue(new Error('out of memory'));
  const events = await eventsOf(tinySpec(), {
    ...stillEnvironment,
    createPolicy: (policyId) => {
      const handle = localPolicy();
      const api = policyId === 'answer' ? { ...handle.api, update } : handle.api;
      return { api, terminate: () => (numFreed += 1) };
    },
  });
  expect(events.at(-1)).toEqual({ kind: 'failed', iteration: 0, message: 'out of memory' });
  expect(numFreed).toBe(3);
});

test('a policy that dies between calls ends the run although a call to it never returns', async () => {
  const events = await eventsOf(tinySpec(), {
    ...stillEnvironment,
    createPolicy: (policyId, onFailure) => {
      const handle = localPolicy();
      if (policyId !== 'search') return handle;
      const sample = (): Promise<never> => {
        queueMicrotask(() => onFailure(new Error('the worker crashed')));
        return new Promise(() => {});
      };
      return { ...handle, api: { ...handle.api, sample } };
    },
  });
  expect(events.at(-1)).toMatchObject({ kind: 'failed', message: 'the worker crashed' });
});

test('a second run while one is in progress is refused, a run after it is not', async () => {
  let refused: Promise<void> = Promise.resolve();
  const events = await eventsOf(
    tinySpec({ iterations: 1, evaluation: { every: 1, tasks: 8, greedy: false } }),
    stillEnvironment,
    (event, trainer) => {
      if (event.kind === 'iteration' && event.iteration === 0)
        refused = trainer.start(tinySpec(), () => {});
    },
  );
  await expect(refused).rejects.toThrow('A run is in progress');
  expect(events.at(-1)).toMatchObject({ kind: 'finished', reason: 'completed' });
});

test('a team that starts at chance learns to answer: success rises from about a half to above 0.9', async () => {
  // Two keys, two values, no search needed: one router move and one answer token. Fixed seed; a random answer is right half the time.
  const spec = tinySpec({
    environment: {
      kind: 'routeSearchAnswer',
      numKeys: 2,
      numValues: 2,
      answerLength: 1,
      searchShare: 0,
      maxTurns: 2,
      invalidPenalty: 0.01,
    },
    arms: [
      {
        name: 'agentWise',
        overrides: { 'estimator.scope': 'taskAgent', 'estimator.unit': 'step' },
      },
    ],
    groups: { ...defaultGroups.parallel, tasksPerIteration: 4, groupSize: 16 },
    warmStart: { targetSuccess: 0.3, maxSteps: 100, tasksPerStep: 16, learningRate: 0.01 },
    policies: Object.fromEntries(
      Object.entries(tinySpec().policies).map(([id, policy]) => [
        id,
        { ...policy, optimizer: { ...policy.optimizer, learningRate: 0.02 } },
      ]),
    ),
    iterations: 60,
    evaluation: { every: 60, tasks: 256, greedy: false },
  });
  const success = rowsOf(await eventsOf(spec)).flatMap(({ values }) => values.evalSuccess ?? []);
  expect(success[0]).toBeLessThan(0.6);
  expect(success.at(-1)).toBeGreaterThan(0.9);
});
