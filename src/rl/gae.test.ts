import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gae } from './gae';
import { casesOf, toNumber, toNumbers } from './golden/cases';
import { mismatch } from './golden/mismatch';
import { nStepReturns } from './nStepReturns';
import type { ValueTrace } from './valueTrace';

/** Three steps with reward 1, 2, 4 and values 10, 20, 30. */
function threeSteps(ends: Partial<ValueTrace> = {}): ValueTrace {
  return {
    rewards: Float64Array.of(1, 2, 4),
    values: Float64Array.of(10, 20, 30),
    terminated: Uint8Array.of(0, 0, 1),
    truncated: new Uint8Array(3),
    bootstrapValues: Float64Array.of(NaN, NaN, NaN),
    ...ends,
  };
}

const half = { gamma: 0.5, gaeLambda: 0.5 };

test('three steps by hand: TD errors summed with weights γλ from the end', () => {
  // δ = 1 + ½·20 − 10 = 1;  2 + ½·30 − 20 = −3;  4 + 0 − 30 = −26.  γλ = ¼
  // A₂ = −26;  A₁ = −3 − 26/4 = −9.5;  A₀ = 1 − 9.5/4 = −1.375.  Return = A + V.
  const { advantages, returns } = gae(threeSteps(), half);
  expect([...advantages]).toEqual([-1.375, -9.5, -26]);
  expect([...returns]).toEqual([8.625, 10.5, 4]);
});

test('a truncated end counts the value of the state reached, a terminated one counts nothing', () => {
  // The last δ gains ½·8 = 4: −22. A₁ = −3 − 22/4 = −8.5.
  const bootstrapValues = Float64Array.of(NaN, NaN, 8);
  const cut = { terminated: new Uint8Array(3), truncated: Uint8Array.of(0, 0, 1), bootstrapValues };
  expect([...gae(threeSteps(cut), half).advantages].slice(1)).toEqual([-8.5, -22]);
  // A rollout that stops in the middle of an episode is cut there too.
  const open = { ...cut, truncated: new Uint8Array(3) };
  expect(gae(threeSteps(open), half)).toEqual(gae(threeSteps(cut), half));
  // Both at once: the rules win.
  const both = { ...cut, terminated: Uint8Array.of(0, 0, 1) };
  expect(gae(threeSteps(both), half)).toEqual(gae(threeSteps(), half));
});

test('a limit in the middle bootstraps there and nothing leaks over it', () => {
  // Step 1 is truncated with V = 6 behind it: δ₁ = 2 + ½·6 − 20 = −15 and A₁ = δ₁, whatever step 2 brings.
  const trace = threeSteps({
    truncated: Uint8Array.of(0, 1, 0),
    bootstrapValues: Float64Array.of(NaN, 6, NaN),
  });
  expect([...gae(trace, half).advantages]).toEqual([1 - 15 / 4, -15, -26]);
});

const finite = fc.double({ min: -10, max: 10, noNaN: true });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

/** Steps of any kind; the last one ends its episode if `isClosed`. */
function traces(isClosed: boolean): fc.Arbitrary<ValueTrace> {
  const end = fc.constantFrom('none', 'none', 'none', 'terminated', 'truncated');
  const steps = fc.array(fc.tuple(finite, finite, finite, end), { minLength: 1, maxLength: 12 });
  return steps.map((rows) => {
    const isEnded = (row: number, kind: string): boolean => rows[row]![3] === kind;
    const truncated = Uint8Array.from(rows, (_, row) => Number(isEnded(row, 'truncated')));
    const terminated = Uint8Array.from(rows, (_, row) => Number(isEnded(row, 'terminated')));
    if (isClosed && truncated.at(-1) === 0) terminated[rows.length - 1] = 1;
    return {
      rewards: Float64Array.from(rows, ([reward]) => reward),
      values: Float64Array.from(rows, ([, value]) => value),
      bootstrapValues: Float64Array.from(rows, ([, , bootstrap]) => bootstrap),
      terminated,
      truncated,
    };
  });
}

function concatenated(a: ValueTrace, b: ValueTrace): ValueTrace {
  return {
    rewards: Float64Array.of(...a.rewards, ...b.rewards),
    values: Float64Array.of(...a.values, ...b.values),
    bootstrapValues: Float64Array.of(...a.bootstrapValues, ...b.bootstrapValues),
    terminated: Uint8Array.of(...a.terminated, ...b.terminated),
    truncated: Uint8Array.of(...a.truncated, ...b.truncated),
  };
}

