import * as tf from '@tensorflow/tfjs-core';
import { defaultLosses } from '../config/defaults';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ArchitectureSpec, LossSpec } from '../config/experimentSpec';
import { categoricalEntropy, logSoftmax } from '../rl/entropy';
import { globalNorm } from '../rl/gradNorm';
import { mismatch } from '../rl/golden/mismatch';
import type { PolicyLoss } from '../rl/lossBatch';
import { surrogate } from '../rl/surrogateLoss';
import { toSurrogateSpec } from './golden/surrogateSpec';
import { foldIn, keyFromSeed, normal } from '../rl/rng';
import { drawWeights, plainLogits, type PlainWeights } from './golden/plainModel';
import {
  clippedLoss,
  plainSgd,
  smallArchitecture,
  smallCohort,
  toUpdateBatch,
  type PlainTurn,
} from './golden/smallCohort';
import { createOptimizerState } from './optimizer';
import { sizeOf } from './parameters';
import { createCohortModel, type CohortModel, type ReplicaState } from './replica';
import { selectBackend } from './tfjsBackend';
import { sliceGradient, uploadSlices } from './updateReplica';

/**
 * The gradient that the optimizer gets, against central differences of the same loss in float64: `plainLogits` through
 * `rl/policyLoss` and `rl/entropy`. Differences of the float32 loss itself would drown in its rounding (1e-7 / step width).
 */

beforeAll(() => selectBackend('cpu'));

type Objective = 'policyGradient' | 'supervised';

const actions = [[2], [0, 3], [5, 1, 1], [2], [4], [6, 6]];
const prompts = [[1, 2, 3], [4], [0, 5], [1, 2, 3], [1, 2, 3], [2, 2, 6, 1, 0]];
const advantages = [1, -1, 0.5, 1, -2, -0.7];
/** By how much each action token is likelier than when it was sampled: ratios well inside or outside every clip bound. */
const logRatios = [[0.5], [-0.6, 0.1], [-0.05, 0.4, 0.15], [0.5], [1.4], [-0.1, -0.9]];

function actionLogprobs(
  architecture: ArchitectureSpec,
  weights: PlainWeights,
  { prompt, action }: Pick<PlainTurn, 'prompt' | 'action'>,
): { logits: Float64Array; logprobs: number[] } {
  const all = plainLogits(architecture, weights, [...prompt, ...action.slice(0, -1)]);
  const logits = Float64Array.from(all.slice(prompt.length - 1).flat());
  const perRow = logSoftmax(logits, smallCohort.vocabularySize);
  const logprobs = action.map((token, i) => perRow[i * smallCohort.vocabularySize + token]!);
  return { logits, logprobs };
}

/** Six turns of two agents, two of them equal. */
function turnsFor(architecture: ArchitectureSpec, weights: PlainWeights): PlainTurn[] {
  return actions.map((action, row) => {
    const prompt = prompts[row]!;
    const { logprobs } = actionLogprobs(architecture, weights, { prompt, action });
    const oldLogprobs = logprobs.map((logprob, i) => Math.fround(logprob - logRatios[row]![i]!));
    return { agent: row % 2, prompt, action, oldLogprobs, advantage: advantages[row]! };
  });
}

/** The loss in float64, on rows padded to three action tokens. */
function plainLoss(
  architecture: ArchitectureSpec,
  weights: PlainWeights,
  turns: readonly PlainTurn[],
  spec: LossSpec,
): { loss: number; surrogateLoss: PolicyLoss; crossEntropy: number } {
  const width = smallCohort.maxActionTokens;
  const size = turns.length * width;
  const mask = new Uint8Array(size);
  const [logprobs, oldLogprobs] = [new Float64Array(size), new Float64Array(size)];
  const factors = new Float64Array(size).fill(1);
  let entropySum = 0;
  for (const [row, turn] of turns.entries()) {
    const current = actionLogprobs(architecture, weights, turn);
    logprobs.set(current.logprobs, row * width);
    oldLogprobs.set(turn.oldLogprobs, row * width);
    factors.set(turn.lossFactors ?? [], row * width);
    mask.fill(1, row * width, row * width + turn.action.length);
    const { entropies } = categoricalEntropy(current.logits, smallCohort.vocabularySize);
    entropySum += entropies.reduce((sum, entropy) => sum + entropy, 0);
  }
  const numTokens = mask.reduce((sum, counts) => sum + counts, 0);
  const surrogateLoss = surrogate(
    {
      logprobs,
      oldLogprobs,
      mask,
      advantages: Float64Array.from(turns, ({ advantage }) => Math.fround(advantage)),
      rowWeights: null,
      tokenWeights: factors,
    },
    toSurrogateSpec(spec, width),
  );
  return {
    loss: surrogateLoss.loss - (spec.entropyCoef * entropySum) / numTokens,
    surrogateLoss,
    crossEntropy: -logprobs.reduce((sum, logprob) => sum + logprob, 0) / numTokens,
  };
}

interface Setting {
  readonly model: CohortModel;
  readonly weights: PlainWeights;
  readonly turns: readonly PlainTurn[];
}

