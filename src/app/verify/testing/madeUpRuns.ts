import { presets } from '../../../config/presets';
import type { ExperimentSpec } from '../../../config/experimentSpec';
import type { MetricRow } from '../../../metrics/catalog';
import type { PolicyStatus } from '../../../protocol/trainerApi';
import type { Here } from '../../recordedRun';
import { applyRunEvent, initialRunState, type RunState } from '../../runState';

/** Runs for the tests of verifications: what they log is said by the test. */

export const madeUpSpec: ExperimentSpec = {
  ...presets['solve-verify-null'].spec,
  title: 'Made up',
  iterations: 4,
  backend: 'cpu',
};

export const here: Here = {
  timeOriginMs: Date.UTC(2026, 11, 2, 12),
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.1.2 Safari/537.36',
  marlbook: '0.5.0',
};

function policyOn(backend: PolicyStatus['backend']): PolicyStatus {
  return {
    policyId: 'router',
    numReplicas: 1,
    backend,
    device: `${backend} device`,
    numParameters: 1200,
    selfTest: null,
    compared: [],
    decoding: null,
  };
}

export function startedRun(
  spec = madeUpSpec,
  ranOn: readonly PolicyStatus['backend'][] = ['cpu'],
): RunState {
  const started = applyRunEvent(initialRunState, { kind: 'started', spec }, 0);
  return applyRunEvent(started, { kind: 'policies', policies: ranOn.map(policyOn) }, 1);
}

/** One more iteration of the solver in arm global with seed 0. */
export function iterated(run: RunState, iteration: number, values: MetricRow['values']): RunState {
  const times = { rolloutMs: 1, advantagesMs: 1, diagnosticsMs: 0, updateMs: 1 };
  const rows = [{ iteration, arm: 'global', seed: 0, agent: 'solver', values }];
  return applyRunEvent(
    run,
    {
      kind: 'iteration',
      iteration,
      rows,
      transcripts: [],
      groups: [],
      gradientPairs: [],
      tokens: 7,
      times,
    },
    10 + iteration,
  );
}

/** Over, with one gradient norm an iteration, from 0; stopped where it has not come to the end. */
export function endedRun(gradNorms: readonly number[], run = startedRun()): RunState {
  const trained = gradNorms.reduce(
    (state, gradNorm, iteration) => iterated(state, iteration, { gradNorm }),
    run,
  );
  const isWhole = gradNorms.length > (run.spec?.iterations ?? 0);
  return applyRunEvent(
    trained,
    {
      kind: 'finished',
      iteration: gradNorms.length - 1,
      reason: isWhole ? 'completed' : 'stopped',
    },
    1000,
  );
}
