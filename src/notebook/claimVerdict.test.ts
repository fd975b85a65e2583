import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimEvidence } from './claimEvidence';
import type { ClaimStatement } from './claimCell';
import { claimVerdict, type ClaimEvidence, type SideValues } from './claimVerdict';
import { cellAs, edited, sampleNotebook } from './testing/sampleNotebook';
import { deleteCell } from './editing';
import { sampleRun } from './testing/sampleRun';

const quantity = {
  kind: 'quantity',
  arm: 'agentWise',
  agent: 'team',
  metric: 'success',
  statistic: 'last',
} as const;

function statement(relation: ClaimStatement['relation'], inAtLeast?: number): ClaimStatement {
  const compare = {
    kind: 'compare',
    left: quantity,
    relation,
    right: { ...quantity, arm: 'global' },
  } as const;
  return inAtLeast === undefined ? compare : { ...compare, inAtLeast };
}

type Values = Extract<ClaimEvidence, { kind: 'values' }>;

/** Over all seeds it is the first. */
function side(bySeed: readonly (number | null)[]): SideValues {
  return { overSeeds: bySeed[0] ?? null, bySeed };
}

/** Values of both sides, seed by seed. */
function evidence(
  left: readonly (number | null)[],
  right: readonly (number | null)[],
  changes: Partial<Values> = {},
): Values {
  return {
    kind: 'values',
    seeds: left.map((_, index) => index),
    left: side(left),
    right: side(right),
    isStale: false,
    iterations: { done: 100, planned: 100 },
    ...changes,
  };
}

describe('in every seed by itself', () => {
  const four = evidence([5, 5, 5, 5, 0], [1, 5, 2, 3, 1]);

  test('enough seeds hold', () => {
    const verdict = claimVerdict(statement('atLeast', 4), four);
    expect(verdict).toMatchObject({ kind: 'reproduced', numHolding: 4, numCompared: 5 });
    expect(verdict.sentence).toBe('Holds in 4 of 5 seeds; at least 4 were asked.');
    expect(verdict.seeds[4]).toEqual({ seed: 4, left: 0, right: 1, holds: false });
  });

  test('a tie is at least and not greater', () => {
    const verdict = claimVerdict(statement('greater', 4), four);
    expect(verdict).toMatchObject({ kind: 'notReproduced', numHolding: 3 });
    expect(verdict.sentence).toBe('Holds in 3 of 5 seeds; at least 4 were asked.');
  });

  test('a missing or NaN value is named and decides where it could', () => {
    const gaps = evidence([5, 5, NaN, 0], [1, 1, 1, null]);
    // Two hold, two are open: 2 is reached, 3 and 4 could be.
    expect(claimVerdict(statement('atLeast', 2), gaps).kind).toBe('reproduced');
    const open = claimVerdict(statement('atLeast', 3), gaps);
    expect(open).toMatchObject({ kind: 'cannotBeJudged', missingSeeds: [2, 3], numCompared: 2 });
    expect(open.sentence).toBe(
      'Holds in 2 of 2 seeds; at least 3 were asked. No pair of values in seeds 2, 3.',
    );
  });

  test('too few to hold even with what is missing', () => {
    const gaps = evidence([0, 0, null, 5], [1, 1, 1, 1]);
    const verdict = claimVerdict(statement('atLeast', 3), gaps);
    expect(verdict.kind).toBe('notReproduced');
    expect(verdict.sentence).toBe(
      'Holds in 1 of 3 seeds; at least 3 were asked. No pair of values in seed 2.',
    );
  });

  test('more seeds asked than ran', () => {
    const verdict = claimVerdict(statement('atLeast', 5), evidence([1, 1], [0, 0]));
    expect(verdict.kind).toBe('cannotBeJudged');
    expect(verdict.sentence).toBe(
      'At least 5 seeds were asked and the run has 2: add seeds, or ask for fewer.',
    );
  });

  test('an infinite value is a value', () => {
    const verdict = claimVerdict(statement('greater', 1), evidence([Infinity], [1]));
    expect(verdict.kind).toBe('reproduced');
  });
});

describe('once over all seeds', () => {
  test.each([
    ['less', 0.4, 0.5, 'Holds: 0.400 < 0.500, over 1 seed.'],
    ['less', 0.5, 0.5, 'Does not hold: 0.500 is not < 0.500, over 1 seed.'],
    ['atMost', 0.5, 0.5, 'Holds: 0.500 ≤ 0.500, over 1 seed.'],
    ['atLeast', 0.4, 0.5, 'Does not hold: 0.400 is not ≥ 0.500, over 1 seed.'],
    ['greater', 0.6, 0.5, 'Holds: 0.600 > 0.500, over 1 seed.'],
  ] as const)('%s: %d and %d', (relation, left, right, sentence) => {
    const verdict = claimVerdict(statement(relation), evidence([left], [right]));
    expect(verdict.sentence).toBe(sentence);
    expect(verdict.kind).toBe(sentence.startsWith('Holds') ? 'reproduced' : 'notReproduced');
  });

  test('a side without a value cannot be judged', () => {
    const verdict = claimVerdict(statement('less'), evidence([null, 1], [2, 3]));
    expect(verdict.kind).toBe('cannotBeJudged');
    expect(verdict.sentence).toBe('Not both sides have a value. No pair of values in seed 0.');
  });
});

