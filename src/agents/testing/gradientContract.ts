import { describe, expect, test } from 'vitest';
import type { LossSpec, OptimizerSpec } from '../../config/experimentSpec';
import type { SegmentGradients } from '../../protocol/policyApi';
import {
  clippedLoss,
  plainSgd,
  smallCohort,
  toUpdateBatch,
  type PlainTurn,
} from '../golden/smallCohort';
import { parameterSpecs, sizeOf } from '../parameters';
import type { PolicyEngine } from '../policyEngine';
import { hyper, turnsOf } from './contractTurns';

/** What every policy keeps to about gradients that are measured and not applied. */

/** Loss factors cannot mask it: the entropy bonus is on every token. */
const noBonus: LossSpec = { ...clippedLoss, entropyCoef: 0 };

function batchOf(turns: readonly PlainTurn[], numReplicas = 1, rate = 0.01) {
  const rates = Array.from({ length: numReplicas }, () => rate);
  return toUpdateBatch(turns, 'policyGradient', rates);
}

/** The turns with the losses of all agents but one switched off; what is divided by stays. */
function masked(turns: readonly PlainTurn[], agent: number): PlainTurn[] {
  return turns.map((turn) =>
    Object.assign({}, turn, {
      lossFactors: turn.action.map(() => (turn.agent === agent ? 1 : 0)),
    }),
  );
}

const unequalTurns: readonly PlainTurn[] = turnsOf(0, 3).map((turn, index) =>
  Object.assign({}, turn, { advantage: turn.advantage * (1 + index / 2) }),
);

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** Sum of each run of the policy's tensors. */
function overTensors(squares: Float64Array): number[] {
  let offset = 0;
  return parameterSpecs(smallCohort.architecture, smallCohort.vocabularySize).map(({ shape }) => {
    const own = squares.subarray(offset, (offset += sizeOf(shape)));
    return own.reduce((sum, value) => sum + value, 0);
  });
}

function expectNear(actual: ArrayLike<number>, expected: ArrayLike<number>, scale: number): void {
  expect(actual).toHaveLength(expected.length);
  for (let i = 0; i < expected.length; i++)
    expect(Math.abs(actual[i]! - expected[i]!)).toBeLessThan(scale);
}

type Current = () => PolicyEngine;

function gradients(
  current: Current,
  turns: readonly PlainTurn[],
  numReplicas = 1,
): Promise<readonly SegmentGradients[]> {
  return current().segmentGradients(batchOf(turns, numReplicas));
}

/** [P] −Δw of one step of plain gradient descent with rate 1: the gradient as the optimizer saw it. */
async function appliedGradient(
  current: Current,
  turns: readonly PlainTurn[],
): Promise<Float64Array> {
  const before = await current().checkpoint();
  await current().update(batchOf(turns, 1, 1));
  const { weights } = await current().checkpoint();
  await current().restore(before);
  return Float64Array.from(weights, (after, i) => before.weights[i]! - after);
}

function testSteps(current: Current): void {
  test('have the inner products and tensor norms of the steps that each segment alone would cause', async () => {
    await current().create(smallCohort, [hyper(1, { optimizer: plainSgd, loss: noBonus })]);
    const [measured] = await gradients(current, unequalTurns);
    const steps: Float64Array[] = [];
    for (const agent of [0, 1, 2])
      steps.push(await appliedGradient(current, masked(unequalTurns, agent)));
    const { segments, products, tensorSquares } = measured!;
    expect(segments).toEqual([0, 1, 2]);
    const expected = steps.flatMap((a) => steps.map((b) => dot(a, b)));
    // Weights of size 1 lose the step's last bits: 6e-8 of each of some 800 differences.
    const scale = 1e-4 * Math.max(...expected);
    expect(Math.max(...expected)).toBeGreaterThan(0);
    expectNear(products, expected, scale);
    expectNear(
      tensorSquares,
      steps.flatMap((step) => overTensors(step.map((value) => value * value))),
      scale,
    );
  });
}

function testSlopes(current: Current): void {
  test('are the slopes of the loss, by finite differences over the last norm’s gains', async () => {
    await current().create(smallCohort, [hyper(1, { optimizer: plainSgd, loss: noBonus })]);
    const specs = parameterSpecs(smallCohort.architecture, smallCohort.vocabularySize);
    const tensor = specs.findIndex(({ name }) => name === 'model.norm.weight');
    const start = specs.slice(0, tensor).reduce((sum, { shape }) => sum + sizeOf(shape), 0);
    const [measured] = await gradients(current, turnsOf(0, 1, 3));
    const base = await current().checkpoint();
    const lossAt = async (parameter: number, change: number): Promise<number> => {
      const weights = base.weights.slice();
      weights[parameter]! += change;
      await current().restore({ ...base, weights });
      const { agents } = await current().update(batchOf(turnsOf(0, 1, 3), 1, 0));
      return agents[0]!.policyLoss;
    };
    let square = 0;
    for (let i = 0; i < sizeOf(specs[tensor]!.shape); i++) {
      // Central differences of step 0.05: the error of a loss of size 1 in float32 is 1e-7/0.1 = 1e-6 of the slope's unit.
      const rise = (await lossAt(start + i, 0.05)) - (await lossAt(start + i, -0.05));
      square += (rise / 0.1) ** 2;
    }
    const actual = measured!.tensorSquares[tensor]!;
    expect(square).toBeGreaterThan(0);
    expect(Math.abs(actual - square) / square).toBeLessThan(1e-2);
  });
}

