import { useEffect, useId, useMemo, useRef, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Transcript } from '../../protocol/trainerApi';
import { announce } from '../announcement';
import { agentColor } from '../charts/lineStyle';
import type { MicroscopeChoice } from '../microscope/microscopeText';
import { runScope } from '../runScope';
import { SpikeBatch } from './SpikeBatch';
import type { SpikeRun } from './spikeCause';
import { spikeKey, type Spike } from './spikeList';
import { spikeSentence, spikeTitle } from './spikeText';

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
  const { spike, run, onChoose, onClose } = props;
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const agents = useMemo(() => runScope(run.spec).agents, [run.spec]);
  const key = spikeKey(spike);
  // Whoever opens it starts reading at the top.
  useEffect(() => heading.current?.focus(), []);
  const goTo = (other: Spike): void => {
    announce(`${spikeTitle(other)}. ${spikeSentence(other)}`);
    flushSync(() => onChoose(other));
    // At the end of the list the button that was pressed is off, and with it the keys.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled'))
      heading.current?.focus({ preventScroll: true });
  };
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
        <SpikeSteps {...props} onGoTo={goTo} />
      </header>
      <p>{spikeSentence(spike)}</p>
      <SpikeBatch key={key} {...props} agents={agents} />
    </section>
  );
}

/** Not a stop of the Tab key, but a place for the focus. */
const focusable = { tabIndex: -1 };

interface SpikeStepsProps extends Pick<SpikeReaderProps, 'spike' | 'spikes' | 'onClose'> {
  readonly onGoTo: (spike: Spike) => void;
}

/** To the neighbours in the list, and out. */
function SpikeSteps({ spike, spikes, onGoTo, onClose }: SpikeStepsProps) {
  const place = spikes.findIndex((other) => spikeKey(other) === spikeKey(spike));
  const previous = spikes[place - 1];
  const next = place < 0 ? undefined : spikes[place + 1];
  return (
    <div className="spike-steps">
      <button
        type="button"
        disabled={previous === undefined}
        onClick={() => previous && onGoTo(previous)}
      >
        ‹ Previous
      </button>
      <span className="spike-place">
        {place + 1} of {spikes.length}
      </span>
      <button type="button" disabled={next === undefined} onClick={() => next && onGoTo(next)}>
        Next ›
      </button>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