function settingOf(architecture: ArchitectureSpec): Setting {
  const model = createCohortModel({ ...smallCohort, architecture });
  const weights = drawWeights(model.parameters, 5);
  return { model, weights, turns: turnsFor(architecture, weights) };
}

function replicaOf({ model, weights }: Setting, loss: LossSpec): ReplicaState {
  return {
    hyper: { seed: 0, optimizer: plainSgd, loss },
    weights: model.parameters.map(({ name, shape }) => tf.tensor(weights.get(name)!, [...shape])),
    optimizer: createOptimizerState(plainSgd, 1),
    reference: null,
  };
}

/** [P] one gradient per agent, in the order of the agents. */
function agentGradients(
  setting: Setting,
  turns: readonly PlainTurn[],
  loss: LossSpec,
  objective: Objective,
): Float32Array[] {
  const batch = toUpdateBatch(turns, objective);
  const rows = [...turns.keys()];
  return tf.tidy(() => {
    const replica = replicaOf(setting, loss);
    const slices = uploadSlices(batch, rows, setting.model, loss.aggregation);
    return slices.map((slice) =>
      sliceGradient(setting.model, replica, slice, objective).gradient.dataSync<'float32'>(),
    );
  });
}

function sumOf(parts: readonly Float32Array[]): Float64Array {
  return Float64Array.from(parts[0]!, (_, i) => parts.reduce((sum, part) => sum + part[i]!, 0));
}

/** One parameter along one direction. */
interface Check {
  readonly name: string;
  /** Of the gradient. */
  readonly norm: number;
  /** ⟨gradient, direction⟩ */
  readonly slope: number;
  readonly difference: number;
  readonly allowed: number;
}

/** A parameter without a gradient would agree with anything. */
function isWrong({ norm, slope, difference, allowed }: Check): boolean {
  return !(Math.abs(slope - difference) < allowed) || norm < 1e-3;
}

const architectures: Record<string, ArchitectureSpec> = {
  'an untied head': smallArchitecture,
  'a tied head': { ...smallArchitecture, tieEmbeddings: true },
  'two layers of four heads on two key heads': {
    ...smallArchitecture,
    numLayers: 2,
    hiddenSize: 16,
    numHeads: 4,
    numKeyValueHeads: 2,
  },
};

const objectives: [string, Objective, LossSpec][] = [
  ['clipped policy gradient with entropy', 'policyGradient', clippedLoss],
  ['turn mean of it', 'policyGradient', { ...clippedLoss, aggregation: 'sequenceMean' }],
  [
    'constant-length mean of it',
    'policyGradient',
    { ...clippedLoss, aggregation: 'constantLength' },
  ],
  ['GSPO', 'policyGradient', { ...defaultLosses.gspo, clipLow: 0.5, clipHigh: 0.5 }],
  ['GSPO-token', 'policyGradient', { ...defaultLosses.gspoToken, clipLow: 0.5, clipHigh: 0.5 }],
  ['SAPO', 'policyGradient', defaultLosses.sapo],
  ['cross-entropy', 'supervised', clippedLoss],
];

test('the turns of these tests reach every branch of the loss', () => {
  const { weights, turns } = settingOf(smallArchitecture);
  const { surrogateLoss } = plainLoss(smallArchitecture, weights, turns, clippedLoss);
  // 10 action tokens. High: two of 0.5 and one of 0.4 with A > 0. Low: −0.6 and −0.9 with A < 0. Dual: 1.4 > ln 3 with A < 0.
  expect(surrogateLoss.clipFractionHigh).toBeCloseTo(0.3, 12);
  expect(surrogateLoss.clipFractionLow).toBeCloseTo(0.2, 12);
  expect(surrogateLoss.dualClipFraction).toBeCloseTo(0.1, 12);
});

/** One check per parameter. */
function checksOf(setting: Setting, objective: Objective, spec: LossSpec): Check[] {
  const { model, weights, turns } = setting;
  const { architecture } = model.cohort;
  const gradient = sumOf(agentGradients(setting, turns, spec, objective));
  const lossAt = (at: PlainWeights): number => {
    const { loss, crossEntropy } = plainLoss(architecture, at, turns, spec);
    return objective === 'supervised' ? crossEntropy : loss;
  };
  const checks: Check[] = [];
  let offset = 0;
  for (const [index, { name, shape }] of model.parameters.entries()) {
    const part = gradient.subarray(offset, (offset += sizeOf(shape)));
    const key = foldIn(keyFromSeed(8), index);
    const direction = part.map((_, i) => normal(key, i));
    // h = 1e-5: truncation h² · O(1) = 1e-10 and cancellation 1e-16 / h = 1e-11 are both far below float32.
    const h = 1e-5;
    const along = (sign: number): number => {
      const moved = Float64Array.from(weights.get(name)!, (w, i) => w + sign * direction[i]!);
      return lossAt(new Map([...weights, [name, moved]]));
    };
    const difference = (along(h) - along(-h)) / (2 * h);
    const slope = part.reduce((sum, g, i) => sum + g * direction[i]!, 0);
    // A float32 backward pass: 1e-5 of the size of the summands.
    const allowed = 1e-5 * (globalNorm([part]) * globalNorm([direction]));
    checks.push({ name, norm: globalNorm([part]), slope, difference, allowed });
  }
  expect(offset).toBe(gradient.length);
  return checks;
}

