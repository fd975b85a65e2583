import type { SegmentGradients } from '../protocol/policyApi';
import { foldIn } from '../rl/rng';
import { dryPass, type GradientsOf, type SegmentedTurn } from './dryPass';
import { dealMinibatches, itemsToLearn, stepsToLearn } from './itemsToLearn';
import type { Learning, ReplicaBatch } from './learning';
import { streamKey } from './randomStreams';
import { comparedAngle, cosineOf, type ComparedAngle } from './segmentAngles';

/**
 * Do two agents that share a policy, or two spans of one agent, pull its weights apart? An angle alone does not say: gradients of few
 * turns are noise, and noise in many dimensions is at right angles. So the same turns are dealt into random halves, a number of times,
 * and the cosines between the halves of one span are what chance makes of a single direction (the null). A conflict is a cosine below
 * the null's 5 % quantile (LEAS + DART's question of reasoning and tool spans, asked of any two spans).
 *
 * Spans of an agent: its first turn of an episode, and its later ones. Every world has turns; not every world writes more than one
 * token a turn, so a split inside the action would not exist in all.
 */

/** Random splits; each gives two cosines to the null of a pair. */
const numDraws = 8;

/** An agent's four segments: its first and later turns, in two halves. */
function segmentOf(agent: number, isLater: boolean, half: number): number {
  return 4 * agent + (isLater ? 2 : 0) + half;
}

const [first, later] = [
  [0, 1],
  [2, 3],
] as const;
const [half, otherHalf] = [
  [0, 2],
  [1, 3],
] as const;
const all = [0, 1, 2, 3] as const;

function ids(agent: number, parts: readonly number[]): number[] {
  return parts.map((part) => 4 * agent + part);
}

/** [turns to learn] whether the agent has moved before in the same trajectory. */
function laterTurns({ scored }: ReplicaBatch, steps: readonly number[]): boolean[] {
  const firstTurns = new Map<string, number>();
  const keyOf = (step: number): string =>
    `${scored.trajectoryOf[step]} ${scored.turns[step]!.agent}`;
  for (const step of scored.turns.keys()) {
    const { turnIndex } = scored.turns[step]!;
    const known = firstTurns.get(keyOf(step)) ?? Infinity;
    firstTurns.set(keyOf(step), Math.min(known, turnIndex));
  }
  return steps.map((step) => scored.turns[step]!.turnIndex > firstTurns.get(keyOf(step))!);
}

interface Labelled {
  readonly batch: ReplicaBatch;
  /** [turns to learn] */
  readonly items: ReturnType<typeof itemsToLearn>;
  readonly trajectories: readonly number[];
  readonly isLater: readonly boolean[];
}

function labelled(batch: ReplicaBatch, iteration: number): Labelled {
  const steps = stepsToLearn(batch);
  return {
    batch,
    items: itemsToLearn(batch, iteration),
    trajectories: steps.map((step) => batch.scored.trajectoryOf[step]!),
    isLater: laterTurns(batch, steps),
  };
}

/**
 * Deals each agent's trajectories into two halves that differ by one at most, and so do those of them that have later turns.
 * All turns of an agent in a trajectory are in one half.
 */
function segmented(part: Labelled, iteration: number, draw: number): SegmentedTurn[] {
  const { batch, items, trajectories, isLater } = part;
  const agents = [...new Set(items.map(({ turn }) => turn.agent))];
  return agents.flatMap((agent) => {
    const own = [...items.keys()].filter((index) => items[index]!.turn.agent === agent);
    const withLater = new Set(own.filter((i) => isLater[i]).map((i) => trajectories[i]!));
    const played = [...new Set(own.map((i) => trajectories[i]!))];
    const strata = [
      played.filter((trajectory) => withLater.has(trajectory)),
      played.filter((trajectory) => !withLater.has(trajectory)),
    ];
    const key = streamKey(batch.replica.seed, 'gradientHalves', iteration, draw, agent);
    const halfOf = new Map<number, number>();
    for (const stratum of strata) {
      const dealt = dealMinibatches(stratum.length, 2, foldIn(key, strata.indexOf(stratum)));
      const start = halfOf.size;
      for (const [place, trajectory] of stratum.entries())
        halfOf.set(trajectory, (start + dealt[place]!) % 2);
    }
    return own.map((i) => ({
      item: items[i]!,
      segment: segmentOf(agent, isLater[i]!, halfOf.get(trajectories[i]!)!),
    }));
  });
}

/** Two agents that share a policy, by their places in the workflow. */
interface AgentPairAngle {
  readonly a: number;
  readonly b: number;
  readonly angle: ComparedAngle;
}

export interface ConflictReading {
  readonly pairs: readonly AgentPairAngle[];
  /** [agents] between first and later turns; null where an agent has not both. */
  readonly spans: readonly (ComparedAngle | null)[];
}

/** `drawsOf`: one a draw, of the agent's policy. */
function readingOf(
  { replica }: ReplicaBatch,
  drawsOf: (agent: number) => readonly SegmentGradients[],
): ConflictReading {
  const agents = [...replica.workflow.spec.agents.keys()];
  /** The null of a part: cosines of its halves. */
  const halvesOf = (agent: number, parts: readonly number[]): number[] => {
    const within = (side: readonly number[]): number[] =>
      ids(
        agent,
        parts.filter((part) => side.includes(part)),
      );
    return drawsOf(agent).map((draw) => cosineOf(draw, within(half), within(otherHalf)));
  };
  const cosine = (agent: number, some: readonly number[], others: readonly number[]): number => {
    const [draw] = drawsOf(agent);
    return draw === undefined ? NaN : cosineOf(draw, some, others);
  };
  const isShared = (a: number, b: number): boolean => {
    const [one, other] = [replica.seats[a]!, replica.seats[b]!];
    return one.cohort === other.cohort && one.slot === other.slot;
  };
  const pairs = agents.flatMap((a) =>
    agents
      .filter((b) => b > a && isShared(a, b))
      .flatMap((b) => {
        const halves = [...halvesOf(a, all), ...halvesOf(b, all)];
        const angle = comparedAngle(cosine(a, ids(a, all), ids(b, all)), halves);
        return angle === null ? [] : [{ a, b, angle }];
      }),
  );
  const spans = agents.map((agent) =>
    comparedAngle(cosine(agent, ids(agent, first), ids(agent, later)), [
      ...halvesOf(agent, first),
      ...halvesOf(agent, later),
    ]),
  );
  return { pairs, spans };
}

/** [batches] The policies are asked once a random split; the same seed and iteration give the same splits in every arm. */
export async function measureConflict(
  learning: Pick<Learning, 'plan' | 'policies'>,
  batches: readonly ReplicaBatch[],
  iteration: number,
): Promise<ConflictReading[]> {
  const parts = batches.map((batch) => labelled(batch, iteration));
  const draws: GradientsOf[] = [];
  for (let draw = 0; draw < numDraws; draw++)
    draws.push(
      await dryPass(
        learning,
        parts.flatMap((part) => segmented(part, iteration, draw)),
      ),
    );
  return batches.map((batch) =>
    readingOf(batch, (agent) => draws.flatMap((of) => of(batch.replica.index, agent) ?? [])),
  );
}
