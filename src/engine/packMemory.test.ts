import { expect, test } from 'vitest';
import { defaultEnvironments } from '../config/defaults';
import type { ExperimentSpec } from '../config/experimentSpec';
import { presets } from '../config/presets';
import { createSpikeWindow, isSpikeNext } from '../metrics/spikes';
import { planExperiment, type ReplicaPlan } from './cohorts';
import type { Trajectory } from './experience';
import { initialMemory, type ReplicaMemory } from './memory';
import { packMemory, unpackMemory } from './packMemory';
import { packTrajectories } from './packTrajectories';
import { demonstrateEpisodes } from './rollout';
import { loadedSpec } from './testing/resumableSpecs';
import { tinyPolicies, tinySpec } from './testing/runInProcess';
import { trainingStarts } from './tasks';
import { unpackTrajectories } from './unpackTrajectories';

/** What a replica carries, through a file's arrays and back: the same in every field. */

function planOf(spec: ExperimentSpec): ReplicaPlan {
  return planExperiment(spec).replicas[0]!;
}

/** Played by the script, with numbers that no two turns have in common. */
function playedBy(spec: ExperimentSpec): Trajectory[] {
  const plan = planExperiment(spec);
  const [replica] = plan.replicas;
  let next = 0;
  return demonstrateEpisodes(plan, trainingStarts(replica!, 2)).map((trajectory, index) => ({
    ...trajectory,
    teamReward: index / 7,
    turns: trajectory.turns.map((turn) =>
      Object.assign({}, turn, {
        rolloutLogprobs: turn.rolloutLogprobs.map(() => -(next += 1) / 3),
        penalty: (next += 1) / 1000,
        isValid: next % 2 === 0,
        anchor: -next,
        judgement: { tag: 'wrongContent', localReward: next / 10_000 },
      }),
    ),
  }));
}

const planExecute = presets['plan-execute'].spec;
const worlds: Readonly<Record<string, ExperimentSpec>> = {
  routeSearchAnswer: tinySpec(),
  'routeSearchAnswer with a critic of the state': loadedSpec,
  solveVerify: tinySpec({
    environment: defaultEnvironments.solveVerify,
    agents: { solver: { policy: 'solver' }, verifier: { policy: 'verifier' } },
    policies: tinyPolicies(['solver', 'verifier']),
  }),
  planExecute: tinySpec({
    environment: planExecute.environment,
    agents: planExecute.agents,
    policies: tinyPolicies(['planner', 'executor']),
  }),
};

test.each(Object.entries(worlds))('rollouts of %s come back as they were', (_, spec) => {
  const rollouts = playedBy(spec);
  const plan = planOf(spec);
  expect(unpackTrajectories(plan, packTrajectories(rollouts), 'waiting')).toEqual(rollouts);
});

test('the worlds above have invocations, states and long episodes', () => {
  const turns = Object.values(worlds).flatMap((spec) => playedBy(spec).flatMap((own) => own.turns));
  expect(turns.some(({ invocation }) => invocation !== null)).toBe(true);
  expect(turns.some(({ stateTokens }) => stateTokens !== null)).toBe(true);
  expect(Math.max(...turns.map(({ turnIndex }) => turnIndex))).toBeGreaterThan(2);
  expect(playedBy(worlds['planExecute']!).some(({ rewards }) => rewards !== null)).toBe(true);
});

test.each(['tree', 'expand'] as const)(
  'turns of a %s keep what their branches earned',
  (sampling) => {
    const [arm] = tinySpec().arms;
    const spec = tinySpec({
      arms: [
        {
          name: arm!.name,
          overrides: {
            'groups.sampling': sampling,
            'estimator.scope': 'taskAgentTurn',
            'estimator.unit': 'step',
          },
        },
      ],
    });
    const rollouts = playedBy(tinySpec()).map((trajectory) => ({
      ...trajectory,
      turns: trajectory.turns.map((turn, index) =>
        Object.assign({}, turn, {
          branchReward: index === 0 ? 0 : 0.3,
          siblings: sampling === 'expand' ? index : null,
        }),
      ),
    }));
    expect(unpackTrajectories(planOf(spec), packTrajectories(rollouts), 'waiting')).toEqual(
      rollouts,
    );
  },
);

test('baselines, tags, pulses, successes and watches come back as they were', () => {
  const plan = planOf(loadedSpec);
  const rollouts = playedBy(loadedSpec);
  const spikes = createSpikeWindow();
  // More than the window holds, falling and rising.
  for (let i = 0; i < 40; i++) isSpikeNext(spikes, 1 + ((i * 7) % 11));
  const sign = { runLength: 2, since: 4, collapsedAt: null };
  const initial = initialMemory(plan);
  const memory: ReplicaMemory = {
    baselines: { ofRoles: Float64Array.of(0.1, -0, 1 / 3), ofBatch: -0.7 },
    tags: {
      weights: new Map([...initial.tags!.weights, ['pass', 0.123]]),
      prevalences: new Map([
        ['wrongCall', 0.25],
        ['pass', 0.75],
      ]),
    },
    pulse: {
      phase: { phase: 'rl', numIterations: 5, numPulses: 3 },
      successes: {
        tasks: [
          { rank: 0xfedcba98, rollouts: rollouts.slice(0, 3) },
          { rank: 0, rollouts: rollouts.slice(3, 4) },
        ],
      },
    },
    collapse: initial.collapse.map((state, index) => ({
      ...state,
      peakValidActionRate: index / 3,
      baselineNorms: [0.5, 0.1 + index],
      signs: { ...state.signs, approxKl: sign, gradNorm: { ...sign, collapsedAt: index } },
    })),
    spikes: initial.spikes.map((window, index) => (index === 1 ? spikes : window)),
    tokenCount: 12_345,
  };
  const waiting = rollouts.slice(2, 6);
  expect(unpackMemory(plan, packMemory(plan, memory, waiting))).toEqual({ memory, waiting });
  expect(() =>
    packMemory(
      plan,
      {
        ...memory,
        pulse: { ...memory.pulse, phase: { phase: 'sft', remainingSteps: 1, numPulses: 1 } },
      },
      [],
    ),
  ).toThrow('inside a pulse');
});