describe.each(Object.entries(architectures))('with %s', (_architectureName, architecture) => {
  test.each(objectives)(
    'the gradient of the %s with respect to every parameter is its central difference',
    (_objectiveName, objective, spec) => {
      const checks = checksOf(settingOf(architecture), objective, spec);
      expect(checks.filter(isWrong)).toEqual([]);
    },
  );
});

describe('constant factors that differ from token to token of a turn', () => {
  /** Of the turns above; the equal turns 0 and 3 have different ones. */
  const lossFactors = [[2], [0.25, 1.5], [0.5, 0, 1.75], [0.75], [1.25], [1, 0.1]];
  const factored = (setting: Setting): Setting => ({
    ...setting,
    turns: setting.turns.map((turn, row) => ({ ...turn, lossFactors: lossFactors[row]! })),
  });
  const wide = { clipLow: 0.5, clipHigh: 0.5, entropyCoef: 0.05 };
  const losses: [string, LossSpec][] = [
    ['clip', clippedLoss],
    ['clip, turn mean', { ...clippedLoss, aggregation: 'sequenceMean' }],
    ['GSPO', { ...defaultLosses.gspo, ...wide }],
    ['SAPO', { ...defaultLosses.sapo, entropyCoef: 0.05 }],
  ];

  test.each(losses)('multiply the gradient of %s as they do its loss', (_name, spec) => {
    const plain = settingOf(smallArchitecture);
    const setting = factored(plain);
    expect(checksOf(setting, 'policyGradient', spec).filter(isWrong)).toEqual([]);
    // They are there at all, and are not those of the turn's first token.
    const firsts = plain.turns.map((turn, row) => ({
      ...turn,
      lossFactors: turn.action.map(() => lossFactors[row]![0]!),
    }));
    const own = sumOf(agentGradients(setting, setting.turns, spec, 'policyGradient'));
    for (const others of [plain.turns, firsts]) {
      const other = sumOf(agentGradients(setting, others, spec, 'policyGradient'));
      expect(mismatch(own, other, 1e-3)).not.toBeNull();
    }
  });

  test('of 1 change no bit', () => {
    const setting = settingOf(smallArchitecture);
    const ones = setting.turns.map((turn) => ({ ...turn, lossFactors: turn.action.map(() => 1) }));
    const gradients = (turns: readonly PlainTurn[]): Float32Array[] =>
      agentGradients(setting, turns, clippedLoss, 'policyGradient');
    expect(gradients(ones)).toEqual(gradients(setting.turns));
  });

  test('of 0 leave the entropy bonus of every token and nothing of the surrogate', () => {
    const setting = settingOf(smallArchitecture);
    const zeros = setting.turns.map((turn) => ({ ...turn, lossFactors: turn.action.map(() => 0) }));
    const idle = setting.turns.map((turn) => ({ ...turn, advantage: 0 }));
    const bonus = sumOf(agentGradients(setting, zeros, clippedLoss, 'policyGradient'));
    expect(globalNorm([bonus])).toBeGreaterThan(1e-3);
    // Advantage 0 is no surrogate either.
    const expected = sumOf(agentGradients(setting, idle, clippedLoss, 'policyGradient'));
    expect(mismatch(bonus, expected, 1e-6)).toBeNull();
  });
});

describe('two agents that share a policy', () => {
  test.each(['tokenMean', 'sequenceMean', 'constantLength'] as const)(
    'under %s their parts of the gradient add up to the gradient of the joint batch',
    (aggregation) => {
      const setting = settingOf(smallArchitecture);
      const spec = { ...clippedLoss, aggregation };
      const parts = agentGradients(setting, setting.turns, spec, 'policyGradient');
      const joint = setting.turns.map((turn) => ({ ...turn, agent: 0 }));
      const whole = agentGradients(setting, joint, spec, 'policyGradient');
      expect([parts.length, whole.length]).toEqual([2, 1]);
      // The same terms summed in another order.
      expect(mismatch(sumOf(parts), whole[0]!, 1e-6)).toBeNull();
      // Neither part is the whole.
      for (const part of parts) expect(mismatch(part, whole[0]!, 1e-3)).not.toBeNull();
    },
  );

  test('an agent’s part is the same whether the other agent learns from the same or from other advantages', () => {
    const setting = settingOf(smallArchitecture);
    const changed = setting.turns.map((turn) =>
      turn.agent === 1 ? { ...turn, advantage: 3 * turn.advantage } : turn,
    );
    const [before] = agentGradients(setting, setting.turns, clippedLoss, 'policyGradient');
    const [after, other] = agentGradients(setting, changed, clippedLoss, 'policyGradient');
    expect(after).toEqual(before);
    expect(other).not.toEqual(before);
  });
});
