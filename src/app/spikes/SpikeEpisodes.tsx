import { useState } from 'react';
import type { Transcript } from '../../protocol/trainerApi';
import { episodeKey } from '../rollouts/episodes';
import { outcomeText } from '../rollouts/episodeText';
import { EpisodeView } from '../rollouts/EpisodeView';
import { TintLegend } from '../rollouts/TintLegend';

interface SpikeEpisodesProps {
  /** The one that weighed most first. */
  readonly episodes: readonly Transcript[];
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  readonly onOpen: (episode: Transcript) => void;
}

/** The kept rollouts of a group, one of them turn by turn. Nothing without any. */
export function SpikeEpisodes({ episodes, agents, onOpen }: SpikeEpisodesProps) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const chosen = episodes.find((episode) => episodeKey(episode) === chosenKey) ?? episodes[0];
  if (chosen === undefined) return null;
  return (
    <div className="spike-episodes">
      <fieldset className="spike-rollouts" aria-label="Choose a rollout">
        {episodes.map((episode) => (
          <button
            key={episodeKey(episode)}
            type="button"
            aria-pressed={episode === chosen}
            onClick={() => setChosenKey(episodeKey(episode))}
          >
            <span aria-hidden="true">{episode.isSolved ? '✓' : '✕'}</span>
            Task {episode.task}, rollout {episode.rollout}
            <span className="visually-hidden">, {outcomeText(episode)}</span>
          </button>
        ))}
      </fieldset>
      <section className="spike-episode" aria-label="Episode" {...reachable}>
        <EpisodeView episode={chosen} agents={agents} step={null} />
      </section>
      <div className="spike-foot">
        <TintLegend />
        <button type="button" onClick={() => onOpen(chosen)}>
          Open in Rollouts
        </button>
      </div>
    </div>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };
