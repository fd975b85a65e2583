import type { ArchitectureSpec } from '../../config/experimentSpec';
import type { PolicyApi, SampleCalls } from '../../protocol/policyApi';
import { uniform, uniformInt, type Key } from '../../rl/rng';
import { planExperiment, type ExperimentPlan } from '../cohorts';
import type { Trajectory } from '../experience';
import { streamKey } from '../randomStreams';
import { demonstrateEpisodes, playEpisodes, type EpisodeStart } from '../rollout';
import { supervisedItems } from '../supervisedItems';
import { updatePolicies } from '../update';
import { chainLength, chainModulus, createChain } from './chainWorld';
import { localPolicy, tinySpec } from './runInProcess';

/**
 * The miniature of blame: a chain of four agents that have learned their part, and one that writes at random half of the time (fault
 * injection, PAPERS row 63). Episodes and policies; what is made of them is the test's.
 */

const architecture: ArchitectureSpec = {
  numLayers: 1,
  hiddenSize: 32,
  numHeads: 2,
  numKeyValueHeads: 2,
  intermediateSize: 64,
  tieEmbeddings: false,
  ropeTheta: 10_000,
};

/** At the higher rate some chains stay a few per cent short of the target. */
const firstPhase = { steps: 200, rate: 0.01 } as const;
const laterRate = 0.002;

/** Probability that the faulty agent's action is replaced by a uniformly drawn value. */
const faultRate = 0.5;

export interface Chain {
  readonly plan: ExperimentPlan;
  /** In the order of the chain. */
  readonly policies: readonly PolicyApi[];
}

/** One replica of the chain, a policy an agent. */
function chainPlan(seed: number): ExperimentPlan {
  const workflow = createChain();
  const base = planExperiment(tinySpec({ arms: [{ name: 'only', overrides: {} }], seeds: [seed] }));
  const [cohort] = base.cohorts;
  const { vocabulary, maxPromptTokens, maxActionTokens } = workflow.spec;
  return {
    critics: [],
    cohorts: workflow.spec.agents.map((policyId) => ({
      ...cohort!,
      spec: {
        ...cohort!.spec,
        policyId,
        architecture,
        vocabularySize: vocabulary.length,
        maxLength: maxPromptTokens + maxActionTokens,
        maxActionTokens,
      },
    })),
    replicas: [
      {
        ...base.replicas[0]!,
        workflow,
        seats: workflow.spec.agents.map((_, agent) => ({ cohort: agent, slot: 0 })),
        critic: null,
      },
    ],
  };
}

function starts(
  seed: number,
  purpose: 'demonstrationTask' | 'evaluationTask',
  count: number,
  place: number,
): EpisodeStart[] {
  return Array.from({ length: count }, (_, task) => ({
    replica: 0,
    batch: 0,
    task,
    taskKey: streamKey(seed, purpose, place, task),
    noiseKey: streamKey(seed, 'evaluationNoise', place, task),
  }));
}

export function successOf(episodes: readonly Trajectory[]): number {
  return episodes.reduce((sum, { teamReward }) => sum + teamReward, 0) / episodes.length;
}

/** Supervised steps on demonstrations until sampled episodes nearly always succeed. */
export async function warmChain(seed: number, target: number, maxSteps: number): Promise<Chain> {
  const plan = chainPlan(seed);
  const policies = plan.cohorts.map(() => localPolicy().api);
  await Promise.all(
    policies.map((policy, i) => policy.create(plan.cohorts[i]!.spec, plan.cohorts[i]!.hypers)),
  );
  const chain = { plan, policies };
  for (let step = 0; step < maxSteps; step++) {
    if (step % 20 === 0 && successOf(await playChain(chain, 1000, -1 - step)) >= target) break;
    const demonstrations = demonstrateEpisodes(plan, starts(seed, 'demonstrationTask', 128, step));
    await updatePolicies(plan, policies, supervisedItems(demonstrations), {
      objective: 'supervised',
      learningRatesOf: () => Float64Array.of(step < firstPhase.steps ? firstPhase.rate : laterRate),
    });
  }
  return chain;
}

/** Sampled episodes; `place` numbers the set. */
export function playChain(
  { plan, policies }: Chain,
  count: number,
  place: number,
): Promise<Trajectory[]> {
  const { seed } = plan.replicas[0]!;
  return playEpisodes(plan, policies, starts(seed, 'evaluationTask', count, place), false);
}

function keyOf({ noiseKeys }: SampleCalls, row: number): Key {
  return [noiseKeys[2 * row]!, noiseKeys[2 * row + 1]!];
}

/** The policy with its actions replaced half of the time; their log-probabilities stay those of the policy. */
function faulty(policy: PolicyApi): PolicyApi {
  return {
    ...policy,
    async sample(calls) {
      const rows = [...calls.replicas.keys()];
      const { actionTokens } = await policy.sample(calls);
      for (const row of rows)
        if (uniform(keyOf(calls, row), 1001) < faultRate)
          actionTokens[row] = 1 + uniformInt(keyOf(calls, row), 1002, chainModulus);
      const { replicas, promptTokens, promptLengths, promptWidth, actionLengths } = calls;
      const prompts = { replicas, promptTokens, promptLengths, promptWidth };
      const written = { ...prompts, actionTokens, actionLengths, actionWidth: 1 };
      return { actionTokens, rolloutLogprobs: await policy.score(written, 'current') };
    },
  };
}

/** The chain with one faulty agent. */
export function withFault({ plan, policies }: Chain, agent: number): Chain {
  if (agent >= chainLength)
    throw new RangeError(`The chain has ${chainLength} agents, not ${agent + 1}.`);
  return { plan, policies: policies.map((policy, i) => (i === agent ? faulty(policy) : policy)) };
}
