import { compareSeries, type RunComparison } from '../../metrics/compareSeries';
import { originOf, type Here } from '../recordedRun';
import type { RecordedOrigin, RunState } from '../runState';
import type { VerificationPlan } from './verificationPlan';

/** What came of a verification. */
export interface Verdict {
  readonly plan: VerificationPlan;
  readonly comparison: RunComparison;
  /** Of the run made again. */
  readonly again: RecordedOrigin;
  /** `complete`: it went as far as the original. */
  readonly ending:
    | { readonly kind: 'complete' }
    | { readonly kind: 'stopped' }
    | { readonly kind: 'failed'; readonly message: string };
}

/** The run made again beside the original, as far as both have come. */
export function verdictOf(plan: VerificationPlan, again: RunState, here: Here): Verdict {
  const reached = again.revision === 0 ? -1 : again.iteration;
  const lastIteration = Math.min(reached, plan.lastIteration);
  return {
    plan,
    comparison: compareSeries(plan.original.series, again.series, lastIteration),
    again: originOf(again, here),
    ending: endingOf(again, lastIteration === plan.lastIteration),
  };
}

function endingOf({ phase, message }: RunState, isComplete: boolean): Verdict['ending'] {
  if (phase === 'failed') return { kind: 'failed', message: message ?? '' };
  return { kind: isComplete ? 'complete' : 'stopped' };
}
