import fc from 'fast-check';
import { expect, test } from 'vitest';
import { casesOf, toNumber, toNumbers } from './golden/cases';
import { mismatch } from './golden/mismatch';
import {
  iqlRegression,
  oneStepTargets,
  teamValues,
  vdnRegression,
  type ValueRegression,
} from './valueDecomposition';

test('the team value is the sum over agents, step by step', () => {
  const values = Float64Array.of(1, 2, 3, 10, 20, 30);
  expect([...teamValues({ values, numAgents: 3 })]).toEqual([6, 60]);
});

test('a target adds the next team value unless the episode terminated, and ignores what lies behind the end', () => {
  // The sum of each agent's own maximum is the maximum of the sum: max(1, 2) + max(5, 3) = 7.
  const next = teamValues({ values: Float64Array.of(2, 5, NaN, NaN), numAgents: 2 });
  const targets = oneStepTargets(Float64Array.of(1, 1), next, Uint8Array.of(0, 1), 0.5);
  expect([...targets]).toEqual([1 + 0.5 * 7, 1]);
});

const small = fc.double({ min: -5, max: 5, noNaN: true });
const batches = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }))
  .chain(([numAgents, numSteps]) => {
    const length = numAgents * numSteps;
    return fc.record({
      numAgents: fc.constant(numAgents),
      values: fc.array(small, { minLength: length, maxLength: length }),
      perStep: fc.array(small, { minLength: numSteps, maxLength: numSteps }),
      perAgent: fc.array(small, { minLength: length, maxLength: length }),
      mask: fc.array(fc.constantFrom(0, 1), { minLength: numSteps, maxLength: numSteps }),
    });
  });

/** Central differences of a loss over its values; exact for a square up to rounding. */
function slopes(values: readonly number[], loss: (values: Float64Array) => number): number[] {
  const h = 1e-3;
  return values.map((_, i) => {
    const at = (shift: number): number =>
      loss(Float64Array.from(values, (value, j) => (j === i ? value + shift : value)));
    return (at(h) - at(-h)) / (2 * h);
  });
}

test('the gradients are the slopes of the losses', () => {
  fc.assert(
    fc.property(batches, ({ numAgents, values, perStep, perAgent, mask }) => {
      const masks = Uint8Array.from(mask);
      const vdn = (at: Float64Array): ValueRegression =>
        vdnRegression({ values: at, numAgents }, Float64Array.from(perStep), masks);
      const iql = (at: Float64Array): ValueRegression =>
        iqlRegression({ values: at, numAgents }, Float64Array.from(perAgent), masks);
      for (const regression of [vdn, iql]) {
        const { gradients } = regression(Float64Array.from(values));
        const expected = slopes(values, (at) => regression(at).loss);
        expect(mismatch(gradients, expected, 1e-8)).toBeNull();
      }
    }),
  );
});

test('every agent receives the same gradient of the team loss', () => {
  fc.assert(
    fc.property(batches, ({ numAgents, values, perStep, mask }) => {
      const { gradients } = vdnRegression(
        { values: Float64Array.from(values), numAgents },
        Float64Array.from(perStep),
        Uint8Array.from(mask),
      );
      for (const [i, gradient] of gradients.entries())
        expect(gradient).toBe(gradients[i - (i % numAgents)]);
    }),
  );
});

test('one agent alone: both regressions are the same', () => {
  const steps = fc.array(fc.tuple(small, small, fc.constantFrom(0, 1)), { maxLength: 8 });
  fc.assert(
    fc.property(steps, (rows) => {
      const agentValues = { values: Float64Array.from(rows, ([value]) => value), numAgents: 1 };
      const targets = Float64Array.from(rows, ([, target]) => target);
      const mask = Uint8Array.from(rows, ([, , counts]) => counts);
      const team = vdnRegression(agentValues, targets, mask);
      const alone = iqlRegression(agentValues, targets, mask);
      expect(team.loss).toBe(alone.loss);
      expect(mismatch(team.gradients, alone.gradients, 0)).toBeNull();
    }),
  );
});

