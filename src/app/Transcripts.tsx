import { memo } from 'react';
import { formatNumber } from '../metrics/format';
import type { Transcript, TranscriptTurn } from '../protocol/trainerApi';
import { agentColor } from './charts/lineStyle';
import { useRun } from './runStore';
import { useShownScope } from './runScope';

/** Sample episodes of the last iteration, turn by turn, each agent in its colour. */
export function Transcripts() {
  const kept = useRun((state) => state.transcripts);
  const transcripts = kept.filter(({ iteration }) => iteration === kept.at(-1)?.iteration);
  const { agents } = useShownScope();
  return (
    <section className="transcripts" aria-labelledby="transcripts-title">
      <h2 id="transcripts-title">
        Sample episodes
        {transcripts[0] && (
          <span className="muted small"> of iteration {transcripts[0].iteration}</span>
        )}
      </h2>
      {transcripts.length === 0 ? (
        <p className="empty">
          What the agents read and wrote, turn by turn, with the reward of the episode.
        </p>
      ) : (
        <ol className="transcript-list">
          {numbered(transcripts).map(({ number, entry }) => (
            <Episode key={number} transcript={entry} agents={agents} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface EpisodeProps {
  readonly transcript: Transcript;
  readonly agents: readonly string[];
}

const Episode = memo(function Episode({ transcript, agents }: EpisodeProps) {
  return (
    <li className="episode">
      <p className="episode-head">
        <span>
          {transcript.arm} <span className="muted">seed {transcript.seed}</span>
        </span>
        <span>reward {formatNumber(transcript.teamReward)}</span>
      </p>
      <ol>
        {numbered(transcript.turns).map(({ number, entry }) => (
          <Turn key={number} turn={entry} color={agentColor(agents, entry.agent)} />
        ))}
      </ol>
    </li>
  );
});

/** Episodes and turns have no name but their place; the places stay from one iteration to the next, and so does the page. */
function numbered<T>(entries: readonly T[]): readonly { number: number; entry: T }[] {
  return entries.map((entry, index) => ({ number: index + 1, entry }));
}

function Turn({ turn, color }: { readonly turn: TranscriptTurn; readonly color: string }) {
  return (
    <li className="turn">
      <span className="turn-agent">
        <span className="agent-dot" style={{ background: color }} />
        {turn.agent}
      </span>
      <span className="turn-text">
        <span className="muted">{turn.promptTokens.join(' ')}</span>
        <span aria-hidden="true"> → </span>
        <span className="visually-hidden">writes</span>
        <strong>{turn.actionTokens.join(' ')}</strong>
        {!turn.isValid && <span className="turn-invalid">not readable</span>}
      </span>
    </li>
  );
}
