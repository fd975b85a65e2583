import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  collapseSigns,
  firstCollapse,
  initialCollapseState,
  observeCollapse,
  type CollapseObservation,
  type CollapseRule,
  type CollapseState,
} from './collapse';

const rule: CollapseRule = {
  minShareOfPeak: 0.5,
  maxApproxKl: 0.1,
  gradNormFactor: 10,
  baselineIterations: 3,
  patience: 2,
};

type Values = Omit<CollapseObservation, 'iteration'>;

const nothing: Values = { validActionRate: null, approxKl: null, gradNorm: null };

/** The state after a run whose iterations are numbered from 0. */
function after(
  run: readonly Partial<Values>[],
  changes: Partial<CollapseRule> = {},
): CollapseState {
  return run.reduce<CollapseState>(
    (state, values, iteration) =>
      observeCollapse(state, { ...nothing, ...values, iteration }, { ...rule, ...changes }),
    initialCollapseState,
  );
}

function rates(...values: (number | null)[]): Partial<Values>[] {
  return values.map((validActionRate) => ({ validActionRate }));
}

function kls(...values: number[]): Partial<Values>[] {
  return values.map((approxKl) => ({ approxKl }));
}

function norms(...values: (number | null)[]): Partial<Values>[] {
  return values.map((gradNorm) => ({ gradNorm }));
}

test('a rate below half of its own peak for two iterations has collapsed where the row began', () => {
  // Peak 0.8 in iteration 1; below 0.4 from iteration 3 on.
  const state = after(rates(0.5, 0.8, 0.4, 0.39, 0.1));
  expect(firstCollapse(state)).toEqual({ sign: 'validActionRate', iteration: 3 });
  expect(state.peakValidActionRate).toBe(0.8);
});

test('a rate that was never high has not collapsed, nor has one that comes back at once', () => {
  expect(firstCollapse(after(rates(0.01, 0.02, 0.01, 0.015)))).toBeNull();
  expect(firstCollapse(after(rates(0, 0, 0)))).toBeNull();
  expect(firstCollapse(after(rates(0.9, 0.1, 0.9, 0.1, 0.9)))).toBeNull();
});

test('a rate of 0 after a peak is a collapse', () => {
  expect(firstCollapse(after(rates(1, 0, 0)))).toEqual({ sign: 'validActionRate', iteration: 1 });
});

test('an iteration without a measurement neither counts nor interrupts', () => {
  const state = after(rates(1, 0.2, null, null, 0.2));
  expect(firstCollapse(state)).toEqual({ sign: 'validActionRate', iteration: 1 });
});

test('a recovery does not take the verdict back', () => {
  expect(firstCollapse(after(rates(1, 0, 0, 1, 1)))).toMatchObject({ iteration: 1 });
});

test('a KL above its limit, or not finite, has to last too', () => {
  expect(firstCollapse(after(kls(0.1, 0.2, 0.05, 0.1)))).toBeNull();
  expect(firstCollapse(after(kls(0.05, 0.11, NaN)))).toEqual({ sign: 'approxKl', iteration: 1 });
});

test('a gradient norm is held against the median of the first norms above 0', () => {
  // Baseline 1, 2, 9: median 2, limit 20. Zeros and gaps do not enter it.
  const start = norms(0, 1, null, 2, 9);
  expect(firstCollapse(after([...start, ...norms(20, 20)]))).toBeNull();
  const state = after([...start, ...norms(21, 300)]);
  expect(firstCollapse(state)).toEqual({ sign: 'gradNorm', iteration: 5 });
  expect(state.baselineNorms).toEqual([1, 2, 9]);
});

test('before the baseline is complete only a norm that is not finite counts', () => {
  const changes = { baselineIterations: 5, patience: 1 };
  expect(firstCollapse(after(norms(1, 1, 1, 1e9), changes))).toBeNull();
  expect(firstCollapse(after(norms(NaN, Infinity)))).toEqual({ sign: 'gradNorm', iteration: 0 });
});

test('an even number of baseline norms has the mean of the middle two as median', () => {
  // 1, 3: median 2, limit 20.
  const changes = { baselineIterations: 2, patience: 1 };
  expect(firstCollapse(after(norms(3, 1, 20), changes))).toBeNull();
  expect(firstCollapse(after(norms(3, 1, 20.1), changes))).toMatchObject({ iteration: 2 });
});

test('of several signs the earliest is named', () => {
  const run = [{ validActionRate: 1 }, { approxKl: 1 }, { approxKl: 1, validActionRate: 0 }];
  expect(firstCollapse(after([...run, { validActionRate: 0 }]))).toEqual({
    sign: 'approxKl',
    iteration: 1,
  });
});

const observation = fc.record({
  validActionRate: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  approxKl: fc.option(fc.oneof(fc.double({ min: 0, max: 0.3, noNaN: true }), fc.constant(NaN))),
  gradNorm: fc.option(fc.oneof(fc.double({ min: 0, max: 50, noNaN: true }), fc.constant(NaN))),
});

test('the valid-action verdict is the rule as it is written, on any series', () => {
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 30 }), (run) => {
      const measured = run.flatMap(({ validActionRate }, iteration) =>
        validActionRate === null ? [] : [{ iteration, rate: validActionRate }],
      );
      const isLow = measured.map(({ rate }, index) => {
        const peak = Math.max(0, ...measured.slice(0, index).map((earlier) => earlier.rate));
        return rate < 0.5 * peak;
      });
      const start = isLow.findIndex((low, index) => low && isLow[index + 1] === true);
      const expected = start < 0 ? null : measured[start]!.iteration;
      expect(after(run).signs.validActionRate.collapsedAt).toBe(expected);
    }),
  );
});

test('more patience never finds a collapse earlier, and a verdict once given stays', () => {
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 30 }), (run) => {
      for (const sign of collapseSigns) {
        const hasty = after(run, { patience: 1 }).signs[sign].collapsedAt ?? Infinity;
        const patient = after(run, { patience: 3 }).signs[sign].collapsedAt ?? Infinity;
        expect(hasty).toBeLessThanOrEqual(patient);
        const early = after(run.slice(0, run.length >> 1)).signs[sign].collapsedAt;
        const late = after(run).signs[sign].collapsedAt;
        expect(early ?? late).toBe(late);
      }
    }),
  );
});

test('impossible numbers are refused', () => {
  expect(() => after(rates(1.5))).toThrow('validActionRate is 1.5');
  expect(() => after(rates(NaN))).toThrow('validActionRate is NaN');
  expect(() => after(rates(1), { patience: 0 })).toThrow('patience is 0');
  expect(() => after(rates(1), { maxApproxKl: -1 })).toThrow('maxApproxKl is -1');
});
