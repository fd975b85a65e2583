import * as tf from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CriticHyper, CriticInputs, CriticSpec } from '../protocol/criticApi';
import { mismatch } from '../rl/golden/mismatch';
import { keyFromSeed, normal } from '../rl/rng';
import { valueLoss } from '../rl/valueLoss';
import { smallArchitecture } from './golden/smallCohort';
import { packValues } from './packValues';
import { selectBackend } from './tfjsBackend';
import { createTfjsCritic } from './tfjsCritic';
import {
  createValueModel,
  createValueNetwork,
  disposeNetwork,
  stepNetwork,
  uploadValues,
  valueObjective,
  valuesOf,
} from './valueNetwork';

const spec: CriticSpec = {
  architecture: smallArchitecture,
  vocabularySize: 9,
  maxLength: 4,
  backend: 'cpu',
};
const hyper: CriticHyper = { seed: 3, learningRate: 0.02, numEpochs: 1, valueClip: null };

beforeAll(() => selectBackend('cpu'));

/** [S] × sequences of each step, all of replica 0. */
function toInputs(steps: readonly (readonly (readonly number[])[])[], replica = 0): CriticInputs {
  const rows = steps.flatMap((sequences, step) => sequences.map((tokens) => ({ tokens, step })));
  const width = 4;
  const tokens = new Int32Array(rows.length * width);
  for (const [row, { tokens: own }] of rows.entries()) tokens.set(own, row * width);
  return {
    replicas: new Int32Array(rows.length).fill(replica),
    steps: Int32Array.from(rows, ({ step }) => step),
    numSteps: steps.length,
    tokens,
    lengths: Int32Array.from(rows, ({ tokens: own }) => own.length),
    width,
  };
}

let critic = createTfjsCritic();
beforeEach(async () => {
  critic = createTfjsCritic();
  await critic.create(spec, [hyper, { ...hyper, seed: 4 }]);
});
afterEach(() => critic.dispose());

const states = [[[1, 2, 3]], [[4, 5]], [[1, 2, 3]], [[4, 5, 6, 7]]];

test('every value starts at 0, and two networks learn each its own targets', async () => {
  const inputs = toInputs(states);
  expect([...(await critic.values(inputs))]).toEqual([0, 0, 0, 0]);
  const returns = Float32Array.of(1, -0.5, 1, 0.25);
  for (let update = 0; update < 250; update++) {
    const oldValues = new Float32Array(4);
    await critic.update(inputs, { oldValues, returns });
  }
  const learned = await critic.values(inputs);
  for (const [step, value] of learned.entries()) expect(value).toBeCloseTo(returns[step]!, 2);
  expect([...(await critic.values(toInputs(states, 1)))]).toEqual([0, 0, 0, 0]);
});

test('equal states with different returns are valued at their mean', async () => {
  const inputs = toInputs([[[1, 2]], [[1, 2]], [[1, 2]], [[3]]]);
  const returns = Float32Array.of(1, 0, 0.5, 2);
  for (let update = 0; update < 250; update++)
    await critic.update(inputs, { oldValues: new Float32Array(4), returns });
  const [first, second, third, other] = await critic.values(inputs);
  expect(first).toBeCloseTo(0.5, 2);
  expect([second, third]).toEqual([first, first]);
  expect(other).toBeCloseTo(2, 2);
});

