import { useMemo, useRef, useState } from 'react';
import { useScheduledRevision } from '../charts/useScheduledRevision';
import { useDesk } from '../desks';
import { useRun } from '../runStore';
import { useShownScope } from '../runScope';
import { openSpike } from '../spikes/openSpike';
import { spikeList } from '../spikes/spikeList';
import { SpikesTable } from '../spikes/SpikesTable';

/** All spikes of the runs, each a way to the batch behind it. Closed at first: they are looked for when somebody looks. */
export function SpikesFold() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Spikes</h2>
        <span className="fold-line muted">
          norms above 3 × the median of the 25 before, each with the batch behind it
        </span>
      </summary>
      {isOpen && <Spikes />}
    </details>
  );
}

function Spikes() {
  const frame = useRef<HTMLDivElement>(null);
  const { id } = useDesk();
  const series = useRun((state) => state.series);
  const revision = useRun((state) => state.revision);
  const scope = useShownScope();
  const drawn = useScheduledRevision({ series, revision }, frame, false);
  const spikes = useMemo(() => spikeList(drawn.series, scope), [drawn, scope]);
  return (
    <div ref={frame}>
      {spikes.length === 0 ? (
        <p className="muted small">
          {drawn.revision === 0 ? 'Nothing has run yet.' : 'No agent’s norm has spiked.'}
        </p>
      ) : (
        <SpikesTable
          spikes={spikes}
          agents={scope.agents}
          onOpen={(spike, listed) => openSpike({ experiment: id, spike, listed })}
        />
      )}
    </div>
  );
}
