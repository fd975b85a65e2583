import type { KeyboardEvent } from 'react';
import { formatNumber } from '../../metrics/format';
import type { Transcript } from '../../protocol/trainerApi';
import { episodeTitle, outcomeText } from './episodeText';

interface EpisodeListProps {
  readonly episodes: readonly Transcript[];
  readonly chosen: Transcript | null;
  readonly onChoose: (episode: Transcript) => void;
}

/** Rows beyond this are not drawn: filters find them faster than scrolling does. */
const maxRows = 200;

/**
 * The episodes that pass the filters. One stop for the Tab key; inside, the arrow keys, Home and End choose, so that an episode
 * is read as soon as it is reached.
 */
export function EpisodeList({ episodes, chosen, onChoose }: EpisodeListProps) {
  const rows = episodes.slice(0, maxRows);
  const current = chosen === null ? -1 : rows.indexOf(chosen);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, row: number): void => {
    const next = rowAfter(event.key, row, rows.length);
    const episode = next === null ? undefined : rows[next];
    if (next === null || episode === undefined) return;
    event.preventDefault();
    onChoose(episode);
    event.currentTarget.closest('tbody')?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="episode-list">
      <table aria-label="Episodes">
        <thead>
          <tr>
            <th scope="col">Arm</th>
            <th scope="col">Seed</th>
            <th scope="col">Iter.</th>
            <th scope="col">Task</th>
            <th scope="col">Turns</th>
            <th scope="col">Reward</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((episode, row) => (
            <EpisodeRow
              // By place: while the list follows a run, what is pressed is still there when the button is let go.
              key={row}
              episode={episode}
              row={row}
              isCurrent={row === current}
              isTabStop={row === Math.max(0, current)}
              onChoose={onChoose}
              onKeyDown={onKeyDown}
            />
          ))}
        </tbody>
      </table>
      {episodes.length > maxRows && (
        <p className="muted small">
          The newest {maxRows} of {episodes.length}. Filter for the others.
        </p>
      )}
    </div>
  );
}

function rowAfter(key: string, row: number, numRows: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(numRows - 1, row + 1);
    case 'ArrowUp':
      return Math.max(0, row - 1);
    case 'Home':
      return 0;
    case 'End':
      return numRows - 1;
    default:
      return null;
  }
}

interface EpisodeRowProps {
  readonly episode: Transcript;
  readonly row: number;
  readonly isCurrent: boolean;
  readonly isTabStop: boolean;
  readonly onChoose: (episode: Transcript) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, row: number) => void;
}

function EpisodeRow(props: EpisodeRowProps) {
  const { episode, row, isCurrent, isTabStop, onChoose, onKeyDown } = props;
  const { arm, seed, iteration, task, turns, teamReward, isSolved } = episode;
  return (
    <tr data-current={isCurrent}>
      <th scope="row">
        <button
          type="button"
          tabIndex={isTabStop ? 0 : -1}
          aria-current={isCurrent}
          aria-label={rowName(episode)}
          onClick={() => onChoose(episode)}
          onKeyDown={(event) => onKeyDown(event, row)}
        >
          <span className="episode-mark" data-solved={isSolved} aria-hidden="true">
            {isSolved ? '✓' : '✕'}
          </span>
          <span className="episode-arm">{arm}</span>
        </button>
      </th>
      <td>{seed}</td>
      <td>{iteration}</td>
      <td>{task}</td>
      <td>{turns.length}</td>
      <td>{formatNumber(teamReward)}</td>
    </tr>
  );
}

/** Begins with what is written on the button. */
function rowName(episode: Transcript): string {
  return `${episodeTitle(episode)}, ${outcomeText(episode)}`;
}
