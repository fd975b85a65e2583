import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentBlame, blame, type InfluencedTurn, type KeptShare } from './blame';

const conventions: readonly KeptShare[] = ['nothing', 'taskShare', 'chance'];

/** A turn that wrote its action with probability `chance`; tokens as [origin, weight]. */
function turn(probability: number, ...read: readonly (readonly [number, number])[]) {
  return {
    weights: read.map(([, weight]) => weight),
    origins: read.map(([origin]) => origin),
    logprob: Math.log(probability),
  };
}

/** To twelve places, and without −0. */
function rounded(values: ArrayLike<number>): number[] {
  return Array.from(values, (value) => Number(value.toFixed(12)) + 0);
}

describe('a chain of three, each reading the task and the one before', () => {
  // Task and message weigh 1 : 3; the middle one is unsure of what it wrote.
  const chain = [turn(0.9, [-1, 1]), turn(0.2, [-1, 1], [0, 3]), turn(1, [-1, 2], [1, 6])];

  test('blames its first agent where nothing is kept', () => {
    const { shares, reached } = blame(chain, 'nothing');
    expect(rounded(shares)).toEqual(rounded([1, 0, 0]));
    expect(rounded(reached)).toEqual(rounded([1, 1, 1]));
  });

  test('fades along the chain where the share of the task is kept', () => {
    // Each keeps a quarter of what reaches it: ¼, ¾·¼, and the first, which reads the task alone, the remaining (¾)².
    const { shares, reached, edges } = blame(chain, 'taskShare');
    expect(rounded(shares)).toEqual(rounded([9 / 16, 3 / 16, 1 / 4]));
    expect(rounded(reached)).toEqual(rounded([9 / 16, 3 / 4, 1]));
    expect(edges).toEqual([
      { from: 0, to: 1, influence: 0.75, blame: 0.5625 },
      { from: 1, to: 2, influence: 0.75, blame: 0.75 },
    ]);
  });

  test('blames who wrote by chance where that is kept', () => {
    // The last one was sure and keeps 0; the middle one keeps 1 − 0.2 of all; the first the rest.
    const { shares } = blame(chain, 'chance');
    expect(rounded(shares)).toEqual(rounded([0.2, 0.8, 0]));
  });
});

test('a fork joins again: parallel turns that read one plan, and an answer that reads both', () => {
  // 0 plans; 1 and 2 read the plan; 3 reads one token of 1 and two of 2, and a task token as heavy as all of them.
  const turns = [
    turn(1, [-1, 5]),
    turn(0.5, [0, 2]),
    turn(1, [0, 7], [0, 1]),
    turn(1, [-1, 4], [1, 1], [2, 1], [2, 2]),
  ];
  // Kept by chance: 3 passes all on, ¼ to 1 and ¾ to 2; 1 keeps half of its ¼; 2 nothing; the rest goes to the plan.
  const byChance = blame(turns, 'chance');
  expect(rounded(byChance.shares)).toEqual(rounded([7 / 8, 1 / 8, 0, 0]));
  expect(rounded(byChance.reached)).toEqual(rounded([7 / 8, 1 / 4, 3 / 4, 1]));
  expect(rounded(byChance.tokens[3]!)).toEqual(rounded([0, 1 / 4, 1 / 4, 1 / 2]));
  expect(rounded(byChance.tokens[2]!)).toEqual(rounded([(3 / 4) * (7 / 8), (3 / 4) * (1 / 8)]));
  expect(byChance.edges.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ]);
  expect(rounded(byChance.edges.map(({ influence }) => influence))).toEqual(
    rounded([1, 1, 1 / 8, 3 / 8]),
  );
  // Kept by the task's share: 3 keeps half, the others read no task.
  expect(rounded(blame(turns, 'taskShare').shares)).toEqual(rounded([1 / 2, 0, 0, 1 / 2]));
  // A message past one's neighbour: the answer reads the plan too.
  const shortcut = [...turns.slice(0, 3), turn(1, [0, 1], [1, 3])];
  expect(rounded(blame(shortcut, 'chance').reached)).toEqual(rounded([1 / 4 + 3 / 8, 3 / 4, 0, 1]));
});

test('a turn that nobody read is not to blame, whatever it wrote', () => {
  const turns = [turn(0.01, [-1, 1]), turn(0.5, [-1, 1]), turn(1, [1, 1])];
  for (const kept of conventions)
    expect(rounded(blame(turns, kept).shares)).toEqual(rounded([0, 1, 0]));
});

test('a turn whose messages have no influence keeps all, and so does one that reads nothing', () => {
  for (const kept of conventions) {
    expect(rounded(blame([turn(1, [-1, 1]), turn(1, [-1, 2], [0, 0])], kept).shares)).toEqual(
      rounded([0, 1]),
    );
    const silent = blame([turn(1, [-1, 1]), turn(1, [-1, 0], [0, 0])], kept);
    expect(rounded(silent.shares)).toEqual(rounded([0, 1]));
    expect(silent.edges).toEqual([]);
    expect(rounded(blame([turn(0.5)], kept).shares)).toEqual(rounded([1]));
  }
});

test('a turn that was certain keeps nothing, and not less than nothing', () => {
  const { shares } = blame([turn(0.5), turn(1, [0, 1])], 'chance');
  expect(shares[1]).toBe(0);
  expect(shares[0]).toBe(1);
});

test('weights near the limits of float64 neither overflow nor vanish', () => {
  for (const scale of [1e308, 1e-320]) {
    const turns = [turn(1, [-1, 1]), turn(1, [-1, 1]), turn(1, [0, scale], [1, scale])];
    expect(rounded(blame(turns, 'nothing').shares)).toEqual(rounded([0.5, 0.5, 0]));
  }
});

