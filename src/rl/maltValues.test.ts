import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mismatch } from './golden/mismatch';
import { treeValues, valueLabels, type RolloutTree } from './maltValues';

test('a tree of two drafts, two checks of each and two revisions of each check: worked by hand', () => {
  // Nodes 0, 1: drafts; 2–5: checks; 6–13: revisions with their rewards.
  const revisions = [1, 1, 1, 0, 0, 0, 0, 1];
  const tree = {
    parents: Int32Array.of(-1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
    leafRewards: Float64Array.of(...Array<number>(6).fill(NaN), ...revisions),
  };
  const values = treeValues(tree);
  // Checks: (1 + 1)/2, (1 + 0)/2, (0 + 0)/2, (0 + 1)/2. Drafts: (1 + ½)/2 and (0 + ½)/2.
  expect([...values]).toEqual([0.75, 0.25, 1, 0.5, 0, 0.5, ...revisions]);
  // Only what lies above ½ is a positive sample; ½ itself is not.
  const labels = [1, -1, 1, -1, -1, -1, 1, 1, 1, -1, -1, -1, -1, 1];
  expect([...valueLabels(values, 0.5)]).toEqual(labels);
});

test('a child counts once however many leaves it has', () => {
  // Root 0 has the leaf 1 (reward 1) and the node 2 with three leaves of 0: (1 + 0)/2, where the mean of the leaves is ¼.
  const tree = {
    parents: Int32Array.of(-1, 0, 0, 2, 2, 2),
    leafRewards: Float64Array.of(NaN, 1, NaN, 0, 0, 0),
  };
  expect(treeValues(tree)[0]).toBe(0.5);
});

const trees: fc.Arbitrary<RolloutTree> = fc
  .array(fc.tuple(fc.nat(1000), fc.double({ min: -5, max: 5, noNaN: true })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((nodes) => ({
    // Node n hangs under one of the n earlier nodes, or is a root.
    parents: Int32Array.from(nodes, ([draw], node) => (draw % (node + 1)) - 1),
    leafRewards: Float64Array.from(nodes, ([, reward]) => reward),
  }));

test('every node above the leaves has the mean of its children, every leaf its reward', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const values = treeValues(tree);
      const expected = tree.leafRewards.map((reward, node) => {
        const children = values.filter((_, child) => tree.parents[child] === node);
        const sum = children.reduce((total, value) => total + value, 0);
        return children.length === 0 ? reward : sum / children.length;
      });
      expect(mismatch(values, expected, 1e-12)).toBeNull();
    }),
  );
});

test('values follow an affine change of the rewards', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const changed = { ...tree, leafRewards: tree.leafRewards.map((reward) => 3 - 2 * reward) };
      const expected = treeValues(tree).map((value) => 3 - 2 * value);
      expect(mismatch(treeValues(changed), expected, 1e-12)).toBeNull();
    }),
  );
});

test('a leaf without a finite reward is left out, and a node with no other has neither value nor label', () => {
  // Root 0 with the leaves 1 (reward 1) and 2 (NaN); root 3 with the leaf 4 (infinite).
  const tree = {
    parents: Int32Array.of(-1, 0, 0, -1, 3),
    leafRewards: Float64Array.of(0, 1, NaN, 0, Infinity),
  };
  const values = treeValues(tree);
  expect([...values]).toEqual([1, 1, NaN, NaN, NaN]);
  expect([...valueLabels(values, 0.5)]).toEqual([1, 1, 0, 0, 0]);
});

test('lengths that differ and parents after their children are refused', () => {
  const rewards = Float64Array.of(0, 1);
  expect(() => treeValues({ parents: Int32Array.of(-1), leafRewards: rewards })).toThrow(
    'leafRewards has 2 entries, parents 1',
  );
  for (const parent of [1, -2])
    expect(() => treeValues({ parents: Int32Array.of(-1, parent), leafRewards: rewards })).toThrow(
      `parents[1] is ${parent}`,
    );
});
