import { beforeAll, describe, expect, test } from 'vitest';
import { agentBlame, blame, type KeptShare } from '../rl/blame';
import type { Trajectory } from './experience';
import { occlusionWeights } from './occlusion';
import { turnInfluence } from './policyScores';
import { playChain, successOf, warmChain, withFault, type Chain } from './testing/blameMiniature';
import { chainLength } from './testing/chainWorld';
import { pearson, spearman } from './testing/rankCorrelation';

/**
 * PAPERS row 63 in miniature: a chain of four agents that have learned their part, one of which writes at random half of the time. Asked
 * for: the agent blamed most is the faulty one in at least 80 % of failed episodes (chance 25 %), above a correlation with the reward;
 * Spearman's ρ of gradient norms with occlusion at least 0.6. Written down here is what came out, also where it is not that.
 */

const numEpisodes = 200;
const agents = Array.from({ length: chainLength }, (_, agent) => agent);

interface Measured {
  readonly faultyAgent: number;
  readonly all: readonly Trajectory[];
  readonly failed: readonly Trajectory[];
  /** [failed · chainLength] × [2]: task, message. */
  readonly gradNorm: readonly ArrayLike<number>[];
  readonly occlusion: readonly ArrayLike<number>[];
}

async function measured(chain: Chain, faultyAgent: number): Promise<Measured> {
  const all = await playChain(withFault(chain, faultyAgent), numEpisodes, 2 + faultyAgent);
  const failed = all.filter(({ teamReward }) => teamReward === 0);
  const others = all.flatMap(({ turns }) => turns);
  const asked = failed.flatMap(({ turns }) => turns.map((turn) => ({ replica: 0, turn, others })));
  return {
    faultyAgent,
    all,
    failed,
    gradNorm: await turnInfluence(chain, asked),
    occlusion: await occlusionWeights(chain, asked),
  };
}

/** [failed] × [agents] */
function sharesOf(set: Measured, method: 'gradNorm' | 'occlusion', kept: KeptShare): number[][] {
  return set.failed.map(({ turns }, episode) => {
    const influenced = turns.map(({ origins, rolloutLogprobs }, place) => ({
      weights: set[method][episode * chainLength + place]!,
      origins,
      logprob: Math.min(0, rolloutLogprobs[0]!),
    }));
    const { shares } = blame(influenced, kept);
    return [...agentBlame(shares, agents, chainLength)];
  });
}

/** First place of the largest. */
function largest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

/** Share of all failed episodes in which `pick` names the faulty agent. */
function hitRate(sets: readonly Measured[], pick: (set: Measured) => readonly number[]): number {
  const hits = sets.flatMap((set) => pick(set).map((agent) => agent === set.faultyAgent));
  return hits.filter(Boolean).length / hits.length;
}

function byBlame(method: 'gradNorm' | 'occlusion', kept: KeptShare) {
  return (set: Measured): number[] => sharesOf(set, method, kept).map(largest);
}

const logprobOf = ({ turns }: Trajectory, agent: number): number =>
  turns[agent]!.rolloutLogprobs[0]!;

/** No graph at all: whose action was least probable. */
const bySurprise = ({ failed }: Measured): number[] =>
  failed.map((episode) => largest(agents.map((agent) => -logprobOf(episode, agent))));

/** One answer for all episodes of a set: whose log-probabilities correlate most with the reward. */
function byLogprobReward({ all, failed }: Measured): number[] {
  const rewards = all.map(({ teamReward }) => teamReward);
  const correlations = agents.map((agent) =>
    pearson(
      all.map((episode) => logprobOf(episode, agent)),
      rewards,
    ),
  );
  return failed.map(() => largest(correlations));
}

/** Likewise, whose written token explains most of the reward's variance: what a reward alone says. */
function byActionReward({ all, failed }: Measured): number[] {
  const mean = successOf(all);
  const explained = agents.map((agent) => {
    const byToken = new Map<number, Trajectory[]>();
    for (const episode of all) {
      const [token = 0] = episode.turns[agent]!.actionTokens;
      byToken.set(token, [...(byToken.get(token) ?? []), episode]);
    }
    return [...byToken.values()].reduce(
      (sum, group) => sum + group.length * (successOf(group) - mean) ** 2,
      0,
    );
  });
  return failed.map(() => largest(explained));
}