test('episodes back to back give what each gives alone', () => {
  fc.assert(
    fc.property(traces(true), traces(false), fraction, fraction, (a, b, gamma, gaeLambda) => {
      const options = { gamma, gaeLambda };
      const together = gae(concatenated(a, b), options).advantages;
      const alone = [...gae(a, options).advantages, ...gae(b, options).advantages];
      expect([...together]).toEqual(alone);
    }),
  );
});

test('λ = 0 gives one-step returns, λ = 1 the returns of whole episodes', () => {
  fc.assert(
    fc.property(traces(false), fraction, (trace, gamma) => {
      const one = nStepReturns(trace, { gamma, numSteps: 1 });
      expect(mismatch(gae(trace, { gamma, gaeLambda: 0 }).returns, one, 1e-12)).toBeNull();
      const all = nStepReturns(trace, { gamma, numSteps: Infinity });
      expect(mismatch(gae(trace, { gamma, gaeLambda: 1 }).returns, all, 1e-12)).toBeNull();
    }),
  );
});

test('the λ-return is the geometric mixture of n-step returns', () => {
  // G^λ = (1 − λ) Σ_{n=1}^{T−1} λ^{n−1} Gₙ + λ^{T−1} G_T: Sutton & Barto 2018, Eq. 12.3, here with T = all steps.
  fc.assert(
    fc.property(traces(false), fraction, fraction, (trace, gamma, gaeLambda) => {
      const numSteps = trace.rewards.length;
      const mixture = new Float64Array(numSteps);
      for (let n = 1; n <= numSteps; n++) {
        const weight = (n < numSteps ? 1 - gaeLambda : 1) * gaeLambda ** (n - 1);
        const returns = nStepReturns(trace, { gamma, numSteps: n });
        for (let step = 0; step < numSteps; step++) mixture[step]! += weight * returns[step]!;
      }
      expect(mismatch(gae(trace, { gamma, gaeLambda }).returns, mixture, 1e-10)).toBeNull();
    }),
  );
});

test('a critic that knows the value leaves no advantage', () => {
  // Reward 1 forever with γ = 0.9 is worth 10 everywhere.
  const trace = threeSteps({
    rewards: Float64Array.of(1, 1, 1),
    values: Float64Array.of(10, 10, 10),
    terminated: new Uint8Array(3),
    bootstrapValues: Float64Array.of(0, 0, 10),
  });
  const { advantages } = gae(trace, { gamma: 0.9, gaeLambda: 0.95 });
  expect(mismatch(advantages, [0, 0, 0], 1e-12)).toBeNull();
});

test('two rewards and then the critic, by hand', () => {
  // G₀ = 1 + ½·2 + ¼·30 = 9.5;  G₁ = 2 + ½·4 (terminated: nothing more) = 4;  G₂ = 4.
  expect([...nStepReturns(threeSteps(), { gamma: 0.5, numSteps: 2 })]).toEqual([9.5, 4, 4]);
});

test('nothing comes of nothing', () => {
  const none = new Float64Array(0);
  const empty = threeSteps({
    rewards: none,
    values: none,
    bootstrapValues: none,
    terminated: new Uint8Array(0),
    truncated: new Uint8Array(0),
  });
  expect(gae(empty, half).advantages).toHaveLength(0);
});

test('arrays that do not fit and impossible numbers are refused', () => {
  expect(() => gae(threeSteps({ values: new Float64Array(2) }), half)).toThrow(
    'values has 2 entries, rewards 3',
  );
  expect(() => gae(threeSteps(), { gamma: 1.1, gaeLambda: 0.5 })).toThrow('gamma is 1.1');
  expect(() => gae(threeSteps(), { gamma: 1, gaeLambda: NaN })).toThrow('gaeLambda is NaN');
  expect(() => nStepReturns(threeSteps(), { gamma: 1, numSteps: 0 })).toThrow('numSteps is 0');
});

test('advantages and returns are those of an independent implementation: gae', () => {
  const { id, input, expected, tolerance } = casesOf('extras').find((one) => one.id === 'gae')!;
  const rewards = toNumbers(input['rewards'], id);
  const last = rewards.length - 1;
  const trace: ValueTrace = {
    rewards,
    values: toNumbers(input['values'], id),
    terminated: Uint8Array.from(toNumbers(input['dones'], id)),
    truncated: new Uint8Array(rewards.length),
    bootstrapValues: new Float64Array(rewards.length).fill(NaN),
  };
  trace.bootstrapValues[last] = toNumber(input['bootstrap'], id);
  const options = { gamma: toNumber(input['gamma'], id), gaeLambda: toNumber(input['lam'], id) };
  const { advantages, returns } = gae(trace, options);
  expect(mismatch(advantages, toNumbers(expected['advantages'], id), tolerance)).toBeNull();
  expect(mismatch(returns, toNumbers(expected['returns'], id), tolerance)).toBeNull();
});
