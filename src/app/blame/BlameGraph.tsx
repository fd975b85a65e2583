import { useId, type CSSProperties } from 'react';
import type { EpisodeBlame, Transcript } from '../../protocol/trainerApi';
import { agentColor } from '../charts/lineStyle';
import { percentText } from '../spikes/spikeText';
import { blameLayout, blameLinks, nodeRadius, type BlameLayout } from './blameLayout';
import { blameCaption, linkText, readText } from './blameText';

interface BlameGraphProps {
  readonly episode: Transcript;
  readonly blame: EpisodeBlame;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
}

/** The turns of a failed episode, who read what of whom, and each turn’s share of the blame; the same as a table. */
export function BlameGraph({ episode, blame, agents }: BlameGraphProps) {
  const id = useId();
  const layout = blameLayout(blame);
  return (
    <figure className="blame" aria-labelledby={id}>
      <figcaption className="muted small" id={id}>
        {blameCaption(blame)}
      </figcaption>
      <section className="blame-frame" aria-label="Blame graph" {...reachable}>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          <Arcs episode={episode} agents={agents} layout={layout} />
          <Turns episode={episode} blame={blame} agents={agents} layout={layout} />
        </svg>
      </section>
      <details className="blame-table">
        <summary>Blame as a table</summary>
        <BlameTable episode={episode} blame={blame} agents={agents} />
      </details>
    </figure>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

function Arcs({
  episode,
  agents,
  layout,
}: Omit<BlameGraphProps, 'blame'> & { readonly layout: BlameLayout }) {
  return layout.arcs.map((arc) => (
    <path
      key={`${arc.from} ${arc.to}`}
      className="blame-arc"
      d={arc.path}
      stroke={agentColor(agents, episode.turns[arc.from]!.agent)}
      strokeWidth={arc.strokeWidth}
    >
      <title>{linkText(episode, arc)}</title>
    </path>
  ));
}

function Turns({
  episode,
  blame,
  agents,
  layout,
}: BlameGraphProps & { readonly layout: BlameLayout }) {
  const { y } = layout;
  return layout.xs
    .map((x, place) => ({ x, place }))
    .map(({ x, place }) => {
      const { agent } = episode.turns[place]!;
      const { share } = blame.turns[place]!;
      return (
        <g key={place} className="blame-turn" style={withShare(agentColor(agents, agent), share)}>
          <circle cx={x} cy={y} r={nodeRadius} />
          <text x={x} y={y + 4}>
            {place + 1}
          </text>
          <text x={x} y={y + nodeRadius + 15} className="blame-share">
            {percentText(share)}
          </text>
          <text x={x} y={y + nodeRadius + 28} className="blame-agent">
            {agent}
          </text>
        </g>
      );
    });
}

function withShare(
  color: string,
  share: number,
): CSSProperties & Record<'--turn-color' | '--share', string> {
  return { '--turn-color': color, '--share': `${Math.round(100 * share)}%` };
}

function BlameTable({ episode, blame, agents }: BlameGraphProps) {
  const links = blameLinks(blame);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Turn</th>
          <th scope="col">Read, by influence</th>
          <th scope="col">Blame</th>
        </tr>
      </thead>
      <tbody>
        {blame.turns
          .map(({ share }, place) => ({ share, place }))
          .map(({ share, place }) => (
            <tr key={place}>
              <th scope="row">
                {place + 1}{' '}
                <span
                  className="agent-dot"
                  style={{ background: agentColor(agents, episode.turns[place]!.agent) }}
                />{' '}
                {episode.turns[place]!.agent}
              </th>
              <td>
                {readText(
                  episode,
                  links.filter(({ to }) => to === place),
                )}
              </td>
              <td>{percentText(share)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
