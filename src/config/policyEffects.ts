import { clipCoefficient } from '../rl/gradNorm';
import {
  agentsOf,
  byOption,
  numberOf,
  optimizerStepsOf,
  orNull,
  policyOf,
  whether,
  type Effect,
  type Effects,
  type Given,
} from './effectGiven';
import { counted, effectNumber, percent } from './effectNumber';
import type { OptimizerSpec, PolicySpec } from './experimentSpec';
import { parameterCount } from './parameterCount';
import type { policyFields } from './policyFields';
import { scheduledShare } from './scheduledRate';

/** What the settings of the policies mean in numbers. */

function countsOf(given: Given) {
  return parameterCount(policyOf(given).policy.architecture, given.world.vocabularySize);
}

function totalText(given: Given): string {
  return `The policy has ${counted(countsOf(given).total, 'parameter')}.`;
}

const assignment: Effect = (given) => {
  const { spec, world, path, value } = given;
  const policyId = String(value);
  const policy = spec.policies[policyId];
  if (policy === undefined) return `There is no policy ${policyId}.`;
  const agent = path.split('.')[1] ?? '';
  const others = agentsOf(given.spec, policyId).filter((other) => other !== agent);
  const { total } = parameterCount(policy.architecture, world.vocabularySize);
  const size = counted(total, 'parameter');
  return others.length === 0
    ? `${agent} has ${size} of its own.`
    : `${agent} shares ${size} and one optimizer with ${others.join(', ')}.`;
};

/** Learning rates at the first, the middle and the last iteration. */
function ratesText(given: Given): string {
  const { optimizer, schedule } = policyOf(given).policy;
  const { iterations } = given.spec;
  const places = [...new Set([1, Math.ceil(iterations / 2), iterations])];
  const rates = places.map((iteration) => {
    const rate = optimizer.learningRate * scheduledShare(schedule, iteration, iterations);
    return `${effectNumber(rate)} in iteration ${effectNumber(iteration)}`;
  });
  return `Learning rate: ${rates.join(', ')}.`;
}

const headWidth: Effect = (given) => {
  const { hiddenSize, numHeads, numKeyValueHeads } = policyOf(given).policy.architecture;
  return `Each head is ${hiddenSize}/${numHeads} = ${hiddenSize / numHeads} wide; ${counted(numHeads / numKeyValueHeads, 'query head')} read each of ${counted(numKeyValueHeads, 'key-value head')}. ${totalText(given)}`;
};

const numAveraged = (beta: number): string => counted(1 / (1 - beta), 'step');

const optimizerEffects = {
  'policies.*.optimizer.kind': byOption<OptimizerSpec['kind']>({
    adamw: (given) =>
      `Two numbers are kept beside each parameter: ${counted(2 * countsOf(given).total, 'number')}. A constant gradient moves every weight by the learning rate, whatever its length.`,
    sgd: (given) =>
      `One number is kept beside each parameter: ${counted(countsOf(given).total, 'number')}. A gradient twice as long moves the weights twice as far.`,
  }),
  'policies.*.optimizer.learningRate': ratesText,
  'policies.*.optimizer.beta1': (given) =>
    `The direction averages over about 1/(1 − β₁) = ${numAveraged(numberOf(given))}.`,
  'policies.*.optimizer.beta2': (given) => {
    const numSteps = given.spec.iterations * optimizerStepsOf(given.spec);
    return `The scale averages over about 1/(1 − β₂) = ${numAveraged(numberOf(given))}; the run has ${effectNumber(numSteps)}.`;
  },
  'policies.*.optimizer.epsilon': (given) =>
    `A weight whose gradients have root mean square ${effectNumber(numberOf(given))} moves at half speed; where they are much larger ε does nothing.`,
  'policies.*.optimizer.weightDecay': (given) => {
    const { optimizer } = policyOf(given).policy;
    const left = 1 - optimizer.learningRate * numberOf(given);
    return numberOf(given) === 0
      ? 'Weights do not shrink by themselves.'
      : `At the full learning rate a step multiplies every weight by 1 − ${effectNumber(optimizer.learningRate)} × ${effectNumber(numberOf(given))} = ${effectNumber(left)}.`;
  },
  'policies.*.optimizer.momentum': (given) =>
    `A constant gradient comes to move the weights by 1/(1 − μ) = ${effectNumber(1 / (1 - numberOf(given)))} × the learning rate × itself.`,
  'policies.*.optimizer.maxGradNorm': orNull((given) => {
    const limit = numberOf(given);
    return `A gradient of norm ${effectNumber(10 * limit)} is multiplied by ${effectNumber(clipCoefficient(10 * limit, limit))}; one of norm up to ${effectNumber(limit)} stays as it is.`;
  }, 'Gradients are used at any length.'),
} satisfies Effects;

