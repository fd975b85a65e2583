import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import type { Transcript } from '../../protocol/trainerApi';
import { announce } from '../announcement';
import { EpisodeView } from './EpisodeView';
import { ReaderBar } from './ReaderBar';
import { turnSentence } from './episodeText';
import { TintLegend } from './TintLegend';
import { stepAfter } from './viewerState';

interface EpisodeReaderProps {
  readonly episode: Transcript;
  /** The same task in another iteration; null = nothing. */
  readonly beside: Transcript | null;
  readonly comparable: readonly Transcript[];
  readonly numIterations: number;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  readonly step: number | null;
  readonly onStep: (step: number | null) => void;
  readonly onCompare: (episode: Transcript | null) => void;
}

/** The chosen episode, alone or beside another of its task, as a whole or step by step. */
export function EpisodeReader(props: EpisodeReaderProps) {
  const { episode, beside, agents, step, onStep } = props;
  const keysId = useId();
  const pane = useRef<HTMLElement>(null);
  const numTurns = Math.max(episode.turns.length, beside?.turns.length ?? 0);
  useEffect(() => {
    if (step === null) return;
    pane.current?.querySelector('[aria-current=step]')?.scrollIntoView({ block: 'nearest' });
  }, [step]);
  const stepBy = (key: string): boolean => {
    const next = stepAfter(key, step, numTurns);
    if (next === undefined) return false;
    onStep(next);
    const turn = next === null ? undefined : episode.turns[next];
    if (next !== null && turn) announce(turnSentence(turn, next, episode.turns.length));
    return true;
  };
  return (
    <div className="reader">
      <ReaderBar {...props} numTurns={numTurns} onKey={stepBy} />
      <section
        className="reader-pane"
        aria-label="Episode"
        aria-describedby={keysId}
        ref={pane}
        {...stepping(stepBy)}
      >
        <div className="reader-episodes" data-two={beside !== null}>
          <EpisodeView episode={episode} agents={agents} step={step} />
          {beside && <EpisodeView episode={beside} agents={agents} step={step} />}
        </div>
      </section>
      <p className="visually-hidden" id={keysId}>
        Arrow keys, Home and End step through the turns; Escape shows all of them.
      </p>
      <TintLegend />
    </div>
  );
}

/** What scrolls has to be reachable by keyboard; once there, keys step. Keys with a modifier belong to the browser. */
function stepping(stepBy: (key: string) => boolean) {
  return {
    tabIndex: 0,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (stepBy(event.key)) event.preventDefault();
    },
  };
}
