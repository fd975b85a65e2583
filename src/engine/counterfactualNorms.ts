import { defaultEstimators } from '../config/defaults';
import type { MetricKey } from '../metrics/catalog';
import { gini } from '../rl/gini';
import { groupAdvantages, type EstimatorOptions } from '../rl/groupAdvantages';
import { dryPass } from './dryPass';
import { itemsToLearn, stepsToLearn } from './itemsToLearn';
import type { Learning, ReplicaBatch } from './learning';
import type { TurnToLearn } from './update';

/**
 * How long each agent's gradient would be under other normalizations of the same scores (Dr. MAS's claim, measured instead of
 * predicted). Same rollouts, same weights, same loss: only what advantages are compared with and divided by differs.
 */

type NormKey = Extract<MetricKey, `gradNorm${string}`>;

/** The arms of the presets, and Dr. MAS's without its division. */
const normalizations = {
  gradNormGlobal: { scope: 'task', unit: 'trajectory' },
  gradNormGlobalStep: { scope: 'task', unit: 'step' },
  gradNormAgentWise: { scope: 'taskAgent', unit: 'step' },
  gradNormCentered: { scope: 'taskAgent', unit: 'step', scale: 'none' },
} as const satisfies Partial<Record<NormKey, Partial<EstimatorOptions>>>;

/**
 * [S] The replica's advantages had they been normalized so. Conventions (ddof, ε, smallest std, groups of one) are those of the default
 * estimator in every arm, so that arms are comparable; an alignment's weights and the failure tags' factors are as in use.
 */
function advantagesUnder(
  { scored, tagScales }: Pick<ReplicaBatch, 'scored' | 'tagScales'>,
  changes: Partial<EstimatorOptions>,
): Float64Array {
  const { scores, weights } = scored;
  const isPlain = weights.every((weight) => weight === 1);
  const options = { ...defaultEstimators.group, ...changes };
  const { advantages } = groupAdvantages(isPlain ? scores : { ...scores, weights }, options);
  return tagScales === null ? advantages : advantages.map((value, i) => value * tagScales[i]!);
}

type Values = Partial<Record<MetricKey, number>>;

/** Which of the numbers are wanted. */
interface Wanted {
  readonly counterfactualNorms: boolean;
  readonly gradientConcentration: boolean;
}

/** One replica's turns to learn, and their steps. */
interface Part {
  readonly batch: ReplicaBatch;
  readonly steps: readonly number[];
  readonly items: readonly TurnToLearn[];
}

/** [parts] × [agents] of one pass with the advantages that `advantagesOf` gives [S]. */
async function passWith(
  learning: Pick<Learning, 'plan' | 'policies'>,
  parts: readonly Part[],
  advantagesOf: (batch: ReplicaBatch) => Float64Array,
): Promise<{ norm: number; tensorSquares: Float64Array }[][]> {
  const turns = parts.flatMap(({ batch, steps, items }) => {
    const advantages = advantagesOf(batch);
    return items.map((item, place) => ({
      item: { ...item, advantage: advantages[steps[place]!]! },
      segment: item.turn.agent,
    }));
  });
  const gradientsOf = await dryPass(learning, turns);
  return parts.map(({ batch: { replica } }) =>
    replica.workflow.spec.agents.map((_, agent) => {
      const gradients = gradientsOf(replica.index, agent);
      const place = gradients?.segments.indexOf(agent) ?? -1;
      // An agent that does not learn has no gradient, which is no gradient of length 0.
      if (gradients === null || place < 0) return { norm: NaN, tensorSquares: new Float64Array() };
      const { segments, products, tensorSquares } = gradients;
      const size = tensorSquares.length / segments.length;
      return {
        norm: Math.sqrt(products[place * segments.length + place]!),
        tensorSquares: tensorSquares.subarray(place * size, (place + 1) * size),
      };
    }),
  );
}

/** [batches] × [agents] norms under each normalization and in use, and how concentrated the gradient in use is. */
export async function measureNorms(
  learning: Pick<Learning, 'plan' | 'policies'>,
  batches: readonly ReplicaBatch[],
  iteration: number,
  { counterfactualNorms, gradientConcentration }: Wanted,
): Promise<Values[][]> {
  const parts = batches.map((batch) => ({
    batch,
    steps: stepsToLearn(batch),
    items: itemsToLearn(batch, iteration),
  }));
  const inUse = await passWith(learning, parts, ({ scored }) => scored.advantages);
  const values = inUse.map((agents) =>
    agents.map(({ norm, tensorSquares }): Values => ({
      ...(gradientConcentration ? { gradGini: gini(tensorSquares) } : {}),
      ...(counterfactualNorms ? { gradNormInUse: norm } : {}),
    })),
  );
  if (!counterfactualNorms) return values;
  for (const [key, changes] of Object.entries(normalizations)) {
    const norms = await passWith(learning, parts, (batch) => advantagesUnder(batch, changes));
    for (const [index, agents] of norms.entries())
      for (const [agent, { norm }] of agents.entries())
        Object.assign(values[index]![agent]!, { [key]: norm });
  }
  return values;
}
