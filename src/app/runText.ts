import type { RunState } from './runState';

const phaseNames: Readonly<Record<RunState['phase'], string>> = {
  idle: 'Not run yet',
  preparing: 'Preparing',
  selfTest: 'Self-test',
  warmStart: 'Warm start',
  training: 'Training',
  paused: 'Paused',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
};

/** The phase in a word or two, with what was asked for and not yet answered. */
export function phaseText({ phase, request }: Pick<RunState, 'phase' | 'request'>): string {
  if (request === 'stop') return 'Stopping after this iteration';
  if (request === 'pause') return 'Pausing after this iteration';
  return phaseNames[phase];
}

/** The change of phase as the live region says it; null where there is nothing to say. */
export function phaseSentence(run: RunState): string | null {
  switch (run.phase) {
    case 'idle':
      return null;
    case 'preparing':
      return 'The run has started.';
    case 'selfTest':
      return 'The policies are being compared with the reference implementation.';
    case 'warmStart':
      return 'The warm start has begun.';
    case 'training':
      return 'Training.';
    case 'paused':
      return `Paused after iteration ${run.iteration}.`;
    case 'finished':
      return `Finished after ${run.iteration} iterations.`;
    case 'stopped':
      return `Stopped after iteration ${run.iteration}. What was measured is kept.`;
    case 'failed':
      return `Failed after iteration ${run.iteration}: ${run.message ?? ''}`;
  }
}
