import type { ExperimentSpec } from '../config/experimentSpec';
import { useActiveExperiment } from './activeExperiment';
import { useDesk } from './desks';
import { useDocument } from './document/documentStore';
import { issueText, settingName } from './settingText';
import { useSpec } from './specStore';
import type { SpecState } from './specState';
import { useVerifying, verifyingReason } from './verify/verificationState';
import { useWebgpuSupport, type WebgpuSupport } from './webgpuSupport';

/** A specification to run, or the reason why Run is off. */
export type Runnable =
  | { readonly ok: true; readonly spec: ExperimentSpec }
  | { readonly ok: false; readonly reason: string };

/** Whether the form can run here. */
export function runnableOf(parsed: SpecState['parsed'], support: WebgpuSupport): Runnable {
  if (!parsed.ok) {
    const [first] = parsed.issues;
    const rest = parsed.issues.length - 1;
    return {
      ok: false,
      reason: `${settingName(first?.path ?? '')}: ${issueText(first?.message ?? '')}${rest > 0 ? ` And ${rest} more.` : ''}`,
    };
  }
  if (parsed.spec.backend !== 'webgpu' || support === 'available')
    return { ok: true, spec: parsed.spec };
  return {
    ok: false,
    reason:
      support === 'checking'
        ? 'The browser is being asked for a WebGPU adapter.'
        : 'This browser offers no WebGPU: choose WebAssembly or CPU as the backend.',
  };
}

const noExperiment: Runnable = {
  ok: false,
  reason: 'The notebook has no experiment: add an experiment cell.',
};

/** Whether the experiment that the run strip speaks of can start now. */
export function useRunnable(): Runnable {
  const parsed = useSpec((state) => state.parsed);
  const support = useWebgpuSupport((state) => state.support);
  const active = useActiveExperiment(({ id }) => id);
  const hasExperiment = useDocument(({ experiment }) => experiment !== null);
  const verifying = useVerifying(verifyingReason);
  const { id } = useDesk();
  if (!hasExperiment) return noExperiment;
  if (active !== null && active !== id)
    return { ok: false, reason: `The experiment ${active} is running: stop it first.` };
  if (verifying !== null) return { ok: false, reason: verifying };
  return runnableOf(parsed, support);
}