test('the gradient is that of finite differences through the whole network, clipped or not, sums included', () => {
  const model = createValueModel(spec);
  const inputs = toInputs([[[1, 2, 3], [4]], [[4, 5]], [[4, 5]], [[6], [7, 8], [1]]]);
  const key = keyFromSeed(8);
  for (const valueClip of [null, 0.3]) {
    const start = createValueNetwork(model, { ...hyper, valueClip });
    // Away from zero, where the head's gradient alone is not 0.
    const weights = start.weights.map((weight, index) => {
      const noise = Float32Array.from(
        { length: weight.size },
        (_, i) => 0.3 * normal(key, 1000 * index + i),
      );
      return tf.add(weight, tf.tensor(noise, weight.shape));
    });
    const oldValues = Float32Array.of(0.4, -0.1, 0.2, 0.3);
    const packed = packValues(inputs, [...inputs.steps.keys()], {
      oldValues,
      returns: Float32Array.of(1, -1, 0.6, 0.1),
    });
    const device = uploadValues(packed);
    const lossAt = (some: readonly tf.Tensor[]): tf.Scalar =>
      valueObjective(valuesOf(model, some, device), device, valueClip);
    const { grads } = tf.valueAndGrads((...some: tf.Tensor[]) => lossAt(some))(weights);
    const step = 1e-2;
    for (const [index, weight] of weights.entries()) {
      const at = Math.floor(weight.size / 2);
      const bump = tf.tensor(
        Float32Array.from({ length: weight.size }, (_, i) => (i === at ? step : 0)),
        weight.shape,
      );
      const moved = (sign: number): number =>
        lossAt(
          weights.map((other, i) => (i === index ? tf.add(other, tf.mul(bump, sign)) : other)),
        ).dataSync()[0]!;
      const difference = (moved(1) - moved(-1)) / (2 * step);
      const slope = grads[index]!.dataSync<'float32'>()[at]!;
      // Central differences in float32: h² of the third derivative and rounding over h.
      expect(Math.abs(difference - slope)).toBeLessThan(2e-3 + 2e-2 * Math.abs(slope));
    }
    disposeNetwork(start);
  }
});

test('the loss is that of rl/valueLoss on plain rows, whatever is packed together', () => {
  const model = createValueModel(spec);
  const network = createValueNetwork(model, hyper);
  const weights = network.weights.map((weight, i) =>
    i === network.weights.length - 1 ? tf.add(weight, 0.4) : weight,
  );
  const any = fc.array(
    fc.record({
      tokens: fc.constantFrom([1], [2, 3], [4, 5, 6]),
      old: fc.constantFrom(-0.5, 0, 0.5),
      target: fc.constantFrom(-1, 0, 1),
    }),
    { minLength: 1, maxLength: 10 },
  );
  fc.assert(
    fc.property(any, fc.constantFrom(null, 0.2), (rows, valueClip) => {
      const inputs = toInputs(rows.map(({ tokens }) => [tokens]));
      const oldValues = Float32Array.from(rows, ({ old }) => old);
      const returns = Float32Array.from(rows, ({ target }) => target);
      const all = [...rows.keys()];
      const device = uploadValues(packValues(inputs, all, { oldValues, returns }));
      const plain = packValues(inputs, all, null);
      const ofPacked = valuesOf(model, weights, uploadValues(plain)).dataSync<'float32'>();
      const values = Float64Array.from(plain.packedOf, (place) => ofPacked[place]!);
      const reference = valueLoss(
        {
          values,
          oldValues: Float64Array.from(oldValues),
          returns: Float64Array.from(returns),
          mask: new Uint8Array(rows.length).fill(1),
          numSequences: rows.length,
          rowWeights: null,
          totals: null,
        },
        { valueClip, aggregation: { kind: 'tokenMean' } },
      );
      const loss = valueObjective(valuesOf(model, weights, device), device, valueClip);
      expect(mismatch([loss.dataSync()[0]!], [reference.loss], 1e-5)).toBeNull();
    }),
    { numRuns: 40, seed: 1 },
  );
});

/** Each agent sees its own bit; the team's value is the sum of what the network makes of them. */
const joint = [0, 1].flatMap((a) => [0, 1].map((b) => [a, b] as const));
const twoAgents = toInputs(
  joint.map(([a, b]) => [
    [1, 3 + a],
    [2, 3 + b],
  ]),
);

async function teamErrors(rewardOf: (a: number, b: number) => number): Promise<number[]> {
  const returns = Float32Array.from(joint, ([a, b]) => rewardOf(a, b));
  for (let update = 0; update < 400; update++)
    await critic.update(twoAgents, { oldValues: new Float32Array(4), returns });
  const values = await critic.values(twoAgents);
  return [...values].map((value, state) => Math.abs(value - returns[state]!));
}

test('VDN: an additive game is recovered to 1e-2, each agent’s share up to the constant that a sum leaves free', async () => {
  const errors = await teamErrors((a, b) => 0.5 + a - 0.75 * b);
  expect(Math.max(...errors)).toBeLessThan(1e-2);
  const alone = await critic.values(toInputs([[[1, 3]], [[1, 4]], [[2, 3]], [[2, 4]]]));
  expect(alone[1]! - alone[0]!).toBeCloseTo(1, 1);
  expect(alone[3]! - alone[2]!).toBeCloseTo(-0.75, 1);
});

