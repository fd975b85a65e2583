import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gae } from './gae';
import { loadVtrace } from './golden/loadVtrace';
import { mismatch } from './golden/mismatch';
import type { ValueTrace } from './valueTrace';
import { vtrace, type VtraceOptions } from './vtrace';

for (const golden of loadVtrace())
  test(`targets and advantages agree with an independent implementation: ${golden.id}`, () => {
    const logRatios = golden.ratios.map(Math.log);
    const { targets, advantages } = vtrace(golden.trace, logRatios, golden.options);
    expect(mismatch(targets, golden.targets, golden.tolerance)).toBeNull();
    expect(mismatch(advantages, golden.advantages, golden.tolerance)).toBeNull();
  });

const unclipped = { clipRho: null, clipC: null, clipPgRho: null } as const;
const usual = { clipRho: 1, clipC: 1, clipPgRho: 1 } as const;

const finite = fc.double({ min: -10, max: 10, noNaN: true });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const traces = fc
  .array(fc.tuple(finite, finite, finite, fc.constantFrom(0, 0, 0, 1, 2)), {
    minLength: 1,
    maxLength: 10,
  })
  .map((rows) => ({
    rewards: Float64Array.from(rows, ([reward]) => reward),
    values: Float64Array.from(rows, ([, value]) => value),
    bootstrapValues: Float64Array.from(rows, ([, , bootstrap]) => bootstrap),
    terminated: Uint8Array.from(rows, ([, , , end]) => Number(end === 1)),
    truncated: Uint8Array.from(rows, ([, , , end]) => Number(end === 2)),
  }));

test('on-policy data give the λ-returns of generalised advantage estimation', () => {
  fc.assert(
    fc.property(traces, fraction, fraction, (trace, gamma, lambda) => {
      const logRatios = new Float64Array(trace.rewards.length);
      const { targets } = vtrace(trace, logRatios, { gamma, traceLambda: lambda, ...usual });
      const { returns } = gae(trace, { gamma, gaeLambda: lambda });
      expect(mismatch(targets, returns, 1e-10)).toBeNull();
    }),
  );
});

test('an action that is impossible under the policy teaches its step nothing and lets nothing past', () => {
  fc.assert(
    fc.property(traces, fc.nat(), (trace, chosen) => {
      const step = chosen % trace.rewards.length;
      const logRatios = new Float64Array(trace.rewards.length);
      logRatios[step] = -Infinity;
      const options = { gamma: 0.9, traceLambda: 1, ...usual };
      const { targets, advantages } = vtrace(trace, logRatios, options);
      const taught = [targets[step]!, advantages[step]!];
      expect(mismatch(taught, [trace.values[step]!, 0], 0)).toBeNull();
      expect([...targets, ...advantages].every(Number.isFinite)).toBe(true);
    }),
  );
});

test('ratios beyond every limit give what ratios at the limit give, even where exp overflows', () => {
  fc.assert(
    fc.property(traces, fc.constantFrom(0, 27.6, 1e4), (trace, logRatio) => {
      const options = { gamma: 0.9, traceLambda: 1, ...usual };
      const at = (value: number): ReturnType<typeof vtrace> =>
        vtrace(trace, new Float64Array(trace.rewards.length).fill(value), options);
      expect(at(logRatio)).toEqual(at(0));
    }),
  );
});

test('a limit in the middle bootstraps target and advantage from the value of the state reached', () => {
  // Step 0 is truncated with V = 6 behind it: r + γV′ − V = 1 + ½·6 − 10 = −6, weight ½: target 10 − 3, advantage −3.
  const trace: ValueTrace = {
    rewards: Float64Array.of(1, 2),
    values: Float64Array.of(10, 20),
    terminated: Uint8Array.of(0, 1),
    truncated: Uint8Array.of(1, 0),
    bootstrapValues: Float64Array.of(6, NaN),
  };
  const options = { gamma: 0.5, traceLambda: 1, ...usual };
  const { targets, advantages } = vtrace(trace, Float64Array.of(Math.log(0.5), 0), options);
  // Step 1: 2 − 20 = −18 with weight 1.
  expect(mismatch(targets, [7, 2], 1e-12)).toBeNull();
  expect(mismatch(advantages, [-3, -18], 1e-12)).toBeNull();
});

/*
 * Three states in a ring. Action 0 steps on and pays 1 in state 2; action 1 stays and pays ½ in state 0. No episode ends.
 * The data come from μ, the policy to be valued is π.
 */
