import { expect, test } from 'vitest';
import { objectiveStats } from './policyObjective';
import { toAgentStats, type StepStats } from './updateStats';

/** One agent's numbers of a step, and the norm of its part. */
type Numbers = Partial<Record<'gradNorm' | (typeof objectiveStats)[number], number>>;

function stats(numbers: Numbers): Numbers {
  return numbers;
}

/** `cosine`: of all pairs. */
function step(entries: readonly [agent: number, numbers: Numbers][], cosine = 0): StepStats {
  const norms = entries.map(([, { gradNorm = 0 }]) => gradNorm);
  return {
    agents: entries.map(([agent]) => agent),
    products: norms.flatMap((a, i) => norms.map((b, j) => (i === j ? 1 : cosine) * a * b)),
    values: Float32Array.from(
      entries.flatMap(([, numbers]) => objectiveStats.map((name) => numbers[name] ?? 0)),
    ),
  };
}

test('an agent that is missing in a minibatch is averaged over the others', () => {
  const steps = [
    step([
      [0, stats({ gradNorm: 1, entropy: 2 })],
      [1, stats({ gradNorm: 5 })],
    ]),
    step([[0, stats({ gradNorm: 3, entropy: 4 })]]),
  ];
  const [first, second] = toAgentStats(7, steps, [], false);
  expect(first).toMatchObject({ replica: 7, agent: 0, gradNorm: 2, gradNormMax: 3, entropy: 3 });
  expect(second).toMatchObject({ agent: 1, gradNorm: 5, gradNormMax: 5 });
});

test('a step with a part that is not finite is skipped for every agent of the policy', () => {
  const steps = [
    step([
      [0, stats({ gradNorm: 1 })],
      [1, stats({ gradNorm: NaN })],
    ]),
    step([
      [0, stats({ gradNorm: 1 })],
      [1, stats({ gradNorm: 1 })],
    ]),
  ];
  expect(toAgentStats(0, steps, [], false).map(({ updateSkipped }) => updateSkipped)).toEqual([
    1, 1,
  ]);
});

test('the KL after the last step weighs minibatches by their tokens', () => {
  const kls = [
    { agent: 0, numTokens: 3, kl: 0.4 },
    { agent: 0, numTokens: 1, kl: 0.8 },
    { agent: 1, numTokens: 9, kl: 7 },
  ];
  const [first] = toAgentStats(0, [step([[0, stats({ gradNorm: 1 })]])], kls, false);
  // (3 · 0.4 + 1 · 0.8)/4
  expect(first!.approxKl).toBeCloseTo(0.5, 12);
});

test('mismatch and effective sample size are those of the first step, and absent for an agent without a turn in it', () => {
  // Ratios ½ and 3/2: mean 1, mean of squares 5/4, so (Σρ)²/(n Σρ²) = 4/5.
  const steps = [
    step([[0, stats({ gradNorm: 1, drift: 0.25, weightMean: 1, weightSquares: 1.25 })]]),
    step([
      [0, stats({ gradNorm: 1, drift: 9, weightMean: 9, weightSquares: 9 })],
      [1, stats({ gradNorm: 1, drift: 9, weightMean: 9, weightSquares: 9 })],
    ]),
  ];
  const [first, second] = toAgentStats(0, steps, [], false);
  expect(first).toMatchObject({ samplerMismatch: 0.25, effectiveSampleSize: 0.8 });
  expect(second).toMatchObject({ samplerMismatch: null, effectiveSampleSize: null });
});

test('the KL to the reference exists only with a reference, the cosine only with a second agent', () => {
  const alone = [step([[0, stats({ gradNorm: 1, refKl: 0.5 })]])];
  expect(toAgentStats(0, alone, [], true)[0]).toMatchObject({ refKl: 0.5, gradCosine: null });
  expect(toAgentStats(0, alone, [], false)[0]!.refKl).toBeNull();
});

test('cosines are means over the steps in which both agents had turns', () => {
  const one = stats({ gradNorm: 1 });
  const steps = [
    step(
      [
        [0, one],
        [2, one],
      ],
      0.5,
    ),
    step([[0, one]]),
    step(
      [
        [0, one],
        [1, one],
        [2, one],
      ],
      -0.25,
    ),
  ];
  const [first, second] = toAgentStats(0, steps, [], false);
  expect(first!.gradCosines).toEqual([
    { agent: 1, cosine: -0.25 },
    { agent: 2, cosine: 0.125 },
  ]);
  expect(second!.gradCosines).toEqual([
    { agent: 0, cosine: -0.25 },
    { agent: 2, cosine: -0.25 },
  ]);
  // With the rest: 0.5 in the first step; −0.5/√(2 − 0.5) in the third.
  expect(first!.gradCosine).toBeCloseTo((0.5 - 0.5 / Math.sqrt(1.5)) / 2, 12);
});
