import { useId } from 'react';
import { useAgentHighlight } from '../agentHighlight';
import type { EdgePath } from './edgePaths';
import { messagesPerEpisode } from './teamNumbers';
import { edgeText, formatPerEpisode } from './teamText';
import type { ShownNumbers } from './useTeam';

interface TeamEdgesProps {
  readonly paths: readonly EdgePath[];
  readonly numbers: ShownNumbers;
}

/** Arrows with what is handed over, and how often where that is known. */
export function TeamEdges({ paths, numbers }: TeamEdgesProps) {
  const markerId = useId();
  const lit = useAgentHighlight((state) => state.agent);
  return (
    <>
      <defs>
        <marker
          id={markerId}
          viewBox="0 0 8 8"
          refX="7.2"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 .8 7.2 4 0 7.2z" className="team-arrow" />
        </marker>
      </defs>
      {paths.map((path) => {
        const { from, to, message } = path.edge;
        const rate = messagesPerEpisode(path.edge, numbers.values);
        return (
          <g
            key={`${from} ${to}`}
            className="team-edge"
            data-dimmed={lit !== null && lit !== from && lit !== to}
          >
            <title>{edgeText(path.edge, rate, numbers.arm)}</title>
            <path d={path.path} markerEnd={`url(#${markerId})`} />
            <EdgeLabel
              label={path.label}
              message={message}
              rate={rate}
              hasRate={path.edge.count !== null}
            />
          </g>
        );
      })}
    </>
  );
}

/** Mean advance of a letter of a label, and the room of four figures with the space before them. Unit: CSS px. */
const letterWidth = 5.2;
const rateWidth = 28;

interface EdgeLabelProps {
  readonly label: EdgePath['label'];
  readonly message: string;
  readonly rate: number | null;
  /** A rate may come: its place is kept free. */
  readonly hasRate: boolean;
}

function EdgeLabel({ label, message, rate, hasRate }: EdgeLabelProps) {
  const wordsWidth = message.length * letterWidth;
  const room = hasRate ? rateWidth : 0;
  const x = label.x - label.align * (wordsWidth + room);
  return (
    <>
      <text x={x} y={label.y}>
        {message}
      </text>
      {rate !== null && (
        <text x={x + wordsWidth + room} y={label.y} textAnchor="end" className="team-rate">
          {formatPerEpisode(rate)}
        </text>
      )}
    </>
  );
}
