import type { AgentUpdateStats } from '../protocol/policyApi';
import { agentAngles, type AgentAngles } from './gradientAngles';
import { objectiveStats } from './policyObjective';

/** From read-back statistics to what an update reports. Pure. */

/** One optimizer step: who took part, and their numbers. */
export interface StepStats {
  /** Agents of the minibatch, A of them, in the order of `products` and `values`. */
  readonly agents: readonly number[];
  /** [A, A] inner products of the agents' parts of the gradient. */
  readonly products: ArrayLike<number>;
  /** [A, objectiveStats] */
  readonly values: Float32Array;
}

/** One agent's tokens of one minibatch after the last step. */
export interface FinalKl {
  readonly agent: number;
  readonly numTokens: number;
  /** nats per token */
  readonly kl: number;
}

type StatName = (typeof objectiveStats)[number];

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** One step as its agents see it. */
interface ReadStep {
  readonly angles: ReadonlyMap<number, AgentAngles>;
  /** The agent's number; undefined where it had no turn. */
  readonly stat: (agent: number, name: StatName) => number | undefined;
}

function readStep({ agents, products, values }: StepStats): ReadStep {
  return {
    angles: agentAngles(agents, products),
    stat(agent, name) {
      const index = agents.indexOf(agent);
      const place = index * objectiveStats.length + objectiveStats.indexOf(name);
      return index < 0 ? undefined : values[place];
    },
  };
}

/** One agent's part of the policy is not finite: then the whole step is skipped, for all who share it. */
function isSkipped({ angles }: ReadStep): boolean {
  return [...angles.values()].some(({ norm }) => !Number.isFinite(norm));
}

/** Means over the steps in which both had turns; none where the agent was alone in all. */
function cosinesOf(own: readonly AgentAngles[]): AgentUpdateStats['gradCosines'] {
  const others = new Set(own.flatMap(({ cosines }) => [...cosines.keys()]));
  return [...others]
    .toSorted((a, b) => a - b)
    .map((agent) => ({
      agent,
      cosine: mean(own.flatMap(({ cosines }) => cosines.get(agent) ?? [])),
    }));
}

function cosineWithRest(own: readonly AgentAngles[]): number | null {
  const cosines = own.flatMap(({ withRest }) => withRest ?? []);
  return cosines.length === 0 ? null : mean(cosines);
}

/** Means over the optimizer steps in which the agent had turns. `finalKls`: absent for a supervised update. */
export function toAgentStats(
  replica: number,
  steps: readonly StepStats[],
  finalKls: readonly FinalKl[],
  hasReference: boolean,
): AgentUpdateStats[] {
  const agents = [...new Set(steps.flatMap((step) => step.agents))].toSorted((a, b) => a - b);
  const read = steps.map(readStep);
  const updateSkipped = read.filter(isSkipped).length;
  return agents.map((agent) => {
    const column = (name: StatName): number[] =>
      read.flatMap(({ stat }) => stat(agent, name) ?? []);
    const own = read.flatMap(({ angles }) => angles.get(agent) ?? []);
    const norms = own.map(({ norm }) => norm);
    const [low, high] = [mean(column('clipFractionLow')), mean(column('clipFractionHigh'))];
    const before = (name: StatName): number | null => read[0]?.stat(agent, name) ?? null;
    const [ratioMean, ratioSquares] = [before('weightMean'), before('weightSquares')];
    return {
      replica,
      agent,
      gradNorm: mean(norms),
      gradNormMax: norms.reduce((a, b) => (b > a || Number.isNaN(b) ? b : a)),
      gradCosine: cosineWithRest(own),
      gradCosines: cosinesOf(own),
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
