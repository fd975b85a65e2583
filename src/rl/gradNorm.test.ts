import { describe, expect, test } from 'vitest';
import { logSoftmax } from './entropy';
import { loadGradNorm } from './golden/loadLosses';
import { mismatch } from './golden/mismatch';
import { clipCoefficient, globalNorm } from './gradNorm';
import { groupAdvantages } from './groupAdvantages';
import { predictedInflation } from './inflation';
import { policyLoss } from './policyLoss';

const golden = loadGradNorm();
const numSteps = golden.actions.length;
const numFeatures = golden.observations.length / numSteps;

function observationOf(step: number): Float64Array {
  return golden.observations.subarray(step * numFeatures, (step + 1) * numFeatures);
}

function stepsOf(agent: number): number[] {
  return Array.from(golden.scores.agentIds.keys()).filter(
    (step) => golden.scores.agentIds[step] === agent,
  );
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Log-probabilities of all actions under the agent's linear-softmax policy: z = Wx. */
function logprobsAt(step: number): Float64Array {
  const weights = golden.weights[golden.scores.agentIds[step]!]!;
  const observation = observationOf(step);
  const logits = Float64Array.from({ length: weights.length / numFeatures }, (_, action) =>
    observation.reduce((sum, x, j) => sum + x * weights[action * numFeatures + j]!, 0),
  );
  return logSoftmax(logits, logits.length);
}

/** ∂log π(action)/∂W = (onehot − p) ⊗ x. [actions, features] */
function scoreOf(step: number): Float64Array {
  const logprobs = logprobsAt(step);
  const observation = observationOf(step);
  return Float64Array.from({ length: logprobs.length * numFeatures }, (_, i) => {
    const action = Math.floor(i / numFeatures);
    const indicator = action === golden.actions[step] ? 1 : 0;
    return (indicator - Math.exp(logprobs[action]!)) * observation[i % numFeatures]!;
  });
}

/** Gradient of the agent's on-policy loss, the mean over its steps of −A log π, by the chain rule through `policyLoss`. */
function gradientOf(agent: number, advantages: Float64Array): Float64Array {
  const steps = stepsOf(agent);
  const logprobs = Float64Array.from(steps, (step) => logprobsAt(step)[golden.actions[step]!]!);
  const { gradients } = policyLoss(
    {
      logprobs,
      oldLogprobs: logprobs,
      mask: new Uint8Array(steps.length).fill(1),
      advantages: Float64Array.from(steps, (step) => advantages[step]!),
      rowWeights: null,
    },
    { clipLow: 0.2, clipHigh: 0.2, dualClip: 3, aggregation: { kind: 'tokenMean' } },
  );
  const total = new Float64Array(golden.weights[agent]!.length);
  for (const [row, step] of steps.entries())
    for (const [i, score] of scoreOf(step).entries()) total[i]! += gradients[row]! * score;
  return total;
}

describe.each(golden.modes)('linear-softmax agents, $scope, ddof $ddof', (mode) => {
  const { advantages } = groupAdvantages(golden.scores, {
    scope: mode.scope,
    unit: mode.scope === 'task' ? 'trajectory' : 'step',
    center: 'mean',
    scale: 'std',
    ddof: mode.ddof,
    epsilon: golden.epsilon,
    minStd: 0,
    singleton: 'zero',
  });

  test('advantages agree', () => {
    expect(mismatch(advantages, mode.advantages, golden.tolerance)).toBeNull();
  });

  test.each(mode.agents)('gradient, norm and clipping of agent $agent agree', (expected) => {
    const gradient = gradientOf(expected.agent, advantages);
    expect(stepsOf(expected.agent)).toHaveLength(expected.numSteps);
    expect(mismatch(gradient, expected.gradient, golden.tolerance)).toBeNull();
    const gradNorm = globalNorm([gradient]);
    const coefficient = clipCoefficient(gradNorm, 0.1);
    expect(
      mismatch(
        [gradNorm, coefficient, gradNorm * coefficient],
        [expected.gradNorm, expected.clipCoefficient, expected.gradNormAfterClip],
        golden.tolerance,
      ),
    ).toBeNull();
  });

  test('the norm over both agents agrees', () => {
    const norm = globalNorm(mode.agents.map(({ agent }) => gradientOf(agent, advantages)));
    expect(mismatch([norm], [mode.totalGradNorm], golden.tolerance)).toBeNull();
  });
});

test.each(golden.lemma)('Lemma 4.2 of Dr. MAS holds for agent $agent', (expected) => {
  const population = {
    center: 'mean',
    scale: 'std',
    ddof: 0,
    epsilon: 0,
    minStd: 0,
    singleton: 'zero',
  } as const;
  const global = groupAdvantages(golden.scores, {
    ...population,
    scope: 'task',
    unit: 'trajectory',
  });
  const own = groupAdvantages(golden.scores, {
    ...population,
    scope: 'taskAgent',
    unit: 'step',
  }).center;
  const steps = stepsOf(expected.agent);
  const scoreSquares = steps.map((step) => globalNorm([scoreOf(step)]) ** 2);
  const gradientSquares = steps.map((step, i) => global.advantages[step]! ** 2 * scoreSquares[i]!);
  const group = own.groupIndices[steps[0]!]!;
  const inflation = predictedInflation(
    own.means[group]!,
    own.stds[group]!,
    global.center.means[0]!,
    global.center.stds[0]!,
  );
  const covariance = average(gradientSquares) - average(scoreSquares) * inflation;
  expect(
    mismatch(
      [
        average(scoreSquares),
        inflation,
        covariance,
        average(gradientSquares),
        Math.sqrt(average(gradientSquares)),
      ],
      [
        expected.scoreSecondMoment,
        expected.inflation,
        expected.covariance,
        expected.gradientSecondMoment,
        expected.gradientRms,
      ],
      golden.tolerance,
    ),
  ).toBeNull();
});

test('the norm runs over all arrays together', () => {
  // 3² + 4² + 12² = 169
  expect(globalNorm([Float32Array.of(3, 4), Float64Array.of(12)])).toBe(13);
  expect(globalNorm([])).toBe(0);
});

test('a norm within the limit is left as it is, a larger one is brought to it', () => {
  expect(clipCoefficient(0.5, 1)).toBe(1);
  expect(clipCoefficient(0, 1)).toBe(1);
  // 1/(4 + 1e-6)
  expect(clipCoefficient(4, 1)).toBeCloseTo(0.25, 6);
});

test('a norm that is not finite never gives a usable coefficient', () => {
  expect(clipCoefficient(NaN, 1)).toBeNaN();
  expect(clipCoefficient(Infinity, 1)).toBe(0);
  expect(globalNorm([Float32Array.of(1, NaN)])).toBeNaN();
});