test('a run that is not done says how far it is', () => {
  const soFar = evidence([2], [1], { iterations: { done: 37, planned: 100 } });
  expect(claimVerdict(statement('greater', 1), soFar).sentence).toBe(
    'After 37 of 100 iterations: Holds in 1 of 1 seed; at least 1 was asked.',
  );
});

test('a stale verdict keeps its numbers and says what they were', () => {
  const verdict = claimVerdict(statement('greater', 1), evidence([2], [1], { isStale: true }));
  expect(verdict).toMatchObject({ kind: 'stale', outcome: 'reproduced', numHolding: 1 });
  expect(verdict.sentence).toBe(
    'Run again: the settings have changed since. As it ran: Holds in 1 of 1 seed; at least 1 was asked.',
  );
});

describe('for any values', () => {
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(null), fc.constant(NaN));
  const pairs = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 8 });
  const relation = fc.constantFrom('less', 'atMost', 'atLeast', 'greater');
  const asked = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
  const flipped = {
    less: 'greater',
    greater: 'less',
    atMost: 'atLeast',
    atLeast: 'atMost',
  } as const;
  const opposite = {
    less: 'atLeast',
    atLeast: 'less',
    atMost: 'greater',
    greater: 'atMost',
  } as const;

  test('swapping the sides and flipping the relation changes no verdict', () => {
    fc.assert(
      fc.property(pairs, relation, asked, (both, sign, least) => {
        const [left, right] = [both.map(([own]) => own), both.map(([, other]) => other)];
        const one = claimVerdict(statement(sign, least), evidence(left, right));
        const other = claimVerdict(statement(flipped[sign], least), evidence(right, left));
        expect([other.kind, other.numHolding]).toEqual([one.kind, one.numHolding]);
      }),
    );
  });

  test('of a relation and its opposite exactly one holds in every seed that has values', () => {
    fc.assert(
      fc.property(pairs, relation, (both, sign) => {
        const sides = evidence(
          both.map(([own]) => own),
          both.map(([, other]) => other),
        );
        const one = claimVerdict(statement(sign, 1), sides);
        const other = claimVerdict(statement(opposite[sign], 1), sides);
        expect(one.numHolding + other.numHolding).toBe(one.numCompared);
        expect(one.numCompared + one.missingSeeds.length).toBe(both.length);
      }),
    );
  });

  test('of the seeds there are, asking for fewer never makes a verdict worse', () => {
    const ranks = ['notReproduced', 'cannotBeJudged', 'reproduced'];
    fc.assert(
      fc.property(pairs, relation, (both, sign) => {
        const sides = evidence(
          both.map(([own]) => own),
          both.map(([, other]) => other),
        );
        const found = both.map((_, index) =>
          ranks.indexOf(claimVerdict(statement(sign, index + 1), sides).kind),
        );
        expect(found).toEqual(found.toSorted((a, b) => b - a));
      }),
    );
  });
});

describe('evidence from a run', () => {
  const notebook = sampleNotebook();
  const cell = cellAs(notebook, 'claim', 'claim');
  const source = {
    notebook,
    runs: new Map([['e1', sampleRun()]]),
    staleExperiments: new Set<string>(),
  };

  test('has the values of every seed and over all of them', () => {
    const found = claimEvidence({ ...cell, statement: statement('atLeast', 1) }, source);
    expect(found).toEqual({
      kind: 'values',
      seeds: [0, 1, 2],
      left: { overSeeds: 0.5, bySeed: [0.9, 0.1, null] },
      right: { overSeeds: 0.3, bySeed: [0.4, 0.2, 0.3] },
      isStale: false,
      iterations: { done: 2, planned: 2 },
    });
    const verdict = claimVerdict(statement('atLeast', 2), found);
    expect(verdict.kind).toBe('cannotBeJudged');
    expect(verdict.missingSeeds).toEqual([2]);
  });

  test('compares every seed with a constant', () => {
    const constant = {
      ...statement('atLeast', 1),
      right: { kind: 'constant', value: 0.5 },
    } as const;
    const verdict = claimVerdict(constant, claimEvidence({ ...cell, statement: constant }, source));
    expect(verdict).toMatchObject({ kind: 'reproduced', numHolding: 1, right: 0.5 });
  });

  test('before the run nothing is judged', () => {
    const found = claimEvidence(cell, { ...source, runs: new Map() });
    expect(claimVerdict(cell.statement, found)).toMatchObject({ kind: 'notRun', outcome: null });
  });

  test('a name that leads nowhere says so', () => {
    const gone = { ...source, notebook: edited(deleteCell(notebook, 'e1')) };
    const verdict = claimVerdict(cell.statement, claimEvidence(cell, gone));
    expect(verdict.kind).toBe('cannotBeJudged');
    expect(verdict.sentence).toContain('was deleted');
    const lost = { ...cell.statement, left: { ...quantity, arm: 'globl' } };
    const found = claimEvidence({ ...cell, statement: lost }, source);
    expect(claimVerdict(lost, found).sentence).toBe(
      '"globl" is no arm here; the nearest is global.',
    );
  });

  test('is stale with its experiment', () => {
    const found = claimEvidence(cell, { ...source, staleExperiments: new Set(['e1']) });
    expect(claimVerdict(cell.statement, found).kind).toBe('stale');
  });
});
