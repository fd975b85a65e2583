import { useMemo, useRef } from 'react';
import { useScheduledRevision } from '../charts/useScheduledRevision';
import { useDesk } from '../desks';
import { Fold } from '../Fold';
import { useRun } from '../runStore';
import { useShownScope } from '../runScope';
import { openSpike } from '../spikes/openSpike';
import { spikeList } from '../spikes/spikeList';
import { SpikesTable } from '../spikes/SpikesTable';

/** All spikes of the runs, each a way to the batch behind it. */
export function SpikesFold() {
  return (
    <Fold
      title="Spikes"
      line="norms above 3 × the median of the 25 before, each with the batch behind it"
    >
      <Spikes />
    </Fold>
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
