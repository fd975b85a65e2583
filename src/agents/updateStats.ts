import type { AgentUpdateStats } from '../protocol/policyApi';
import { objectiveStats } from './policyObjective';
import { statsPerAgent } from './updateReplica';

/** From read-back statistics vectors to what an update reports. Pure. */

/** One optimizer step: who took part, and their numbers. */
export interface StepStats {
  /** Agents of the minibatch, in the order of `values`. */
  readonly agents: readonly number[];
  /** [agents · statsPerAgent] */
  readonly values: Float32Array;
}

/** One agent's tokens of one minibatch after the last step. */
export interface FinalKl {
  readonly agent: number;
  readonly numTokens: number;
  /** nats per token */
  readonly kl: number;
}

type StatName = 'gradNorm' | 'gradCosine' | (typeof objectiveStats)[number];

const names: readonly StatName[] = ['gradNorm', 'gradCosine', ...objectiveStats];

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The agent's number in a step; undefined where it had no turn. */
function statOf(step: StepStats, agent: number, name: StatName): number | undefined {
  const index = step.agents.indexOf(agent);
  return index < 0 ? undefined : step.values[index * statsPerAgent + names.indexOf(name)];
}

/** One agent's part of the policy is not finite: then the whole step is skipped, for all who share it. */
function isSkipped(step: StepStats): boolean {
  return step.agents.some((agent) => !Number.isFinite(statOf(step, agent, 'gradNorm')));
}

/** Means over the optimizer steps in which the agent had turns. `finalKls`: absent for a supervised update. */
export function toAgentStats(
  replica: number,
  steps: readonly StepStats[],
  finalKls: readonly FinalKl[],
  hasReference: boolean,
): AgentUpdateStats[] {
  const agents = [...new Set(steps.flatMap((step) => step.agents))].toSorted((a, b) => a - b);
  const updateSkipped = steps.filter(isSkipped).length;
  return agents.map((agent) => {
    const column = (name: StatName): number[] =>
      steps.flatMap((step) => statOf(step, agent, name) ?? []);
    const norms = column('gradNorm');
    const [low, high] = [mean(column('clipFractionLow')), mean(column('clipFractionHigh'))];
    const first = steps[0];
    const before = (name: StatName): number | null => (first && statOf(first, agent, name)) ?? null;
    const [ratioMean, ratioSquares] = [before('weightMean'), before('weightSquares')];
    return {
      replica,
      agent,
      gradNorm: mean(norms),
      gradNormMax: norms.reduce((a, b) => (b > a || Number.isNaN(b) ? b : a)),
      gradCosine: agents.length > 1 ? mean(column('gradCosine')) : null,
      updateSkipped,
      policyLoss: mean(column('policyLoss')),
      entropy: mean(column('entropy')),
      approxKl: klOf(finalKls, agent),
      clipFraction: low + high,
      clipFractionLow: low,
      clipFractionHigh: high,
      refKl: hasReference ? mean(column('refKl')) : null,
      samplerMismatch: before('drift'),
      effectiveSampleSize:
        ratioMean === null || ratioSquares === null ? null : ratioMean ** 2 / ratioSquares,
    };
  });
}

/** Token-weighted mean over the minibatches. */
function klOf(finalKls: readonly FinalKl[], agent: number): number {
  const own = finalKls.filter((entry) => entry.agent === agent);
  const numTokens = own.reduce((sum, entry) => sum + entry.numTokens, 0);
  if (numTokens === 0) return 0;
  return own.reduce((sum, entry) => sum + entry.kl * entry.numTokens, 0) / numTokens;
}
