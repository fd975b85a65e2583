import type { StoreApi } from 'zustand';
import type { Runner } from '../runner';
import { isActive, type RunState } from '../runState';
import type { VerificationPlan } from './verificationPlan';

interface Again {
  readonly run: Pick<StoreApi<RunState>, 'getState' | 'subscribe'>;
  readonly runner: Pick<Runner, 'start' | 'stop'>;
}

/** Resolves when the run has come as far as the original, or has ended otherwise. */
export async function makeAgain(plan: VerificationPlan, { run, runner }: Again): Promise<void> {
  const unwatch = run.subscribe(({ phase, revision, iteration }) => {
    const isThere = revision > 0 && iteration >= plan.lastIteration;
    if (!isThere || !isActive(phase) || plan.lastIteration >= plan.spec.iterations) return;
    unwatch();
    // What would come now is not compared: the second time ends it at once.
    runner.stop();
    if (isActive(run.getState().phase)) runner.stop();
  });
  await runner.start(plan.spec);
  unwatch();
}
