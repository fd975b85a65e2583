/**
 * Which turn of an episode its outcome can be traced to. Nodes are turns, and what turn j wrote has the influence w(j→k, token) on what
 * turn k wrote after reading it. Axes: K turns in the order of their places, T prompt tokens of a turn.
 *
 * b_out = 1 at the last turn, which wrote the outcome; b_j = Σ_k (1 − kept_k)·ŵ(j→k)·b_k. Messages are discrete: shares are multiplied
 * along the graph, and nothing is propagated through what was sampled. After GBC / AgentChord ("gradient-based connections", as
 * described in secondary sources; not verified against the primary text), which names the recursion and the weights
 * w(j→k, token) = ‖∂L_k/∂e(token)‖, but not what a turn keeps for itself. That is a convention here, and has a name:
 *
 * - `nothing`: ŵ is normalised over the messages that k read, and k keeps nothing. The formula to the letter. All blame then goes to
 *   turns that read no message: a chain always blames its first agent.
 * - `taskShare`: ŵ is normalised over the whole prompt, and k keeps the share of the tokens that no turn wrote. A turn that goes by the
 *   task rather than by its messages answers for itself. A share is kept at every step, so blame fades along a chain.
 * - `chance`: ŵ is normalised over the messages, after k has kept 1 − π(action of k): asked the same again it would have written
 *   something else with that probability, so that much is its own chance and not its messages'. The task is nobody's fault and keeps
 *   nothing. A turn that is wrong and sure of it passes its blame on: the graph cannot know.
 *
 * In all three a turn whose messages have no influence, or that read none, keeps all.
 */
export type KeptShare = 'nothing' | 'taskShare' | 'chance';

/** A turn as the graph sees it. */
export interface InfluencedTurn {
  /** [T] ≥ 0 and finite: influence of each prompt token on what the turn wrote. Any unit; only ratios within the turn count. */
  readonly weights: ArrayLike<number>;
  /** [T] place of the earlier turn that the token comes from; −1 for the task and the world. */
  readonly origins: ArrayLike<number>;
  /** ≤ 0: log π of the whole action under the policy that wrote it. Unit: nats. −∞ where it could not have been written. */
  readonly logprob: number;
}

/** What one turn handed on to another. */
interface BlameEdge {
  /** Places of who wrote and who read; from < to. */
  readonly from: number;
  readonly to: number;
  /** 0..1 of the influence of the whole prompt, the task's tokens counted. */
  readonly influence: number;
  /** 0..1 of the failure: what the reader passes on to the writer. */
  readonly blame: number;
}

export interface Blame {
  /** [K] ≥ 0, sum 1: what stays with each turn. */
  readonly shares: Float64Array;
  /** [K] 0..1: b_k, what reaches each turn before it passes on. */
  readonly reached: Float64Array;
  /** [K] × [T] 0..1: what is passed on through each prompt token; 0 for the task's. */
  readonly tokens: readonly Float64Array[];
  /** By reader, then by writer. */
  readonly edges: readonly BlameEdge[];
}

function assertTurn({ weights, origins, logprob }: InfluencedTurn, place: number): void {
  if (weights.length !== origins.length)
    throw new RangeError(
      `Turn ${place} has ${weights.length} weights and ${origins.length} origins: give both for every prompt token.`,
    );
  for (let token = 0; token < weights.length; token++) {
    const [weight, origin] = [weights[token]!, origins[token]!];
    if (!(weight >= 0) || weight === Infinity)
      throw new RangeError(
        `Turn ${place} has the weight ${weight} at token ${token}: an influence is finite and ≥ 0; leave out episodes whose gradients are not.`,
      );
    if (!Number.isInteger(origin) || origin < -1 || origin >= place)
      throw new RangeError(
        `Turn ${place} names the origin ${origin} at token ${token}: an earlier turn, 0..${place - 1}, or −1 for the task was expected.`,
      );
  }
  if (!(logprob <= 0))
    throw new RangeError(
      `Turn ${place} has the log-probability ${logprob}: a number ≤ 0 was expected.`,
    );
}

/** Σ of the weights of tokens that turns wrote, or of those that none wrote, in parts of the largest weight so that no sum overflows. */
function sums({ weights, origins }: InfluencedTurn): {
  scale: number;
  messages: number;
  task: number;
} {
  let scale = 0;
  for (let token = 0; token < weights.length; token++) scale = Math.max(scale, weights[token]!);
  let [messages, task] = [0, 0];
  if (scale > 0)
    for (let token = 0; token < weights.length; token++)
      if (origins[token]! < 0) task += weights[token]! / scale;
      else messages += weights[token]! / scale;
  return { scale, messages, task };
}

/** kept_k, 0..1. */
function keptShare(
  { messages, task }: { readonly messages: number; readonly task: number },
  logprob: number,
  kept: KeptShare,
): number {
  if (messages === 0) return 1;
  switch (kept) {
    case 'nothing':
      return 0;
    case 'taskShare':
      return task / (messages + task);
    case 'chance':
      // Not −0 for a turn that was certain.
      return 0 - Math.expm1(logprob);
  }
}

/**
 * Blame of an episode's turns, in float64; see `KeptShare` for the formula and its source. What each turn is left with sums to 1.
 * Throws a RangeError on an episode without turns, and on weights, origins or log-probabilities outside their range.
 * @param turns [K] in the order in which they were taken; the last one wrote the outcome
 */
export function blame(turns: readonly InfluencedTurn[], kept: KeptShare): Blame {
  if (turns.length === 0)
    throw new RangeError('An episode without turns has nobody to blame: leave it out.');
  for (const [place, turn] of turns.entries()) assertTurn(turn, place);
  const shares = new Float64Array(turns.length);
  const reached = new Float64Array(turns.length);
  const tokens = turns.map(({ weights }) => new Float64Array(weights.length));
  const edges: BlameEdge[] = [];
  reached[turns.length - 1] = 1;
  for (const [place, turn] of [...turns.entries()].toReversed()) {
    const { weights, origins, logprob } = turn;
    const total = sums(turn);
    const own = keptShare(total, logprob, kept);
    shares[place] = reached[place]! * own;
    const passed = reached[place]! * (1 - own);
    const from = new Map<number, { influence: number; blame: number }>();
    for (let token = 0; token < weights.length; token++) {
      const origin = origins[token]!;
      if (origin < 0 || total.scale === 0) continue;
      const weight = weights[token]! / total.scale;
      const part = total.messages === 0 ? 0 : (passed * weight) / total.messages;
      tokens[place]![token] = part;
      reached[origin]! += part;
      const edge = from.get(origin) ?? { influence: 0, blame: 0 };
      edge.influence += weight / (total.messages + total.task);
      edge.blame += part;
      from.set(origin, edge);
    }
    const read = [...from].toSorted(([a], [b]) => a - b);
    edges.unshift(
      ...read.map(([writer, { influence, blame: part }]) => ({
        from: writer,
        to: place,
        influence,
        blame: part,
      })),
    );
  }
  return { shares, reached, tokens, edges };
}

/** [A] sum of the turns' shares by agent. Throws a RangeError on arrays of unequal length. @param agents [K] */
export function agentBlame(
  shares: Float64Array,
  agents: readonly number[],
  numAgents: number,
): Float64Array {
  if (shares.length !== agents.length)
    throw new RangeError(
      `shares has ${shares.length} entries, agents ${agents.length}: give one agent per turn.`,
    );
  const sum = new Float64Array(numAgents);
  for (const [place, agent] of agents.entries()) sum[agent]! += shares[place]!;
  return sum;
}