test('by hand: two agents, one of two steps masked', () => {
  const agentValues = { values: Float64Array.of(1, 2, NaN, 7), numAgents: 2 };
  // Σ = 3, target 5: error −2. Loss 4/1, gradient 2·(−2)/1 for both.
  expect(vdnRegression(agentValues, Float64Array.of(5, 0), Uint8Array.of(1, 0))).toEqual({
    loss: 4,
    gradients: Float64Array.of(-4, -4, 0, 0),
  });
  // Alone: errors −4 and −3. Loss (16 + 9)/2, gradients 2·(−4)/2 and 2·(−3)/2.
  const targets = Float64Array.of(5, 5, 0, 0);
  expect(iqlRegression(agentValues, targets, Uint8Array.of(1, 0))).toEqual({
    loss: 12.5,
    gradients: Float64Array.of(-4, -3, 0, 0),
  });
});

/** A game of two agents with two actions each, played once: [own action of the first, of the second, reward]. */
type Play = readonly [number, number, number];

/** Tables Q₁ and Q₂ (four entries) after full-batch gradient steps from 0 on all plays. */
function trained(plays: readonly Play[], regression: 'vdn' | 'iql'): Float64Array {
  const tables = new Float64Array(4);
  const mask = new Uint8Array(plays.length).fill(1);
  const entries = plays.flatMap(([first, second]) => [first, 2 + second]);
  for (let update = 0; update < 2000; update++) {
    const agentValues = {
      values: Float64Array.from(entries, (entry) => tables[entry]!),
      numAgents: 2,
    };
    const team = Float64Array.from(plays, ([, , reward]) => reward);
    const alone = Float64Array.from(entries, (_, i) => plays[i >> 1]![2]);
    const { gradients } =
      regression === 'vdn'
        ? vdnRegression(agentValues, team, mask)
        : iqlRegression(agentValues, alone, mask);
    for (const [i, entry] of entries.entries()) tables[entry]! -= 0.2 * gradients[i]!;
  }
  return tables;
}

/** Every joint action once. */
function allPlays(reward: (first: number, second: number) => number): Play[] {
  return [0, 1].flatMap((first) =>
    [0, 1].map((second): Play => [first, second, reward(first, second)]),
  );
}

/** Mean squared error of Q₁ + Q₂ on the plays. */
function teamError(tables: Float64Array, plays: readonly Play[]): number {
  const errors = plays.map(([a, b, reward]) => tables[a]! + tables[2 + b]! - reward);
  return errors.reduce((sum, error) => sum + error * error, 0) / plays.length;
}

test('an additive game: each agent finds its own part of the reward', () => {
  // First earns 1 or 3, second 0 or 4. Both average 2, so the split of the constant, which the sum leaves open, is even too.
  const own = [1, 3, 0, 4] as const;
  const plays = allPlays((a, b) => own[a]! + own[2 + b]!);
  const tables = trained(plays, 'vdn');
  expect(mismatch(tables, own, 1e-2)).toBeNull();
  expect(teamError(tables, plays)).toBeLessThan(1e-4);
});

test('any additive game: the team value and what a choice is worth to each agent come out', () => {
  fc.assert(
    fc.property(fc.tuple(small, small, small, small), (own) => {
      const plays = allPlays((a, b) => own[a]! + own[2 + b]!);
      const tables = trained(plays, 'vdn');
      expect(Math.sqrt(teamError(tables, plays))).toBeLessThan(1e-2);
      const gains = [tables[1]! - tables[0]!, tables[3]! - tables[2]!];
      expect(mismatch(gains, [own[1] - own[0], own[3] - own[2]], 1e-2)).toBeNull();
    }),
    { numRuns: 20 },
  );
});

