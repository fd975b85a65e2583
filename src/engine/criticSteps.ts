import type { EstimatorSpec } from '../config/experimentSpec';
import { whitenAdvantages } from '../rl/advantageWhitening';
import { gae } from '../rl/gae';
import type { ValueTrace } from '../rl/valueTrace';
import { vtrace } from '../rl/vtrace';
import type { Steps } from './steps';

/** What a critic reads before each step, and what its values make of the steps' rewards. Pure. Axis S. */

type CriticEstimator = Extract<EstimatorSpec, { kind: 'gae' | 'vtrace' }>;

/** Added to the standard deviation when advantages are whitened: r_mappo. */
const whiteningEpsilon = 1e-5;

/** Returns that differ by less than this share of the largest number they were made of are equal: what differs is rounding. Ours. */
const roundingShare = 1e-12;

/**
 * [S] × the sequences whose values add up to that of the step: the agent's prompt (IPPO), the shared state (MAPPO), or the last prompt of
 * every agent that has acted in the episode so far, this step's own included (VDN; an agent that has not acted yet is worth 0).
 */
export function criticSequences(
  { turns, trajectoryOf }: Pick<Steps, 'turns' | 'trajectoryOf'>,
  critic: CriticEstimator['critic'],
): (readonly Int32Array[])[] {
  switch (critic) {
    case 'own':
      return turns.map(({ promptTokens }) => [promptTokens]);
    case 'state':
      return turns.map(({ stateTokens }) => {
        if (stateTokens === null)
          throw new Error('A turn has no shared state: its rollout was played without a critic.');
        return [stateTokens];
      });
    case 'sum': {
      let lastPrompts = new Map<number, Int32Array>();
      return turns.map(({ agent, promptTokens }, step) => {
        const isFirst = step === 0 || trajectoryOf[step] !== trajectoryOf[step - 1];
        lastPrompts = new Map(isFirst ? [] : lastPrompts).set(agent, promptTokens);
        return [...lastPrompts.values()];
      });
    }
  }
}

/**
 * Steps that follow each other in the eyes of the critic, each list in order: with a critic of its own every agent sees its own steps
 * of a sample (a main trajectory or one invocation); the team's critic sees all steps of an episode.
 */
function tracesOf(steps: Steps, critic: CriticEstimator['critic']): number[][] {
  const traces = new Map<string, number[]>();
  for (const [step, { agent }] of steps.turns.entries()) {
    const key =
      critic === 'own' ? `${steps.sampleOf[step]} ${agent}` : `${steps.trajectoryOf[step]}`;
    const trace = traces.get(key) ?? [];
    traces.set(key, trace);
    trace.push(step);
  }
  return [...traces.values()];
}

/** [S] what each step brought to its trace: minus its cost, and what the sample earned at the trace's last step. */
function traceRewards(steps: Steps, traces: readonly number[][]): Float64Array {
  const rewards = steps.stepCosts.map((cost) => 0 - cost);
  for (const trace of traces) rewards[trace.at(-1)!]! += steps.sampleRewards[trace.at(-1)!]!;
  return rewards;
}

export interface CriticScores {
  /** [S] Unit: reward, or standard deviations where whitened. Always finite: 0 in a trace with a reward or value that is not. */
  readonly advantages: Float64Array;
  /** [S] what the values are to become; NaN in a trace with a reward or value that is not finite. Unit: reward. */
  readonly returns: Float64Array;
  /** Steps of such traces. */
  readonly numNonFinite: number;
  /** 1 − var(R − V)/var(R) over the others; NaN where all R are equal but for rounding. */
  readonly explainedVariance: number;
}

/** One trace that the rules end. */
function toTrace(rewards: Float64Array, values: Float64Array): ValueTrace {
  const terminated = new Uint8Array(rewards.length);
  terminated[rewards.length - 1] = 1;
  const none = new Uint8Array(rewards.length);
  return {
    rewards,
    values,
    terminated,
    truncated: none,
    bootstrapValues: new Float64Array(rewards.length),
  };
}

/** Advantages and targets of one trace. */
function scoreTrace(
  trace: ValueTrace,
  logRatios: Float64Array,
  estimator: CriticEstimator,
): { advantages: Float64Array; returns: Float64Array } {
  if (estimator.kind === 'gae') return gae(trace, estimator);
  const { targets, advantages } = vtrace(trace, logRatios, estimator);
  return { advantages, returns: targets };
}

/** Var over the entries that `isCounted`; NaN without any. */
function variance(values: Float64Array, isCounted: (step: number) => boolean): number {
  const counted = values.filter((_, step) => isCounted(step));
  const mean = counted.reduce((sum, value) => sum + value, 0) / counted.length;
  return counted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / counted.length;
}

function explainedVarianceOf(returns: Float64Array, values: Float64Array): number {
  const isCounted = (step: number): boolean => !Number.isNaN(returns[step]!);
  const largest = returns.reduce(
    (most, target, step) =>
      isCounted(step) ? Math.max(most, Math.abs(target), Math.abs(values[step]!)) : most,
    0,
  );
  const total = variance(returns, isCounted);
  const rest = variance(
    returns.map((target, step) => target - values[step]!),
    isCounted,
  );
  return Math.sqrt(total) > roundingShare * largest ? 1 - rest / total : NaN;
}

/** Whitens each agent's advantages over its own steps. */
function whitenByAgent({ turns }: Steps, advantages: Float64Array, mask: Uint8Array): Float64Array {
  const whitened = new Float64Array(advantages.length);
  for (const agent of new Set(turns.map((turn) => turn.agent))) {
    const active = mask.map((counts, step) => (turns[step]!.agent === agent ? counts : 0));
    const own = whitenAdvantages(advantages, active, whiteningEpsilon).advantages;
    for (const [step, isActive] of active.entries())
      if (isActive === 1) whitened[step] = own[step]!;
  }
  return whitened;
}

/**
 * Advantages from values: GAE (IPPO, MAPPO) or V-trace, every episode terminated by its rules. With the team's critic the team shares the
 * outcome and every step's cost.
 * @param values [S] before the update. Unit: reward
 * @param logRatios [S] log π(action) − log μ(action) of the policy trained and the one that acted; read by V-trace. Unit: nats
 */
export function criticScores(
  steps: Steps,
  values: Float64Array,
  logRatios: Float64Array,
  estimator: CriticEstimator,
): CriticScores {
  const traces = tracesOf(steps, estimator.critic);
  const rewards = traceRewards(steps, traces);
  const advantages = new Float64Array(values.length);
  const returns = new Float64Array(values.length).fill(NaN);
  const mask = new Uint8Array(values.length);
  for (const trace of traces) {
    const pick = (from: Float64Array): Float64Array =>
      Float64Array.from(trace, (step) => from[step]!);
    const scored = scoreTrace(toTrace(pick(rewards), pick(values)), pick(logRatios), estimator);
    // Whatever is not finite in a trace, be it a reward, a value or a ratio, reaches one of the two.
    if (![...scored.advantages, ...scored.returns].every(Number.isFinite)) continue;
    for (const [place, step] of trace.entries()) {
      advantages[step] = scored.advantages[place]!;
      returns[step] = scored.returns[place]!;
      mask[step] = 1;
    }
  }
  return {
    advantages: estimator.isWhitened ? whitenByAgent(steps, advantages, mask) : advantages,
    returns,
    numNonFinite: mask.filter((counts) => counts === 0).length,
    explainedVariance: explainedVarianceOf(returns, values),
  };
}
