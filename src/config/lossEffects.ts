import { klK3 } from '../rl/klEstimators';
import { overlongPenalty } from '../rl/overlongPenalty';
import { sapoTerm } from '../rl/surrogateTerms';
import { turnLimitOf } from './compatibility';
import {
  byOption,
  numberAt,
  numberOf,
  optimizerStepsOf,
  orNull,
  trajectoriesOf,
  whether,
  type Effect,
  type Effects,
  type Given,
} from './effectGiven';
import { counted, effectNumber } from './effectNumber';
import type { LossSpec } from './experimentSpec';
import type { lossFields } from './lossFields';

/** What the settings of the loss mean in numbers. ρ is the probability ratio, A the advantage. */

const band: Effect = ({ spec }) => {
  const low = numberAt(spec, 'loss.clipLow') ?? 0;
  const high = numberAt(spec, 'loss.clipHigh') ?? 0;
  const kept = {
    clip: 'Ratios are kept in',
    gspo: 'Ratios of whole turns are kept in',
    gspoToken: 'Ratios of whole turns are kept in',
    cispoBand: 'Weights are kept in',
    cispoAbsolute: 'Weights are kept in',
    sapo: 'Ratios are kept in',
  }[spec.loss.kind];
  return `${kept} [${effectNumber(1 - low)}, ${effectNumber(1 + high)}].`;
};

/** Slopes of SAPO's gate beside that at ratio 1, which is |A|. */
function gateText(spec: Given['spec'], advantage: 1 | -1): string {
  const temperatures = {
    tauPositive: numberAt(spec, 'loss.tauPositive') ?? 1,
    tauNegative: numberAt(spec, 'loss.tauNegative') ?? 1,
  };
  const slope = (ratio: number): number => Math.abs(sapoTerm(advantage, ratio, temperatures).slope);
  return `A token’s gradient, 1·|A| at ρ = 1, is ${effectNumber(slope(1.5))}·|A| at ρ = 1.5 and ${effectNumber(slope(3))}·|A| at ρ = 3.`;
}

const steps: Effect = ({ spec }) => {
  const { numMinibatches, numUpdateEpochs } = spec.loss;
  const trajectories = trajectoriesOf(spec);
  const perStep = Math.ceil(trajectories / numMinibatches);
  return `${counted(numUpdateEpochs, 'epoch')} × ${counted(numMinibatches, 'minibatch', 'minibatches')} = ${counted(optimizerStepsOf(spec), 'optimizer step')} an iteration, each on at most ${counted(perStep, 'trajectory', 'trajectories')} and ${counted(perStep * turnLimitOf(spec.environment), 'turn')}.`;
};

const clipEffects = {
  'loss.kind': byOption<LossSpec['kind']>({
    clip: band,
    gspo: band,
    gspoToken: band,
    cispoAbsolute: ({ spec }) =>
      `Weights are kept in [0, ${effectNumber(numberAt(spec, 'loss.weightCap') ?? Infinity)}].`,
    cispoBand: band,
    sapo: ({ spec }) => gateText(spec, 1),
  }),
  'loss.clipLow': band,
  'loss.clipHigh': band,
  'loss.dualClip': orNull(
    (given) =>
      `With A < 0 a token costs at most ${effectNumber(numberOf(given))}·|A|, from ρ = ${effectNumber(numberOf(given))} on.`,
    'With A < 0 the loss of a token grows with ρ without a limit.',
  ),
  'loss.weightCap': (given) =>
    `Weights are kept in [0, ${effectNumber(numberOf(given))}]: the cap is met where log ρ reaches ${effectNumber(Math.log(numberOf(given)))} nats.`,
  'loss.tauPositive': ({ spec }) => gateText(spec, 1),
  'loss.tauNegative': ({ spec }) => gateText(spec, -1),
} satisfies Effects;

const averageEffects = {
  'loss.aggregation': byOption<LossSpec['aggregation']>({
    tokenMean: ({ world }) =>
      world.maxActionTokens === 1
        ? 'Every action has one token here: the same as the turn mean.'
        : `A turn of ${counted(world.maxActionTokens, 'token')} weighs ${world.maxActionTokens} times one of a single token.`,
    sequenceMean: () => 'Every turn weighs the same, whatever its length.',
    constantLength: ({ world }) => {
      const length = world.maxPromptTokens + world.maxActionTokens;
      return `A turn’s token losses are summed and divided by ${world.maxPromptTokens} + ${world.maxActionTokens} = ${length}.`;
    },
  }),
  'loss.balance': byOption<LossSpec['balance']>({
    none: () => 'Every token counts as the aggregation says.',
    agentFrequency: (given) => {
      const count = Object.keys(given.spec.agents).length;
      return `Each of ${counted(count, 'agent')} counts equally in a task, however often it acted.`;
    },
    rollout: ({ spec }) =>
      `Each of ${counted(trajectoriesOf(spec), 'trajectory', 'trajectories')} counts equally, however long it is.`,
  }),
} satisfies Effects;

/** k3 of a token that is twice as likely as under the reference. Unit: nats. */
function klOfDoubling(): number {
  return klK3(Float64Array.of(Math.LN2), Float64Array.of(0)).values[0]!;
}

/** A sentence about the KL penalty, or that there is none. */
const ofPenalty =
  (effect: Effect): Effect =>
  (given) =>
    given.spec.loss.refKlCoef === 0 ? 'Not in use: the KL penalty β is 0.' : effect(given);

