import type { Transcript } from '../../protocol/trainerApi';
import { formatNumber } from '../../metrics/format';
import { EpisodeBlame } from '../blame/EpisodeBlame';
import { promptTokenText } from '../blame/blameText';
import { episodeTitle, outcomeText } from './episodeText';
import { TurnView, type PromptToken } from './TurnView';

interface EpisodeViewProps {
  readonly episode: Transcript;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  /** 0-based turn up to which it is shown; null = all of it. An episode that is shorter is shown whole. */
  readonly step: number | null;
}

/** One episode, turn by turn. */
export function EpisodeView({ episode, agents, step }: EpisodeViewProps) {
  const { turns, teamReward } = episode;
  return (
    <article className="episode" aria-label={episodeTitle(episode)}>
      <header className="episode-head">
        <h3>
          Iteration {episode.iteration}, {episode.arm}
        </h3>
        <p className="muted">
          seed {episode.seed}, task {episode.task}, rollout {episode.rollout}
        </p>
        <p className="episode-outcome">
          {outcomeText(episode)}, team reward {formatNumber(teamReward)}
        </p>
      </header>
      <p
        className="episode-start"
        title="How the task starts, what is hidden from the agents first"
      >
        <span className="turn-verb">Task</span>
        <span className="turn-words">{episode.taskStart}</span>
      </p>
      {(turns[0]?.turnIndex ?? 0) > 0 && (
        <p className="muted small">
          A leaf of a tree: the turns before are told with another leaf of the task.
        </p>
      )}
      <EpisodeBlame episode={episode} agents={agents} />
      <ol className="turns" aria-label="Turns">
        {turns
          .map((turn, place) => ({ turn, place }))
          .map(({ turn, place }) => (
            <TurnView
              key={place}
              turn={turn}
              prompt={promptOf(episode, place)}
              share={episode.blame?.turns[place]?.share ?? null}
              agents={agents}
              standing={standingOf(place, step)}
            />
          ))}
      </ol>
    </article>
  );
}

/** What a turn read, with the influence of each token where it was measured. */
function promptOf(episode: Transcript, place: number): readonly PromptToken[] {
  const { promptTokens } = episode.turns[place]!;
  const measured = episode.blame?.turns[place];
  return promptTokens.map((token, i) => {
    const influence = measured?.influence[i];
    if (measured === undefined || influence === undefined) return { token, influence: null };
    const text = promptTokenText(episode, measured.origins[i] ?? -1, influence);
    return { token, influence: { share: influence, text } };
  });
}

function standingOf(place: number, step: number | null): 'shown' | 'current' | 'ahead' {
  if (step === null || place < step) return 'shown';
  return place === step ? 'current' : 'ahead';
}
