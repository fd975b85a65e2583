import { lazy, Suspense } from 'react';
import { Fold } from '../Fold';
import { useRun } from '../runStore';
import { isActive, type RunState } from '../runState';
import { useSpec } from '../specStore';
import { interventionText } from './interventionText';
import { plannedIn } from './plannedIn';

const SteerPanel = lazy(async () => ({ default: (await import('./SteerPanel')).SteerPanel }));

/** Where settings are changed while the run goes on. */
export function SteerFold() {
  const numPlanned = useSpec(({ draft }) => plannedIn(draft).length);
  const line = useRun((state) => lineOf(state, numPlanned));
  return (
    <Fold title="Steer" line={line}>
      <Suspense fallback={null}>
        <SteerPanel />
      </Suspense>
    </Fold>
  );
}

function counted(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

function lineOf({ phase, interventions }: RunState, numPlanned: number): string {
  const last = interventions.at(-1);
  if (last !== undefined)
    return `${counted(interventions.length)}, the last: ${interventionText(last)}`;
  if (!isActive(phase) && numPlanned > 0) return `${counted(numPlanned)} planned for the next run`;
  return 'change learning rate, clip, penalties, estimator while the run goes on';
}