const penaltyEffects = {
  'loss.entropyCoef': (given) => {
    const { vocabularySize } = given.world;
    if (numberOf(given) === 0) return 'No bonus for undecided policies.';
    const bonus = numberOf(given) * Math.log(vocabularySize);
    return `A free choice among all ${counted(vocabularySize, 'token')} earns ${effectNumber(numberOf(given))} × ln ${vocabularySize} = ${effectNumber(bonus)} more than a sure one; a success earns 1.`;
  },
  'loss.refKlCoef': (given) =>
    numberOf(given) === 0
      ? 'No penalty.'
      : `With k3, a token twice as likely as under the reference costs ${effectNumber(numberOf(given))} × ${effectNumber(klOfDoubling())} = ${effectNumber(numberOf(given) * klOfDoubling())}.`,
  'loss.refKlEstimator': ofPenalty(
    byOption<LossSpec['refKlEstimator']>({
      k1: () => 'For a token twice as likely as under the reference: ln 2 = 0.6931 nats.',
      k2: () =>
        `For a token twice as likely as under the reference: (ln 2)²/2 = ${effectNumber(Math.LN2 ** 2 / 2)} nats.`,
      k3: () =>
        `For a token twice as likely as under the reference: ½ − 1 + ln 2 = ${effectNumber(klOfDoubling())} nats.`,
      k3ValueK2Gradient: () =>
        `For a token twice as likely as under the reference: ${effectNumber(klOfDoubling())} nats, with the slope ln 2 of k2.`,
    }),
  ),
  'loss.refKlIn': ofPenalty(
    byOption<LossSpec['refKlIn']>({
      loss: () => 'Acts on every token, whatever its advantage.',
      reward: () => 'Changes rewards and so the groups’ means and standard deviations.',
    }),
  ),
} satisfies Effects;

/** A sentence about the sampler correction, or that there is none. */
const ofCorrection =
  (isUsed: (correction: LossSpec['samplerCorrection']) => boolean, effect: Effect): Effect =>
  (given) =>
    isUsed(given.spec.loss.samplerCorrection)
      ? effect(given)
      : 'Not in use with this sampler correction.';

const truncated: Effect = ({ spec }) =>
  `Weights are kept in [0, ${effectNumber(spec.loss.samplerWeightHigh)}].`;

const masked: Effect = ({ spec }) =>
  `Weights outside [${effectNumber(spec.loss.samplerWeightLow)}, ${effectNumber(spec.loss.samplerWeightHigh)}] become 0.`;

const offPolicyEffects = {
  'loss.oldLogprobs': byOption<LossSpec['oldLogprobs']>({
    sampler: ({ spec: { groups } }) =>
      groups.staleIterations === 0
        ? 'Rollouts are fresh: before the first optimizer step ρ is 1 but for rounding.'
        : `ρ also holds what the policy learned in ${counted(groups.staleIterations, 'iteration')}.`,
    trainer: () => 'One more pass over the batch; before the first optimizer step ρ is exactly 1.',
  }),
  'loss.samplerCorrection': byOption<LossSpec['samplerCorrection']>({
    none: () => 'Every token weighs 1.',
    tokenTruncate: truncated,
    tokenMask: masked,
    sequenceTruncate: truncated,
    sequenceMask: masked,
  }),
  'loss.samplerWeightLow': ofCorrection((correction) => correction.endsWith('Mask'), masked),
  'loss.samplerWeightHigh': ofCorrection(
    (correction) => correction !== 'none',
    (given) =>
      given.spec.loss.samplerCorrection.endsWith('Mask') ? masked(given) : truncated(given),
  ),
  'loss.maxMeanLogRatio': orNull(
    (given) =>
      `Turns with A < 0 are left out once their tokens’ ratios have a geometric mean below exp(−δ) = ${effectNumber(Math.exp(-numberOf(given)))}.`,
    'No turn is left out for its ratio.',
  ),
} satisfies Effects;

/** What the longest episodes lose, turn by turn. */
function overlongText({ spec }: Given): string {
  const { overlongTurns: cacheTokens, overlongPenalty: maxPenalty } = spec.loss;
  if (cacheTokens === 0) return 'Not in use: no turn counts as overlong.';
  const maxTokens = turnLimitOf(spec.environment);
  const lengths = Array.from({ length: cacheTokens }, (_, i) => maxTokens - cacheTokens + 1 + i);
  const costs = lengths.map((length) => {
    const cost = -overlongPenalty(length, { maxTokens, cacheTokens, maxPenalty });
    return `${effectNumber(cost)} with ${counted(length, 'turn')}`;
  });
  return `An episode loses ${costs.join(', ')}; shorter ones nothing.`;
}

export const lossEffects = {
  ...clipEffects,
  ...averageEffects,
  ...penaltyEffects,
  ...offPolicyEffects,
  'loss.dynamicSampling': whether(
    ({ spec: { groups } }) =>
      `An iteration learns from 0 to ${counted(groups.tasksPerIteration, 'task')}, each of ${counted(groups.groupSize, 'rollout')} that did not all earn the same.`,
    ({ spec }) =>
      `All ${counted(spec.groups.tasksPerIteration, 'task')} take part; those of equal rewards only thin the mean.`,
  ),
  'loss.overlongTurns': overlongText,
  'loss.overlongPenalty': overlongText,
  'loss.numUpdateEpochs': steps,
  'loss.numMinibatches': steps,
} satisfies Record<keyof typeof lossFields, Effect>;
