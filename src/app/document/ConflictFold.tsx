import { useState } from 'react';
import { GradientConflict } from '../diagnostics/GradientConflict';
import { useRun } from '../runStore';
import { useShownScope, useShownSpec } from '../runScope';

/** Who pulls shared weights apart. Closed at first, as the spikes are. */
export function ConflictFold() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Gradient conflict</h2>
        <span className="fold-line muted">
          angles between the gradients of agents that share a policy
        </span>
      </summary>
      {isOpen && <Conflict />}
    </details>
  );
}

function Conflict() {
  const { arms, agents } = useShownScope();
  const { diagnostics } = useShownSpec();
  const pairs = useRun((state) => state.gradientPairs);
  const iteration = useRun((state) => state.iteration);
  return (
    <GradientConflict
      pairs={pairs}
      arms={arms}
      agents={agents}
      isOn={diagnostics.gradientConflict}
      iteration={iteration}
    />
  );
}
