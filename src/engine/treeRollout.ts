import type { PolicyApi } from '../protocol/policyApi';
import { bestBranch, branchReward } from '../rl/branchRewards';
import { foldIn } from '../rl/rng';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import type { Trajectory, Turn } from './experience';
import type { EpisodeStart } from './rollout';
import { sampleWave, takeTurn, type WaitingCall } from './turnTaking';

/**
 * Tree sampling of AT-GRPO (Stronger-MAS, arXiv 2510.11062, as described in secondary sources and in the code of pettingllms; not
 * verified against the primary text): at every turn the agent writes K branches from the same state, and the best one continues.
 */

/** One task: a trunk of which every turn has K branches. */
interface Tree {
  /** [K] one a branch: the same task, noise of its own. */
  readonly starts: readonly EpisodeStart[];
  readonly plan: ReplicaPlan;
  /** [K] the turns of each branch number. */
  readonly branches: readonly Turn[][];
  state: unknown;
}

interface Branch {
  readonly tree: Tree;
  readonly index: number;
}

function plant({ replicas }: ExperimentPlan, starts: readonly EpisodeStart[]): Tree[] {
  const trees = new Map<string, EpisodeStart[]>();
  for (const start of starts) {
    const key = `${start.replica} ${start.batch} ${start.task}`;
    const own = trees.get(key) ?? [];
    trees.set(key, own);
    own.push(start);
  }
  return Array.from(trees.values(), (own) => {
    const [first] = own;
    const plan = replicas[first!.replica]!;
    const state = plan.workflow.reset(first!.taskKey);
    return { starts: own, plan, state, branches: own.map((): Turn[] => []) };
  });
}

/** K copies of the first pending call of every tree; calls that could run in parallel are taken one after another. */
function branchingCalls(trees: readonly Tree[]): WaitingCall<Branch>[] {
  return trees.flatMap((tree) => {
    const [call] = tree.plan.workflow.pending(tree.state);
    if (call === undefined) return [];
    return tree.starts.map(({ noiseKey }, index) => ({
      owner: { tree, index },
      call,
      noiseKey,
      ...tree.plan.seats[call.agent]!,
    }));
  });
}

/** Scores the K branches of a turn, remembers them all and goes on from the best; ties are broken at random. */
function grow(
  tree: Tree,
  taken: readonly { readonly state: unknown; readonly turn: Turn }[],
): void {
  const { workflow, training } = tree.plan;
  const { groups } = training;
  if (groups.sampling !== 'tree') throw new Error('Only replicas with tree sampling grow trees.');
  const turns = taken.map(({ state, turn }) => {
    const hasEnded = workflow.pending(state).length === 0;
    const teamReward = hasEnded ? workflow.teamReward(state) : 0;
    const local = turn.judgement.localReward;
    return { ...turn, branchReward: branchReward(teamReward, local, groups.teamRewardWeight) };
  });
  const scores = Float64Array.from(turns, (turn) => turn.branchReward - turn.penalty);
  const [first] = turns;
  const best = bestBranch(scores, foldIn(tree.starts[0]!.noiseKey, first!.turnIndex));
  for (const [index, turn] of turns.entries()) tree.branches[index]!.push(turn);
  tree.state = taken[best]!.state;
}

/**
 * Grows all trees together. Branch b of every turn of a task makes up its trajectory b; the outcome of all of them is that of the
 * trunk, which is the best of K at every turn and so better than the policy.
 * @param starts K of one task stand together
 * @returns in the order of `starts`
 */
export async function playTrees(
  plan: ExperimentPlan,
  policies: readonly PolicyApi[],
  starts: readonly EpisodeStart[],
): Promise<Trajectory[]> {
  const trees = plant(plan, starts);
  for (let waiting = branchingCalls(trees); waiting.length > 0; waiting = branchingCalls(trees)) {
    const taken = new Map<Tree, { state: unknown; turn: Turn }[]>();
    for (const { waiting: asked, written } of await sampleWave(policies, waiting, false)) {
      const { tree, index } = asked.owner;
      const own = taken.get(tree) ?? [];
      taken.set(tree, own);
      own[index] = takeTurn(tree.plan, tree.state, asked.call, written);
    }
    for (const [tree, branches] of taken) grow(tree, branches);
  }
  return trees.flatMap(({ starts: own, plan: { workflow }, branches, state }) =>
    own.map(({ replica, batch, task }, index) => ({
      replica,
      batch,
      task,
      turns: branches[index]!,
      teamReward: workflow.teamReward(state),
      rewards: null,
    })),
  );
}
