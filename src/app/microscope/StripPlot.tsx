import { useMemo } from 'react';
import { formatTick } from '../../metrics/format';
import { useAgentHighlight } from '../agentHighlight';
import { agentColor } from '../charts/lineStyle';
import type { GroupView } from './groupView';
import { stripOf, type StripDot, type StripRow } from './stripModel';

interface StripPlotProps {
  readonly view: GroupView;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
}

/** Unit: px. */
const laneHeight = 12;
const padding = 4;

/**
 * Advantages, a row a normalizer and a lane an agent, on one axis: what inflates one agent's is seen at a glance. The bar is
 * ±√E[A²]. The numbers themselves stand in the tables, so the picture is hidden from screen readers but for its name.
 */
export function StripPlot({ view, agents }: StripPlotProps) {
  const strip = useMemo(() => stripOf(view), [view]);
  const limit = Number(strip.limit.toPrecision(3));
  return (
    <figure className="strip">
      <figcaption>
        Advantages of this group
        <span className="muted small"> dot = steps with one advantage, bar = ±√E[A²]</span>
      </figcaption>
      <div className="strip-rows">
        {strip.rows.map((row) => (
          <StripRowView key={row.column.id} row={row} agents={agents} />
        ))}
        <p className="strip-axis" aria-hidden="true">
          <span>{formatTick(-limit)}</span>
          <span>0</span>
          <span>{formatTick(limit)}</span>
        </p>
      </div>
    </figure>
  );
}

interface StripRowProps {
  readonly row: StripRow;
  readonly agents: readonly string[];
}

function StripRowView({ row, agents }: StripRowProps) {
  const highlighted = useAgentHighlight((state) => state.agent);
  const { column, lanes } = row;
  return (
    <>
      <p className="strip-label" data-used={column.isInUse}>
        {column.label}
        {column.isInUse && column.id !== 'inUse' && <span className="in-use">in use</span>}
      </p>
      <svg
        className="strip-row"
        width="100%"
        height={lanes.length * laneHeight + 2 * padding}
        role="img"
        aria-label={`${column.label}: advantages by agent; numbers in the tables`}
      >
        <line className="strip-zero" x1="50%" x2="50%" y1="0" y2="100%" />
        {lanes.map(({ agent, dots, spread }, lane) => (
          <g
            key={agent}
            style={{ color: agentColor(agents, agent) }}
            opacity={highlighted !== null && highlighted !== agent ? 0.25 : 1}
          >
            {spread && (
              <rect
                className="strip-spread"
                x={percent(spread.from)}
                width={percent(spread.to - spread.from)}
                y={padding + lane * laneHeight + laneHeight / 2 - 2.5}
                height="5"
                rx="1.5"
              />
            )}
            {dots.map((dot) => (
              <Dot key={dot.advantage} dot={dot} agent={agent} lane={lane} />
            ))}
          </g>
        ))}
      </svg>
    </>
  );
}

interface DotProps {
  readonly dot: StripDot;
  readonly agent: string;
  readonly lane: number;
}

/** Its area grows with the number of steps, up to what a lane has room for. */
function Dot({ dot: { share, advantage, count }, agent, lane }: DotProps) {
  return (
    <circle
      cx={percent(share)}
      cy={padding + (lane + 0.5) * laneHeight}
      r={Math.min(laneHeight / 2, 2 + Math.sqrt(count) / 2)}
    >
      <title>{`${agent}: ${formatTick(Number(advantage.toPrecision(3)))}, ${count} ${count === 1 ? 'step' : 'steps'}`}</title>
    </circle>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(3)}%`;
}
