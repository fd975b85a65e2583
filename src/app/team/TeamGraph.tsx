import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { releaseHighlight, useAgentHighlight } from '../agentHighlight';
import { agentColor } from '../charts/lineStyle';
import { edgePaths } from './edgePaths';
import { GroupLabels, GroupOutlines } from './GroupOutlines';
import { TeamEdges } from './TeamEdges';
import { teamLayout, type TeamLayout } from './teamLayout';
import type { TeamModel } from './teamModel';
import { TeamNode } from './TeamNode';
import { teamDescription } from './teamText';
import { walkFrom } from './teamWalk';
import { useParameterCounts, useTeam, useTeamNumbers } from './useTeam';

/**
 * Who hands over to whom, who shares which policy, and how it goes; the legend of all charts, in which an agent can be pointed at and
 * pinned.
 */
export function TeamGraph() {
  const shown = useTeam();
  return shown && <Graph team={shown.team} />;
}

/** Until the graph has been measured. Unit: CSS px. */
const firstWidth = 440;

function Graph({ team }: { readonly team: TeamModel }) {
  const frame = useRef<HTMLElement>(null);
  const width = useWidth(frame);
  const layout = useMemo(() => teamLayout(team, width), [team, width]);
  const paths = useMemo(() => edgePaths(team.edges, layout), [team, layout]);
  const numbers = useTeamNumbers(team, frame);
  const parameters = useParameterCounts();
  useHighlightRelease(team);
  const id = useId();
  return (
    <figure className="team" ref={frame} aria-label="Team" aria-describedby={id}>
      <figcaption className="visually-hidden" id={id}>
        {teamDescription(team, parameters)}
      </figcaption>
      <div className="team-graph" style={{ width: layout.width, height: layout.height }}>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          <GroupOutlines outlines={layout.outlines} />
          <TeamEdges paths={paths} numbers={numbers} />
          <GroupLabels outlines={layout.outlines} parameters={parameters} />
        </svg>
        <Nodes team={team} layout={layout} numbers={numbers} />
      </div>
    </figure>
  );
}

interface NodesProps {
  readonly team: TeamModel;
  readonly layout: TeamLayout;
  readonly numbers: ReturnType<typeof useTeamNumbers>;
}

function Nodes({ team, layout, numbers }: NodesProps) {
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const names = team.agents.map(({ agent }) => agent);
  return team.agents.map((seat) => (
    <TeamNode
      key={seat.agent}
      seat={seat}
      team={team}
      box={layout.nodes.get(seat.agent)!}
      color={agentColor(names, seat.agent)}
      numbers={numbers}
      register={(button) => {
        if (button === null) buttons.current.delete(seat.agent);
        else buttons.current.set(seat.agent, button);
      }}
      onWalk={(key) => {
        const next = walkFrom(team, layout, seat.agent, key);
        if (next !== null) buttons.current.get(next)?.focus();
      }}
    />
  ));
}

/** Inner width of an element, as it changes. Unit: CSS px. */
function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(firstWidth);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    // Called before the first paint, too.
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Escape releases the highlight wherever the focus is; so does a team that the agent does not belong to. */
function useHighlightRelease(team: TeamModel): void {
  const agent = useAgentHighlight((state) => state.agent);
  const isMember = team.agents.some((seat) => seat.agent === agent);
  useEffect(() => {
    if (agent === null) return undefined;
    if (!isMember) {
      releaseHighlight();
      return undefined;
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') releaseHighlight();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [agent, isMember]);
}
