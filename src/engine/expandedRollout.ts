import type { PolicyApi } from '../protocol/policyApi';
import { treeValues } from '../rl/maltValues';
import { foldIn, type Key } from '../rl/rng';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { Trajectory, Turn } from './experience';
import type { EpisodeStart } from './rollout';
import { sampleWave, takeTurn, type WaitingCall } from './turnTaking';

/**
 * The full rollout tree of MALT (Motwani et al. 2024, arXiv 2412.01928, as described in secondary sources): every turn is taken K times
 * from its state and all K go on, so a turn is worth the mean of what became of it.
 */

/** One turn of the tree, or its root. */
interface Node {
  /** Place among the nodes of its task; −1 = the root. */
  readonly parent: number;
  readonly turn: Turn | null;
  readonly state: unknown;
  readonly key: Key;
}

interface Tree {
  readonly start: EpisodeStart;
  readonly plan: ReplicaPlan;
  /** Parents before their children; the root is not among them. */
  readonly nodes: Node[];
}

interface Branch {
  readonly tree: Tree;
  /** Place of the node that is continued; −1 = the root. */
  readonly parent: number;
  readonly from: Node;
  readonly key: Key;
}

/** K continuations of the first pending call of every node in `frontier`. */
function continuations(
  frontier: readonly { tree: Tree; place: number; node: Node }[],
): WaitingCall<Branch>[] {
  return frontier.flatMap(({ tree, place, node }) => {
    const { workflow, seats, training } = tree.plan;
    const [call] = workflow.pending(node.state);
    if (call === undefined) return [];
    const { cohort, slot } = seats[call.agent]!;
    return Array.from({ length: training.groups.groupSize }, (_, index) => {
      const key = foldIn(node.key, index);
      return { owner: { tree, parent: place, from: node, key }, call, noiseKey: key, cohort, slot };
    });
  });
}

/** Outcome of the episode that ends in a node; NaN where it goes on. */
function outcomeOf({ plan: { workflow } }: Tree, { state }: Node): number {
  return workflow.pending(state).length === 0 ? workflow.teamReward(state) : NaN;
}

/**
 * One trajectory a leaf, with the turns that no leaf before it has: so every turn is learned from once. A turn's reward is its value,
 * and those from one state share `siblings`.
 */
function toTrajectories(tree: Tree): Trajectory[] {
  const { nodes, start } = tree;
  const parents = Int32Array.from(nodes, ({ parent }) => parent);
  const leafRewards = Float64Array.from(nodes, (node) => outcomeOf(tree, node));
  const values = treeValues({ parents, leafRewards });
  const hasChildren = new Set(parents);
  const isTold = new Set<number>();
  const leaves = [...nodes.keys()].filter((place) => !hasChildren.has(place));
  return leaves.map((leaf) => {
    const turns: Turn[] = [];
    for (let place = leaf; place >= 0 && !isTold.has(place); place = parents[place]!) {
      isTold.add(place);
      const turn = nodes[place]!.turn!;
      turns.unshift({ ...turn, branchReward: values[place]!, siblings: parents[place]! + 1 });
    }
    const { replica, batch, task } = start;
    return { replica, batch, task, turns, teamReward: leafRewards[leaf]!, rewards: null };
  });
}

/**
 * Grows the trees of all starts together, one a start.
 * @returns the trajectories of all leaves, tree by tree in the order of `starts`
 */
export async function expandTrees(
  { replicas }: ExperimentPlan,
  policies: readonly PolicyApi[],
  starts: readonly EpisodeStart[],
): Promise<Trajectory[]> {
  const trees = starts.map((start): Tree => ({ start, plan: replicas[start.replica]!, nodes: [] }));
  let frontier = trees.map((tree) => {
    const state = tree.plan.workflow.reset(tree.start.taskKey);
    return { tree, place: -1, node: { parent: -1, turn: null, state, key: tree.start.noiseKey } };
  }) as { tree: Tree; place: number; node: Node }[];
  for (
    let waiting = continuations(frontier);
    waiting.length > 0;
    waiting = continuations(frontier)
  ) {
    const answers = await sampleWave(policies, waiting, false);
    frontier = answers.map(({ waiting: { owner, call }, written }) => {
      const { tree, parent, from, key } = owner;
      const { state, turn } = takeTurn(tree.plan, from.state, call, written);
      const node = { parent, turn, state, key };
      tree.nodes.push(node);
      return { tree, place: tree.nodes.length - 1, node };
    });
  }
  return trees.flatMap(toTrajectories);
}
