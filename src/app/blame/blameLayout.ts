import type { EpisodeBlame, Transcript } from '../../protocol/trainerApi';

/** The turns of a blamed episode as a graph: on a line in their order, an arc from each writer to its reader. Unit of lengths: CSS px. */

/** What one turn read of another. */
export interface BlameLink {
  /** Places of who wrote and who read. */
  readonly from: number;
  readonly to: number;
  /** 0..1 of the influence of the reader's whole prompt. */
  readonly influence: number;
  /** 0..1 of the failure. */
  readonly handedOn: number;
}

/** By reader, then by writer. */
export function blameLinks({ turns }: EpisodeBlame): BlameLink[] {
  return turns.flatMap(({ origins, influence, handedOn }, to) => {
    const writers = [...new Set(origins)].filter((origin) => origin >= 0);
    const total = (values: readonly number[], from: number): number =>
      values.reduce((sum, value, token) => (origins[token] === from ? sum + value : sum), 0);
    return writers
      .toSorted((a, b) => a - b)
      .map((from) => ({
        from,
        to,
        influence: total(influence, from),
        handedOn: total(handedOn, from),
      }));
  });
}

/** Between two turns, and around the first and the last. */
const [turnStep, margin] = [64, 30];
export const nodeRadius = 13;
/** Lines of full influence, and the thinnest that can be seen. */
const [fullWidth, leastWidth] = [9, 0.75];
/** Height of an arc to the next turn, more for each turn that it leaps over, up to a limit. */
const [arcHeight, arcStep, highestArc] = [26, 16, 96];

interface BlameArc extends BlameLink {
  /** SVG path data, from writer to reader. */
  readonly path: string;
  readonly strokeWidth: number;
}

export interface BlameLayout {
  readonly width: number;
  readonly height: number;
  /** Of all turns. */
  readonly y: number;
  /** [turns] */
  readonly xs: readonly number[];
  readonly arcs: readonly BlameArc[];
}

function heightOf({ from, to }: BlameLink): number {
  return Math.min(highestArc, arcHeight + arcStep * (to - from - 1));
}

/** The width of a line is proportional to its influence; none without. */
export function blameLayout(blame: EpisodeBlame): BlameLayout {
  const links = blameLinks(blame).filter(({ influence }) => influence > 0);
  const xs = blame.turns.map((_, place) => margin + place * turnStep);
  const tallest = links.reduce((most, link) => Math.max(most, heightOf(link)), 0);
  // A cubic rises to three quarters of its handles.
  const y = Math.ceil(0.75 * tallest + fullWidth / 2) + nodeRadius + 2;
  const top = y - nodeRadius;
  return {
    width: 2 * margin + (xs.length - 1) * turnStep,
    height: y + nodeRadius + 34,
    y,
    xs,
    arcs: links.map((link) => {
      const { from, to, influence, handedOn } = link;
      const [start, end, handle] = [xs[from]!, xs[to]!, top - heightOf(link)];
      return {
        from,
        to,
        influence,
        handedOn,
        path: `M${start} ${top}C${start} ${handle} ${end} ${handle} ${end} ${top}`,
        strokeWidth: Math.max(leastWidth, fullWidth * influence),
      };
    }),
  };
}

/** What agents were blamed with on average. */
export interface MeanBlame {
  readonly numEpisodes: number;
  /** In the order of `agents`; 0..1, sum 1. Empty without an episode. */
  readonly shares: readonly { readonly agent: string; readonly share: number }[];
}

/** Mean over the blamed ones among `episodes`; an agent without a turn has none. */
export function meanBlame(episodes: readonly Transcript[], agents: readonly string[]): MeanBlame {
  const sums = new Map<string, number>();
  let numEpisodes = 0;
  for (const { blame, turns } of episodes) {
    if (blame === null) continue;
    numEpisodes++;
    for (const [place, { share }] of blame.turns.entries()) {
      const { agent } = turns[place]!;
      sums.set(agent, (sums.get(agent) ?? 0) + share);
    }
  }
  const known = [...agents, ...[...sums.keys()].filter((agent) => !agents.includes(agent))];
  return {
    numEpisodes,
    shares: known
      .filter((agent) => sums.has(agent))
      .map((agent) => ({ agent, share: sums.get(agent)! / numEpisodes })),
  };
}
