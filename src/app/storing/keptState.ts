import type { StoredRun } from '../../storage/storageApi';
import { applyRunEvent, initialRunState, isActive, type RunState } from '../runState';

/**
 * A stored run as the page shows runs: over, with everything that was kept of it. What the trainer told is taken in once more.
 * @param isElsewhere another tab has its notebook open, and may go on with it
 */
export function stateOfStored(stored: StoredRun, isElsewhere: boolean): RunState {
  const { head, standing, savedAt, events } = stored;
  const start = applyRunEvent(initialRunState, { kind: 'started', spec: head.spec }, 0);
  const played = events.reduce((state, event) => applyRunEvent(state, event, 0), start);
  // It fails of itself where its numbers do not fit together: then that is its message.
  const hasFailed = played.phase === 'failed';
  const wasCutOff = isActive(standing.phase);
  const endedAt = standing.endedAt ?? savedAt;
  return {
    ...played,
    phase: hasFailed ? 'failed' : overPhase(standing.phase),
    message: played.message ?? standing.message,
    detail: '',
    share: null,
    pace: [],
    lastIterationAtMs: null,
    startedAtMs: 0,
    endedAtMs: Math.max(0, endedAt - head.startedAt),
    recorded: {
      date: new Date(endedAt).toISOString(),
      versions: head.versions,
      device: {
        userAgent: head.userAgent,
        policies: played.policies.map(({ policyId, backend, device, numParameters }) => ({
          policyId,
          backend,
          device,
          numParameters,
        })),
      },
    },
    kept: { runId: head.runId, wasLeft: wasCutOff && !isElsewhere },
  };
}

function overPhase(phase: StoredRun['standing']['phase']): 'finished' | 'stopped' | 'failed' {
  return phase === 'finished' || phase === 'failed' ? phase : 'stopped';
}