const gamma = 0.8;
const behaviour = [0.5, 0.5] as const;
const target = [0.9, 0.1] as const;

function outcome(state: number, action: number): { next: number; reward: number } {
  if (action === 0) return { next: (state + 1) % 3, reward: state === 2 ? 1 : 0 };
  return { next: state, reward: state === 0 ? 0.5 : 0 };
}

/** Value of a policy that is the same in every state, by sweeps of its Bellman equation until nothing moves. */
function valueOf(policy: readonly number[]): Float64Array {
  let values = new Float64Array(3);
  for (let sweep = 0; sweep < 400; sweep++)
    values = values.map((_, state) =>
      policy.reduce((sum, probability, action) => {
        const { next, reward } = outcome(state, action);
        return sum + probability * (reward + gamma * values[next]!);
      }, 0),
    );
  return values;
}

/** Exact expectation under μ of the first target over the four traces of two steps. */
function expectedTarget(values: Float64Array, state: number, clip: VtraceOptions): number {
  let sum = 0;
  for (const first of [0, 1])
    for (const second of [0, 1]) {
      const one = outcome(state, first);
      const two = outcome(one.next, second);
      const trace: ValueTrace = {
        rewards: Float64Array.of(one.reward, two.reward),
        values: Float64Array.of(values[state]!, values[one.next]!),
        terminated: new Uint8Array(2),
        truncated: new Uint8Array(2),
        bootstrapValues: Float64Array.of(NaN, values[two.next]!),
      };
      const logRatios = Float64Array.of(
        Math.log(target[first]! / behaviour[first]!),
        Math.log(target[second]! / behaviour[second]!),
      );
      const probability = behaviour[first]! * behaviour[second]!;
      sum += probability * vtrace(trace, logRatios, clip).targets[0]!;
    }
  return sum;
}

function fixedPoint(clip: VtraceOptions): Float64Array {
  let values = new Float64Array(3);
  // Small weights move little per sweep: with ρ̄ = 0.1 the error shrinks by about 2 % each.
  for (let sweep = 0; sweep < 2000; sweep++)
    values = values.map((_, state) => expectedTarget(values, state, clip));
  return values;
}

test('the fixed point is the value of the truncated policy, on three states', () => {
  // IMPALA Eq. 3: π_ρ̄ ∝ min(ρ̄μ, π). ρ̄ = 1: min(½, 0.9) : min(½, 0.1) = 5 : 1.
  const clipped = fixedPoint({ gamma, traceLambda: 1, ...usual });
  expect(mismatch(clipped, valueOf([5 / 6, 1 / 6]), 1e-9)).toBeNull();
  // Without limits it is π itself, and λ changes only the way there.
  for (const traceLambda of [1, 0.5]) {
    const free = fixedPoint({ gamma, traceLambda, ...unclipped });
    expect(mismatch(free, valueOf(target), 1e-9)).toBeNull();
  }
  // ρ̄ = 0.1: min(0.05, 0.9) : min(0.05, 0.1) is even, as the behaviour.
  const tight = fixedPoint({ gamma, traceLambda: 1, clipRho: 0.1, clipC: 0.1, clipPgRho: 1 });
  expect(mismatch(tight, valueOf(behaviour), 1e-9)).toBeNull();
});

test('the three values differ, so the test above can tell them apart', () => {
  const [truncated, own, acting] = [[5 / 6, 1 / 6], target, behaviour].map((p) => valueOf(p)[0]!);
  expect(Math.abs(truncated! - own!)).toBeGreaterThan(1e-3);
  expect(Math.abs(truncated! - acting!)).toBeGreaterThan(1e-3);
});

test('arrays that do not fit and impossible numbers are refused', () => {
  const [golden] = loadVtrace();
  const { trace, options } = golden!;
  expect(() => vtrace(trace, new Float64Array(2), options)).toThrow('logRatios has 2 entries');
  const logRatios = new Float64Array(trace.rewards.length);
  const withOption = (change: Partial<VtraceOptions>) => (): unknown =>
    vtrace(trace, logRatios, { ...options, ...change });
  expect(withOption({ clipRho: -1 })).toThrow('clipRho is -1');
  expect(withOption({ clipC: NaN })).toThrow('clipC is NaN');
  expect(withOption({ traceLambda: 2 })).toThrow('traceLambda is 2');
});