test.each([
  ['a negative weight', turn(1, [-1, -1]), 'the weight -1 at token 0'],
  ['a weight that is no number', turn(1, [-1, 1], [0, NaN]), 'the weight NaN at token 1'],
  ['an infinite weight', turn(1, [-1, Infinity]), 'the weight Infinity'],
  ['its own token', turn(1, [1, 1]), 'the origin 1 at token 0: an earlier turn, 0..0'],
  ['an origin before the task', turn(1, [-2, 1]), 'the origin -2'],
  ['half an origin', turn(1, [0.5, 1]), 'the origin 0.5'],
  ['a probability over 1', turn(1.1, [0, 1]), 'the log-probability'],
  ['no probability', { ...turn(1, [0, 1]), logprob: NaN }, 'the log-probability NaN'],
  ['origins of another length', { ...turn(1, [0, 1]), origins: [] }, '1 weights and 0 origins'],
])('%s is refused by name', (_, wrong, message) => {
  for (const kept of conventions) {
    expect(() => blame([turn(1, [-1, 1]), wrong], kept)).toThrow(RangeError);
    expect(() => blame([turn(1, [-1, 1]), wrong], kept)).toThrow(message);
  }
});

test('an episode without turns is refused', () => {
  expect(() => blame([], 'chance')).toThrow('without turns');
});

/** Episodes of up to six turns; each token from any earlier turn or the task. */
const episodes = fc
  .integer({ min: 1, max: 6 })
  .chain((numTurns) =>
    fc.tuple(
      ...Array.from({ length: numTurns }, (_, place) =>
        fc.record({
          read: fc.array(
            fc.tuple(fc.integer({ min: -1, max: place - 1 }), fc.double({ min: 0, max: 9 })),
            { maxLength: 5 },
          ),
          logprob: fc.oneof(fc.double({ min: -30, max: 0, noNaN: true }), fc.constant(-Infinity)),
        }),
      ),
    ),
  )
  .map((turns) =>
    turns.map(({ read, logprob }): InfluencedTurn => ({
      weights: read.map(([, weight]) => (Number.isNaN(weight) ? 0 : weight)),
      origins: read.map(([origin]) => origin),
      logprob,
    })),
  );

const kepts = fc.constantFrom(...conventions);

function total(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

describe('of any episode', () => {
  test('shares are not negative and sum to 1, and what reaches a turn is what is passed on to it', () => {
    fc.assert(
      fc.property(episodes, kepts, (turns, kept) => {
        const { shares, reached, tokens, edges } = blame(turns, kept);
        expect(Math.min(...shares, ...reached)).toBeGreaterThanOrEqual(0);
        for (const own of tokens) expect(own.every((part) => part >= 0)).toBe(true);
        expect(total(shares)).toBeCloseTo(1, 12);
        for (const place of turns.keys()) {
          const incoming = edges.filter(({ from }) => from === place);
          const sink = place === turns.length - 1 ? 1 : 0;
          expect(reached[place]).toBeCloseTo(total(incoming.map((edge) => edge.blame)) + sink, 12);
          const passed = total(edges.filter(({ to }) => to === place).map((edge) => edge.blame));
          expect(total(tokens[place]!)).toBeCloseTo(passed, 12);
          expect(shares[place]! + passed).toBeCloseTo(reached[place]!, 12);
        }
        for (const { influence, blame: passed } of edges) {
          expect(influence).toBeLessThanOrEqual(1 + 1e-12);
          expect(passed).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
      { seed: 1 },
    );
  });

  test('the unit of a turn’s weights and the order of its tokens change nothing', () => {
    fc.assert(
      fc.property(episodes, kepts, fc.constantFrom(0.25, 8), (turns, kept, unit) => {
        const turned = turns.map(({ weights, origins, logprob }) => ({
          weights: Array.from(weights, (weight) => weight * unit).toReversed(),
          origins: Array.from(origins).toReversed(),
          logprob,
        }));
        const [{ shares }, other] = [blame(turns, kept), blame(turned, kept)];
        expect(rounded(other.shares)).toEqual(rounded([...shares]));
      }),
      { seed: 2 },
    );
  });

  test('turns that do not read one another may change places', () => {
    fc.assert(
      fc.property(episodes, kepts, fc.nat(), (turns, kept, at) => {
        const first = at % Math.max(1, turns.length - 2);
        const second = first + 1;
        const [a, b] = [turns[first], turns[second]];
        fc.pre(a !== undefined && b !== undefined && second < turns.length - 1);
        fc.pre(!Array.from(b?.origins ?? []).includes(first));
        const renamed = (place: number): number =>
          place === first ? second : place === second ? first : place;
        const swapped = turns.map((_, place) => {
          const { weights, origins, logprob } = turns[renamed(place)]!;
          return { weights, origins: Array.from(origins, renamed), logprob };
        });
        const [{ shares }, other] = [blame(turns, kept), blame(swapped, kept)];
        expect(rounded(other.shares)).toEqual(
          rounded(turns.map((_, place) => shares[renamed(place)]!)),
        );
      }),
      { seed: 3 },
    );
  });
});

test('agents have the sum of their turns', () => {
  expect(rounded(agentBlame(Float64Array.of(0.25, 0.5, 0.25), [2, 0, 2], 4))).toEqual(
    rounded([0.5, 0, 0.5, 0]),
  );
  expect(() => agentBlame(Float64Array.of(1), [], 1)).toThrow('shares has 1 entries, agents 0');
});