test('VDN: XOR is not a sum, and is not solved: every value stays at the mean', async () => {
  const errors = await teamErrors((a, b) => (a === b ? 0 : 1));
  for (const error of errors) expect(error).toBeCloseTo(0.5, 2);
});

test('a target that is not finite changes nothing and is counted', async () => {
  const inputs = toInputs(states);
  await critic.update(inputs, {
    oldValues: new Float32Array(4),
    returns: Float32Array.of(1, 1, 1, 1),
  });
  const before = await critic.values(inputs);
  const [stats] = await critic.update(inputs, {
    oldValues: new Float32Array(4),
    returns: Float32Array.of(1, NaN, 1, 1),
  });
  expect(stats!.updateSkipped).toBe(1);
  expect(await critic.values(inputs)).toEqual(before);
});

async function threeEpochs() {
  await critic.create(spec, [{ ...hyper, numEpochs: 3 }]);
  const targets = { oldValues: new Float32Array(4), returns: Float32Array.of(1, 0, 1, 0) };
  const [stats] = await critic.update(toInputs(states), targets);
  return { stats, values: await critic.values(toInputs(states)) };
}

test('epochs are steps, statistics are means over them, and the same seed gives the same numbers', async () => {
  const first = await threeEpochs();
  expect(await threeEpochs()).toEqual(first);
  // The first epoch starts from 0: ½·mean of 1, 0, 1, 0 = 1/4; the later ones are below.
  expect(first.stats!.valueLoss).toBeLessThan(0.25);
  expect(first.stats!.gradNorm).toBeGreaterThan(0);
});

test('a checkpoint is gone back to: what follows is the same to the last bit, and no tensor is left over', async () => {
  const targets = { oldValues: new Float32Array(4), returns: Float32Array.of(1, 0, 1, 0) };
  const learn = async () => {
    for (const replica of [0, 1]) await critic.update(toInputs(states, replica), targets);
    return [await critic.values(toInputs(states)), await critic.values(toInputs(states, 1))];
  };
  await expect(critic.restoreCheckpoint(1)).rejects.toThrow('no checkpoint 1: none was kept');
  await learn();
  await critic.keepCheckpoint(1);
  const numTensors = tf.memory().numTensors;
  const [first, second] = [await learn(), await learn()];
  await critic.keepCheckpoint(2);
  await critic.restoreCheckpoint(1);
  expect([await learn(), await learn()]).toEqual([first, second]);
  expect(tf.memory().numTensors).toBe(numTensors);
  // The last two are there, older ones are not.
  await critic.keepCheckpoint(3);
  await critic.restoreCheckpoint(2);
  await expect(critic.restoreCheckpoint(1)).rejects.toThrow('no checkpoint 1: kept are 2, 3');
});

test('memory is flat over updates, and freed', async () => {
  await critic.dispose();
  const atStart = tf.memory().numTensors;
  await critic.create(spec, [hyper]);
  const targets = { oldValues: new Float32Array(4), returns: Float32Array.of(1, 0, 1, 0) };
  const counts: number[] = [];
  for (let update = 0; update < 3; update++) {
    await critic.update(toInputs(states), targets);
    await critic.values(toInputs(states));
    counts.push(tf.memory().numTensors);
  }
  expect(new Set(counts).size).toBe(1);
  await critic.dispose();
  expect(tf.memory().numTensors).toBe(atStart);
  await expect(async () => critic.values(toInputs(states))).rejects.toThrow('create() first');
});

test('a step leaves the network it started from alone', () => {
  const model = createValueModel(spec);
  const network = createValueNetwork(model, hyper);
  const inputs = toInputs(states);
  const device = uploadValues(
    packValues(inputs, [0, 1, 2, 3], {
      oldValues: new Float32Array(4),
      returns: Float32Array.of(1, 1, 1, 1),
    }),
  );
  const before = network.weights.map((weight) => weight.dataSync().slice());
  const { network: after } = stepNetwork(model, network, device);
  expect(network.weights.map((weight) => weight.dataSync())).toEqual(before);
  expect(after.weights.at(-1)!.dataSync()).not.toEqual(before.at(-1));
});
