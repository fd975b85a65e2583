import { GradientConflict } from '../diagnostics/GradientConflict';
import { Fold } from '../Fold';
import { useRun } from '../runStore';
import { useShownScope, useShownSpec } from '../runScope';

/** Who pulls shared weights apart. */
export function ConflictFold() {
  return (
    <Fold
      title="Gradient conflict"
      line="angles between the gradients of agents that share a policy"
    >
      <Conflict />
    </Fold>
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