/** Of the messages that agents 1 to 3 read. */
function messageWeights(sets: readonly Measured[], method: 'gradNorm' | 'occlusion'): number[] {
  return sets.flatMap((set) =>
    set[method].filter((_, turn) => turn % chainLength > 0).map((weights) => weights[1]!),
  );
}

/** Of the influence of the whole prompt. */
function messageShares(sets: readonly Measured[], method: 'gradNorm' | 'occlusion'): number[] {
  return sets.flatMap((set) =>
    set[method]
      .filter((_, turn) => turn % chainLength > 0)
      .map((weights) => weights[1]! / (weights[0]! + weights[1]!)),
  );
}

describe.each([0, 1, 2])('with seed %i', (seed) => {
  let success = 0;
  let sets: readonly Measured[] = [];
  beforeAll(async () => {
    const chain = await warmChain(seed, 0.98, 600);
    success = successOf(await playChain(chain, 500, 1));
    const own: Measured[] = [];
    for (const agent of agents) own.push(await measured(chain, agent));
    sets = own;
    const rates = {
      'success without a fault': success,
      'failed episodes': sets.reduce((sum, { failed }) => sum + failed.length, 0),
      ...Object.fromEntries(
        (['gradNorm', 'occlusion'] as const).flatMap((method) =>
          (['nothing', 'taskShare', 'chance'] as const).map((kept) => [
            `${method}, ${kept}`,
            hitRate(sets, byBlame(method, kept)),
          ]),
        ),
      ),
      'least probable action': hitRate(sets, bySurprise),
      'log-probability and reward': hitRate(sets, byLogprobReward),
      'action and reward': hitRate(sets, byActionReward),
      'ρ of message weights': spearman(
        messageWeights(sets, 'gradNorm'),
        messageWeights(sets, 'occlusion'),
      ),
      'ρ of message shares': spearman(
        messageShares(sets, 'gradNorm'),
        messageShares(sets, 'occlusion'),
      ),
    };
    process.stdout.write(`${JSON.stringify({ seed, ...rates }, null, 2)}\n`);
  }, 600_000);

  test('the chain succeeds in nine of ten episodes and more without a fault, and fails often with one', () => {
    // One of the three stays at 0.91, however long it trains: its failures have causes of their own.
    expect(success).toBeGreaterThan(0.9);
    for (const { failed } of sets) expect(failed.length).toBeGreaterThan(50);
  });

  test.each(['gradNorm', 'occlusion'] as const)(
    'by %s, with chance kept, the faulty agent is blamed most in 80 % of failures, above what actions and rewards say',
    (method) => {
      const rate = hitRate(sets, byBlame(method, 'chance'));
      expect(rate).toBeGreaterThan(0.8);
      expect(rate).toBeGreaterThan(hitRate(sets, byActionReward));
    },
  );

  test('in a chain that is no more than the least probable action says, and no more than its correlation with the reward', () => {
    // Every turn reads one message, so that the weights of messages cancel, and what is left is who was unsure, nearest the end.
    const rate = hitRate(sets, byBlame('gradNorm', 'chance'));
    expect(rate).toBeLessThanOrEqual(hitRate(sets, bySurprise));
    expect(rate).toBeLessThanOrEqual(hitRate(sets, byLogprobReward));
  });

  test('the formula to the letter always blames the first agent, and is near chance', () => {
    for (const set of sets)
      expect(new Set(byBlame('gradNorm', 'nothing')(set))).toEqual(new Set([0]));
    expect(hitRate(sets, byBlame('gradNorm', 'nothing'))).toBeLessThan(0.4);
  });

  test('not reproduced: gradient norms do not rank messages as occlusion does', () => {
    // Asked for: 0.6. A sure reader has a small gradient and much to lose, an unsure one the other way round.
    expect(
      spearman(messageWeights(sets, 'gradNorm'), messageWeights(sets, 'occlusion')),
    ).toBeLessThan(0.6);
    expect(
      spearman(messageShares(sets, 'gradNorm'), messageShares(sets, 'occlusion')),
    ).toBeLessThan(0.6);
  });
});
