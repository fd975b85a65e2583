import { activeDesk } from './activeExperiment';
import { currentDesk } from './desks';
import { useDocument } from './document/documentStore';
import { runnableOf } from './runnable';
import { verifyingReason } from './verify/verificationState';
import { useWebgpuSupport } from './webgpuSupport';

/** Starts the run that the run strip would start; does nothing where Run is off. */
export function runCurrent(): void {
  const desk = currentDesk();
  const { parsed } = desk.form.getState();
  const runnable = runnableOf(parsed, useWebgpuSupport.getState().support);
  const isBusy = activeDesk() !== null || verifyingReason() !== null;
  if (!runnable.ok || isBusy || useDocument.getState().experiment === null) return;
  // How the run ends stands in the store.
  void desk.runner.start(runnable.spec);
}