test('exclusive or is not solved: the best sum is ½ everywhere, with a squared error of ¼', () => {
  // Normal equations: each table entry is the mean of its row or column, ½, less the other agent's mean. All residuals are ±½.
  const plays = allPlays((a, b) => a ^ b);
  const tables = trained(plays, 'vdn');
  for (const [a, b] of plays) expect(tables[a]! + tables[2 + b]!).toBeCloseTo(0.5, 6);
  expect(teamError(tables, plays)).toBeCloseTo(0.25, 6);
  // And neither agent prefers an action.
  expect(Math.abs(tables[1]! - tables[0]!)).toBeLessThan(1e-6);
});

test('independent learners on the additive game count the reward twice', () => {
  // Qₖ(a) = mean reward of the action: first 1 + 2 and 3 + 2, second 0 + 2 and 4 + 2. Their sum is the mean reward, 4, too high.
  const plays = allPlays((a, b) => 1 + 2 * a + 4 * b);
  const tables = trained(plays, 'iql');
  expect(mismatch(tables, [3, 5, 2, 6], 1e-2)).toBeNull();
  expect(teamError(tables, plays)).toBeCloseTo(16, 2);
});

test('an agent that changes nothing is credited by an independent learner and not by the sum', () => {
  // Only the first agent matters. The second follows it in three of four plays.
  const plays: Play[] = [
    ...Array.from({ length: 3 }, (): Play => [0, 0, 0]),
    [0, 1, 0],
    [1, 0, 1],
    ...Array.from({ length: 3 }, (): Play => [1, 1, 1]),
  ];
  const vdn = trained(plays, 'vdn');
  expect(Math.abs(vdn[3]! - vdn[2]!)).toBeLessThan(1e-2);
  // Mean reward of its action 1 is ¾, of its action 0 is ¼.
  const iql = trained(plays, 'iql');
  expect(iql[3]! - iql[2]!).toBeCloseTo(0.5, 2);
});

test('a batch without a step in the mask has no loss and no gradient', () => {
  const agentValues = { values: Float64Array.of(1, 2), numAgents: 2 };
  const none = { loss: 0, gradients: new Float64Array(2) };
  expect(vdnRegression(agentValues, new Float64Array(1), new Uint8Array(1))).toEqual(none);
  expect(iqlRegression(agentValues, new Float64Array(2), new Uint8Array(1))).toEqual(none);
});

test('arrays that do not fit are refused', () => {
  const agentValues = { values: new Float64Array(4), numAgents: 2 };
  expect(() => teamValues({ values: new Float64Array(3), numAgents: 2 })).toThrow(
    '3 values for 2 agents',
  );
  expect(() => vdnRegression(agentValues, new Float64Array(3), new Uint8Array(2))).toThrow(
    'targets has 3 entries',
  );
  expect(() => iqlRegression(agentValues, new Float64Array(4), new Uint8Array(1))).toThrow(
    'mask has 1 entries',
  );
  expect(() =>
    oneStepTargets(new Float64Array(2), new Float64Array(2), new Uint8Array(1), 1),
  ).toThrow('terminated has 1 entries');
});

test('team value, target, loss and gradient are those of an independent implementation: vdn', () => {
  const { id, input, expected, tolerance } = casesOf('extras').find((one) => one.id === 'vdn')!;
  const numbers = (source: typeof input, name: string): Float64Array =>
    toNumbers(source[name], `${id}.${name}`);
  const chosen = { values: numbers(input, 'chosen_q'), numAgents: 2 };
  const next = teamValues({ values: numbers(input, 'next_max_q'), numAgents: 2 });
  const done = Uint8Array.from(numbers(input, 'dones'));
  const gamma = toNumber(input['gamma'], `${id}.gamma`);
  const targets = oneStepTargets(numbers(input, 'rewards'), next, done, gamma);
  const { loss, gradients } = vdnRegression(chosen, targets, Uint8Array.of(1, 1));
  expect(mismatch(teamValues(chosen), numbers(expected, 'q_tot'), tolerance)).toBeNull();
  expect(mismatch(targets, numbers(expected, 'target'), tolerance)).toBeNull();
  expect(mismatch(gradients, numbers(expected, 'grad_q'), tolerance)).toBeNull();
  expect(loss).toBeCloseTo(toNumber(expected['loss'], `${id}.loss`), 12);
});