const architectureEffects = {
  'policies.*.architecture.numLayers': (given) => {
    const { layer } = countsOf(given);
    return `${numberOf(given)} × ${effectNumber(layer)} = ${counted(numberOf(given) * layer, 'parameter')} in the blocks. ${totalText(given)}`;
  },
  'policies.*.architecture.hiddenSize': totalText,
  'policies.*.architecture.numHeads': headWidth,
  'policies.*.architecture.numKeyValueHeads': headWidth,
  'policies.*.architecture.intermediateSize': (given) => {
    const { hiddenSize } = policyOf(given).policy.architecture;
    return `3 × ${hiddenSize} × ${numberOf(given)} = ${counted(3 * hiddenSize * numberOf(given), 'parameter')} in each block’s MLP. ${totalText(given)}`;
  },
  'policies.*.architecture.tieEmbeddings': whether(
    (given) =>
      `The head is the embedding: ${counted(countsOf(given).embedding, 'parameter')} saved. ${totalText(given)}`,
    (given) =>
      `The head has ${counted(countsOf(given).head, 'parameter')} of its own. ${totalText(given)}`,
  ),
  'policies.*.architecture.ropeTheta': (given) => {
    const { hiddenSize, numHeads } = policyOf(given).policy.architecture;
    const size = hiddenSize / numHeads;
    // Pair j of a head turns by position · θ^(−2j/size), j = 0 … size/2 − 1.
    const slowest = 2 * Math.PI * numberOf(given) ** ((size - 2) / size);
    const { maxPromptTokens, maxActionTokens } = given.world;
    return `The slowest of the ${counted(size / 2, 'pair')} of a head turns once in ${effectNumber(slowest)} tokens, the fastest in ${effectNumber(2 * Math.PI)}; a sequence has up to ${maxPromptTokens + maxActionTokens}.`;
  },
} satisfies Effects;

export const policyEffects = {
  'agents.*.policy': assignment,
  'policies.*.isFrozen': whether(
    (given) =>
      `None of its ${counted(countsOf(given).total, 'parameter')} move after the warm start.`,
    (given) => {
      const steps = optimizerStepsOf(given.spec);
      return `Its ${counted(countsOf(given).total, 'parameter')} take up to ${counted(steps, 'optimizer step')} an iteration, ${effectNumber(steps * given.spec.iterations)} in the run.`;
    },
  ),
  ...architectureEffects,
  ...optimizerEffects,
  'policies.*.schedule.kind': byOption<PolicySpec['schedule']['kind']>({
    constant: ratesText,
    linear: ratesText,
    cosine: ratesText,
  }),
  'policies.*.schedule.warmupIterations': (given) =>
    numberOf(given) === 0
      ? `No warm-up. ${ratesText(given)}`
      : `Iteration i has i/${numberOf(given)} of the full rate. ${ratesText(given)}`,
  'policies.*.schedule.finalFraction': (given) =>
    policyOf(given).policy.schedule.kind === 'constant'
      ? 'Not in use: the schedule is constant.'
      : `Ends at ${percent(numberOf(given))} of the full rate. ${ratesText(given)}`,
} satisfies Record<keyof typeof policyFields, Effect>;
