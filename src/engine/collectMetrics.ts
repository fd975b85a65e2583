import type { MetricKey, MetricRow } from '../metrics/catalog';
import type { AgentUpdateStats, UpdateStats } from '../protocol/policyApi';
import { agentGroupFractions } from '../rl/groupFractions';
import { agentRewardDiagnostics } from '../rl/inflation';
import type { TurnTag } from '../envs/judgement';
import type { ScoredSteps } from './advantages';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import { isSolved, type Trajectory } from './experience';
import { samplerStats } from './samplerStats';
import { teamValues, type TeamObservation } from './teamValues';
import { smallestStd } from './smallestStd';

/** From one replica's iteration to the rows that are charted, tabulated and exported. Pure: the same numbers give the same rows. */

type Values = Partial<Record<MetricKey, number>>;

/** One replica's iteration. */
export interface ReplicaIteration extends TeamObservation {
  /** [S] × [action length] the ratio's denominator. Unit: nats. */
  readonly oldLogprobs: readonly Float32Array[];
  /** [S] what failure tags multiply advantages by; null without them. */
  readonly tagScales: Float64Array | null;
  /** By cohort; a cohort whose agents did not act is absent. */
  readonly updates: ReadonlyMap<number, UpdateStats>;
  /** [agents] */
  readonly learningRates: readonly number[];
  /** [agents] what dry passes measured, NaN for what an agent has not; null where nothing was. */
  readonly gradients: readonly Values[] | null;
}

/** Smallest value that at least 99 % of `values` do not exceed (nearest rank). `values` is sorted in place. */
function percentile99(values: Float64Array): number {
  values.sort();
  return values[Math.ceil(0.99 * values.length) - 1]!;
}

/**
 * Mean of A², tail of |A|, and valid actions, of one agent's steps. Steps that an alignment dropped have no advantage; one that counts
 * several times does so in the mean.
 */
function stepValues({ turns, scores, advantages, weights }: ScoredSteps, agent: number): Values {
  const sizes: number[] = [];
  let [count, total, squares, valid] = [0, 0, 0, 0];
  for (const [step, turn] of turns.entries()) {
    if (scores.agentIds[step] !== agent) continue;
    const advantage = advantages[step]!;
    const weight = weights[step]!;
    if (weight > 0) sizes.push(Math.abs(advantage));
    count += 1;
    total += weight;
    squares += weight * advantage * advantage;
    valid += turn.isValid ? 1 : 0;
  }
  if (count === 0) return { numTurns: 0 };
  const counts = { numTurns: count, validActionRate: valid / count };
  if (sizes.length === 0) return counts;
  const sorted = Float64Array.from(sizes);
  const advAbsP99 = percentile99(sorted);
  return {
    ...counts,
    advSecondMoment: squares / total,
    advAbsP99,
    advAbsMax: sorted.at(-1)!,
  };
}

function updateValues(stats: AgentUpdateStats): Values {
  const { replica: _replica, agent: _agent, gradCosine, gradCosines: _pairs, ...others } = stats;
  const { refKl, samplerMismatch, effectiveSampleSize, ...values } = others;
  const optional = { gradCosine, refKl, samplerMismatch, effectiveSampleSize };
  // Null where there is nothing to measure; a cosine is NaN for a gradient of length 0 or not finite.
  const measured = Object.entries(optional).filter(
    ([, value]) => value !== null && !Number.isNaN(value),
  );
  return { ...values, ...Object.fromEntries(measured) };
}

/** NaN stands for "not defined here", which a row expresses by leaving the metric out. */
function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Number.isNaN(value)));
}

/** What the update reports of one agent; undefined where it did not learn. */
export function agentUpdateStats(
  { plan, updates }: Pick<ReplicaIteration, 'plan' | 'updates'>,
  agent: number,
): AgentUpdateStats | undefined {
  const { cohort, slot } = plan.seats[agent]!;
  const stats = updates.get(cohort)?.agents;
  return stats?.find((entry) => entry.replica === slot && entry.agent === agent);
}

/** What the oracle and the failure tags say of one agent's turns. */
function tagValues({ scored, tagScales }: ReplicaIteration, agent: number): Values {
  const counts: Record<TurnTag, number> = { pass: 0, unreadable: 0, wrongCall: 0, wrongContent: 0 };
  let [count, scaleSum] = [0, 0];
  for (const [step, turn] of scored.turns.entries()) {
    if (turn.agent !== agent) continue;
    count += 1;
    counts[turn.judgement.tag] += 1;
    scaleSum += tagScales?.[step] ?? 0;
  }
  if (count === 0) return {};
  const rates: Values = {
    passRate: counts.pass / count,
    unreadableRate: counts.unreadable / count,
    wrongCallRate: counts.wrongCall / count,
    wrongContentRate: counts.wrongContent / count,
  };
  return tagScales === null ? rates : { ...rates, failureScale: scaleSum / count };
}

