import { useEffect, useId, useMemo, useRef, type KeyboardEvent } from 'react';
import type { Transcript } from '../../protocol/trainerApi';
import { agentColor } from '../charts/lineStyle';
import type { MicroscopeChoice } from '../microscope/microscopeText';
import { runScope } from '../runScope';
import { SpikeBatch } from './SpikeBatch';
import type { SpikeRun } from './spikeCause';
import { spikeKey, type Spike } from './spikeList';
import { spikeSentence } from './spikeText';

interface SpikeReaderProps {
  readonly spike: Spike;
  /** In the order that Previous and Next follow. */
  readonly spikes: readonly Spike[];
  readonly run: SpikeRun;
  readonly onChoose: (spike: Spike) => void;
  readonly onClose: () => void;
  readonly onOpenMicroscope: (choice: MicroscopeChoice) => void;
  readonly onOpenRollout: (episode: Transcript) => void;
}

/** From a spike to the batch behind it, the group that weighed most and the rollouts in it. Escape closes it. */
export function SpikeReader(props: SpikeReaderProps) {
  const { spike, run, onClose } = props;
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const agents = useMemo(() => runScope(run.spec).agents, [run.spec]);
  const key = spikeKey(spike);
  // Whoever opens it starts reading at the top.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <section className="spike-reader" aria-labelledby={titleId} {...{ onKeyDown }}>
      <header className="spike-head">
        <h2 id={titleId} ref={heading} {...focusable}>
          <span className="agent-dot" style={{ background: agentColor(agents, spike.agent) }} />
          Spike of {spike.agent}, iteration {spike.iteration}
        </h2>
        <p className="muted">
          {spike.arm}, seed {spike.seed}
        </p>
        <SpikeSteps {...props} />
      </header>
      <p aria-live="polite">{spikeSentence(spike)}</p>
      <SpikeBatch key={key} {...props} agents={agents} />
    </section>
  );
}

/** Not a stop of the Tab key, but a place for the focus. */
const focusable = { tabIndex: -1 };

/** To the neighbours in the list, and out. */
function SpikeSteps({ spike, spikes, onChoose, onClose }: SpikeReaderProps) {
  const place = spikes.findIndex((other) => spikeKey(other) === spikeKey(spike));
  const previous = spikes[place - 1];
  const next = place < 0 ? undefined : spikes[place + 1];
  return (
    <div className="spike-steps">
      <button
        type="button"
        disabled={previous === undefined}
        onClick={() => previous && onChoose(previous)}
      >
        ‹ Previous
      </button>
      <span className="spike-place">
        {place + 1} of {spikes.length}
      </span>
      <button type="button" disabled={next === undefined} onClick={() => next && onChoose(next)}>
        Next ›
      </button>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