function testSums(current: Current): void {
  test('add up to the norms and cosines that an update reports, and to the sums over the tensors', async () => {
    await current().create(smallCohort, [hyper(1), hyper(2)]);
    const turns = [...turnsOf(1, 2), ...turnsOf(0, 3)];
    const measured = await gradients(current, turns, 2);
    const { agents } = await current().update(batchOf(turns, 2));
    expect(measured.map(({ replica }) => replica).toSorted((a, b) => a - b)).toEqual([0, 1]);
    for (const { replica, segments, products, tensorSquares } of measured) {
      const numTensors = tensorSquares.length / segments.length;
      for (const [i, segment] of segments.entries()) {
        const own = agents.find((entry) => entry.replica === replica && entry.agent === segment)!;
        const square = products[i * segments.length + i]!;
        expect(Math.sqrt(square) / own.gradNorm).toBeCloseTo(1, 5);
        const sum = tensorSquares
          .subarray(i * numTensors, (i + 1) * numTensors)
          .reduce((total, value) => total + value, 0);
        expect(sum / square).toBeCloseTo(1, 5);
        for (const [j, other] of segments.entries()) {
          expect(products[j * segments.length + i]).toBe(products[i * segments.length + j]);
          if (i === j) continue;
          const norms = Math.sqrt(square * products[j * segments.length + j]!);
          const { cosine } = own.gradCosines.find(({ agent }) => agent === other)!;
          expect(products[i * segments.length + j]! / norms).toBeCloseTo(cosine, 5);
        }
      }
    }
  });
}

function testMinibatches(current: Current): void {
  test('ignore minibatches, which the update obeys', async () => {
    await current().create(smallCohort, [hyper(1)]);
    const dealt = turnsOf(0, 2).map((turn, index) =>
      Object.assign({}, turn, { minibatch: index % 2 }),
    );
    expect(await gradients(current, dealt)).toEqual(await gradients(current, turnsOf(0, 2)));
  });
}

function testSegmentIds(current: Current): void {
  test('of any segment ids: two halves of one agent sum to the whole', async () => {
    await current().create(smallCohort, [hyper(1)]);
    const whole = await gradients(current, turnsOf(0, 1));
    const halves = turnsOf(0, 1).map((turn, index) =>
      Object.assign({}, turn, { agent: 7 + 30 * index }),
    );
    const [split] = await gradients(current, halves);
    expect(split!.segments).toEqual([7, 37]);
    const sum = split!.products.reduce((total, value) => total + value, 0);
    expect(sum / whole[0]!.products[0]!).toBeCloseTo(1, 4);
  });
}

function testNothingChanges(current: Current): void {
  test('change nothing: later updates are the same to the last bit as without them', async () => {
    const momentum: OptimizerSpec = {
      kind: 'sgd',
      learningRate: 0.1,
      momentum: 0.5,
      maxGradNorm: null,
    };
    const replicas = [hyper(1), hyper(2, { optimizer: momentum })];
    const turns = [...turnsOf(0, 2), ...turnsOf(1, 3)];
    const run = async (isMeasured: boolean) => {
      await current().create(smallCohort, replicas);
      const stats = [];
      for (let step = 0; step < 3; step++) {
        if (isMeasured) await gradients(current, turns, 2);
        // More segments than the update has agents, and a larger batch.
        if (isMeasured)
          await gradients(
            current,
            [...turns, ...turns].map((turn, index) => Object.assign({}, turn, { agent: index })),
            2,
          );
        stats.push(await current().update(batchOf(turns, 2)));
      }
      return { stats, checkpoint: await current().checkpoint() };
    };
    expect(await run(true)).toEqual(await run(false));
  });
}

function testNotFinite(current: Current): void {
  test('of no turns are none, and those that are not finite stay with their segment', async () => {
    await current().create(smallCohort, [hyper(1)]);
    expect(await gradients(current, [])).toEqual([]);
    const turns = turnsOf(0, 2).map((turn) =>
      turn.agent === 1 ? Object.assign({}, turn, { advantage: NaN }) : turn,
    );
    const [measured] = await gradients(current, turns);
    const { products } = measured!;
    expect(products[0]).toBeGreaterThan(0);
    expect(products.slice(1).some(Number.isFinite)).toBe(false);
  });
}

/** Declares the tests; `current`: the policy under test, made anew for each. */
export function describeGradients(current: Current): void {
  describe('the gradients of segments', () => {
    testSteps(current);
    testSlopes(current);
    testSums(current);
    testMinibatches(current);
    testSegmentIds(current);
    testNothingChanges(current);
    testNotFinite(current);
  });
}
