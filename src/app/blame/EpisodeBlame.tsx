import { useMemo } from 'react';
import type { Transcript } from '../../protocol/trainerApi';
import { useShownSpec } from '../runScope';
import { useRun } from '../runStore';
import { BlameGraph } from './BlameGraph';
import { meanBlame } from './blameLayout';
import { meanText, missingText } from './blameText';

interface EpisodeBlameProps {
  readonly episode: Transcript;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
}

/** Whom the failure of an episode can be traced to, and whom those of the iteration; or how to find out. */
export function EpisodeBlame({ episode, agents }: EpisodeBlameProps) {
  const { diagnostics } = useShownSpec();
  const { blame } = episode;
  if (blame !== null)
    return (
      <>
        <BlameGraph episode={episode} blame={blame} agents={agents} />
        <IterationBlame episode={episode} agents={agents} />
      </>
    );
  const text = missingText(episode, diagnostics);
  return text && <p className="muted small">{text}</p>;
}

/** Of the arm, all its seeds. An episode that the run has forgotten speaks for itself. */
function IterationBlame({ episode, agents }: EpisodeBlameProps) {
  const transcripts = useRun((state) => state.transcripts);
  const mean = useMemo(() => {
    const kept = transcripts.filter(
      ({ iteration, arm }) => iteration === episode.iteration && arm === episode.arm,
    );
    return meanBlame(kept.includes(episode) ? kept : [episode], agents);
  }, [transcripts, episode, agents]);
  return <p className="small blame-mean">{meanText(mean, episode)}</p>;
}