/** The baseline that the agent is compared with, where it moves. */
function baselineValues({ plan, scored: { baselines } }: ReplicaIteration, agent: number): Values {
  const { estimator } = plan.training;
  if (estimator.kind !== 'movingBaseline') return {};
  const { ofRoles, ofBatch } = baselines;
  return { roleBaseline: estimator.baselineOf === 'role' ? ofRoles[agent]! : ofBatch };
}

/** Rows of the agents, then of the team. An agent that did not act has only its count of turns: the rest is a gap, not a 0. */
export function iterationRows(data: ReplicaIteration): MetricRow[] {
  const { plan, iteration, scored } = data;
  const { agents } = plan.workflow.spec;
  const minStd = smallestStd(plan.training.estimator);
  const rewards = agentRewardDiagnostics(scored.scores, agents.length, minStd);
  const fractions =
    scored.groups &&
    agentGroupFractions(scored.groups, scored.scores.agentIds, agents.length, minStd);
  const agentRows = agents.map((agent, index): MetricRow => {
    const values: Values = stepValues(scored, index);
    const row = { iteration, arm: plan.arm, seed: plan.seed, agent, values };
    if (values.numTurns === 0) return row;
    const { predictedSecondMoment, predictedMax, rewardMean, rewardStd, meanGap, varianceRatio } =
      rewards[index]!;
    Object.assign(
      values,
      defined({ advSecondMomentPredicted: predictedSecondMoment, advInflationMax: predictedMax }),
      defined({ rewardMean, rewardStd, meanGap, varianceRatio }),
      defined(fractions?.[index] ? { ...fractions[index] } : {}),
      tagValues(data, index),
      baselineValues(data, index),
      defined({ ...data.gradients?.[index] }),
    );
    const stats = agentUpdateStats(data, index);
    if (stats)
      Object.assign(
        values,
        updateValues(stats),
        samplerStats(plan, scored, data.oldLogprobs, index),
        { learningRate: data.learningRates[index]! },
      );
    return row;
  });
  const { arm, seed } = plan;
  return [...agentRows, { iteration, arm, seed, agent: 'team', values: teamValues(data) }];
}

/** Mean entropy of the team's sampled tokens, from its agents' updates. Unit: nats. Null where no agent learned. */
export function meanEntropy(
  plan: ReplicaPlan,
  { turns }: Pick<ScoredSteps, 'turns'>,
  updates: ReadonlyMap<number, UpdateStats>,
): number | null {
  let [tokens, sum] = [0, 0];
  for (const agent of plan.workflow.spec.agents.keys()) {
    const stats = agentUpdateStats({ plan, updates }, agent);
    if (stats === undefined) continue;
    const own = turns.filter((turn) => turn.agent === agent);
    const count = own.reduce((total, { actionTokens }) => total + actionTokens.length, 0);
    tokens += count;
    sum += count * stats.entropy;
  }
  return tokens === 0 ? null : sum / tokens;
}

/** Adds what is only known after the training row was made (the evaluation). */
export function withTeamValues(rows: readonly MetricRow[], values: Values): MetricRow[] {
  return rows.map((row) =>
    row.agent === 'team' ? Object.assign({}, row, { values: { ...row.values, ...values } }) : row,
  );
}

/** Prompt and action tokens of some trajectories. */
export function countTokens(trajectories: readonly Trajectory[]): number {
  let tokens = 0;
  for (const { turns } of trajectories)
    for (const turn of turns) tokens += turn.promptTokens.length + turn.actionTokens.length;
  return tokens;
}

/** Share of episodes with outcome reward 1, per replica index. */
export function successByReplica(
  plan: ExperimentPlan,
  trajectories: readonly Trajectory[],
): Map<number, number> {
  const counts = new Map(plan.replicas.map(({ index }) => [index, { solved: 0, played: 0 }]));
  for (const trajectory of trajectories) {
    const count = counts.get(trajectory.replica)!;
    count.played += 1;
    count.solved += isSolved(trajectory) ? 1 : 0;
  }
  const played = [...counts].filter(([, count]) => count.played > 0);
  return new Map(played.map(([replica, count]) => [replica, count.solved / count.played]));
}
