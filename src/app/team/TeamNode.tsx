import { useId, type KeyboardEvent } from 'react';
import { formatNumber } from '../../metrics/format';
import { highlightAgent, togglePinnedAgent, useAgentHighlight } from '../agentHighlight';
import type { Box } from './box';
import type { TeamAgent, TeamModel } from './teamModel';
import type { AgentNumbers } from './teamNumbers';
import { agentText, formatPerEpisode, numbersText, policyNote } from './teamText';
import { isWalkKey } from './teamWalk';
import type { ShownNumbers } from './useTeam';

interface TeamNodeProps {
  readonly seat: TeamAgent;
  readonly team: TeamModel;
  readonly box: Box;
  readonly color: string;
  readonly numbers: ShownNumbers;
  readonly register: (button: HTMLButtonElement | null) => void;
  readonly onWalk: (key: string) => void;
}

const noNumbers: AgentNumbers = { gradNorm: null, numSpikes: null, turnsPerEpisode: null };

/** An agent: points at itself everywhere on the page, and is pinned by a click. Its box and the places in it do not move. */
export function TeamNode(props: TeamNodeProps) {
  const { seat, team, box, color, numbers, register, onWalk } = props;
  const { agent } = seat;
  const id = useId();
  const isPinned = useAgentHighlight((state) => state.pinned === agent);
  const isLit = useAgentHighlight((state) => state.agent === agent);
  const isDimmed = useAgentHighlight((state) => state.agent !== null && state.agent !== agent);
  const values = numbers.values.get(agent) ?? noNumbers;
  const measured = numbersText(values, numbers.arm, numbers.numSeeds);
  const description = [agentText(team, seat), measured].filter((text) => text !== '').join('\n');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isWalkKey(event.key)) return;
    // The pane would scroll.
    event.preventDefault();
    onWalk(event.key);
  };
  return (
    <>
      <button
        ref={register}
        type="button"
        className="team-node"
        style={{ left: box.x, top: box.y, width: box.width, height: box.height, color }}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-text`}
        aria-pressed={isPinned}
        data-lit={isLit}
        data-dimmed={isDimmed}
        title={description}
        onPointerEnter={() => highlightAgent(agent)}
        onPointerLeave={() => highlightAgent(null)}
        onFocus={() => highlightAgent(agent)}
        onBlur={() => highlightAgent(null)}
        onClick={() => togglePinnedAgent(agent)}
        onKeyDown={onKeyDown}
      >
        <span className="team-dot" />
        <span className="team-agent" id={`${id}-name`}>
          {agent}
        </span>
        <NodeNumbers values={values} note={policyNote(seat, team)} />
      </button>
      <span className="visually-hidden" id={`${id}-text`}>
        {description}
      </span>
    </>
  );
}

function NodeNumbers({ values, note }: { readonly values: AgentNumbers; readonly note: string }) {
  const { gradNorm, numSpikes, turnsPerEpisode } = values;
  return (
    <>
      <span className="team-turns">
        {turnsPerEpisode !== null && (
          <>
            <b>{formatPerEpisode(turnsPerEpisode)}</b> /ep
          </>
        )}
      </span>
      <span className="team-norm">
        {numSpikes === null ? (
          note
        ) : (
          <>
            norm <b>{gradNorm === null ? '–' : formatNumber(gradNorm)}</b>
          </>
        )}
      </span>
      <span className="team-spikes">{numSpikes !== null && `▲ ${numSpikes}`}</span>
    </>
  );
}
