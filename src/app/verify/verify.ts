import { createStore } from 'zustand';
import { activeDesk } from '../activeExperiment';
import { announce } from '../announcement';
import type { Desk } from '../desks';
import { recordedHere } from '../notebookFile';
import { createPageRunner } from '../pageRunner';
import { initialRunState, type RunState } from '../runState';
import { checkWebgpuSupport, useWebgpuSupport } from '../webgpuSupport';
import { makeAgain } from './makeAgain';
import { verdictOf } from './verdict';
import { headline } from './verdictText';
import { planVerification, type VerificationPlan } from './verificationPlan';
import { useVerifying, verificationOf, verifyingReason } from './verificationState';

/** Verifies the run of an experiment at once, where there is nothing to know before; else says what that is, or why it cannot be. */
export async function askVerification(desk: Desk): Promise<void> {
  await checkWebgpuSupport();
  const store = verificationOf(desk);
  if (store.getState().kind === 'running') return;
  const busy = busyReason();
  const planned =
    busy === null
      ? planVerification(desk.run.getState(), recordedHere(), useWebgpuSupport.getState().support)
      : ({ ok: false, reason: busy } as const);
  if (!planned.ok) {
    store.setState({ kind: 'refused', reason: planned.reason }, true);
    announce(`Nothing was verified. ${planned.reason}`);
  } else if (planned.plan.warnings.length > 0) {
    store.setState({ kind: 'asked', plan: planned.plan }, true);
    announce(planned.plan.warnings.join(' '));
  } else await startVerification(desk, planned.plan);
}

function busyReason(): string | null {
  const active = activeDesk();
  return active === null
    ? verifyingReason()
    : `The experiment ${active.id} is running: stop it, or wait for its end, then verify.`;
}

/** Makes the run again in a trainer of its own and compares. Resolves when the verdict, or why there is none, stands in the store. */
export async function startVerification(desk: Desk, plan: VerificationPlan): Promise<void> {
  const store = verificationOf(desk);
  // Something may have begun while the warnings were read.
  const reason = busyReason();
  if (reason !== null) {
    store.setState({ kind: 'refused', reason }, true);
    announce(`Nothing was verified. ${reason}`);
    return;
  }
  const run = createStore<RunState>(() => initialRunState);
  const runner = createPageRunner(run);
  useVerifying.setState({ active: { experiment: desk.id, stop: runner.stop } });
  store.setState({ kind: 'running', plan, run, stop: runner.stop }, true);
  announce('The verification has started. The results stay as they are.');
  try {
    await makeAgain(plan, { run, runner });
  } finally {
    useVerifying.setState({ active: null });
  }
  const verdict = verdictOf(plan, run.getState(), recordedHere());
  store.setState({ kind: 'done', verdict }, true);
  announce(headline(verdict));
}
