import { presets } from '../../config/presets';
import { madeUpGroup } from '../../app/microscope/testing/madeUpGroup';
import { madeUpTranscript, madeUpTurn } from '../../app/rollouts/testing/madeUpTranscript';
import { noUsage } from '../../app/testing/madeUpUsage';
import type { KeptEvent, NewRun, RunBatch, RunStanding } from '../storageApi';

/** Runs by hand, for tests. */

type IterationEvent = Extract<KeptEvent, { kind: 'iteration' }>;

export const training: RunStanding = { phase: 'training', message: null, endedAt: null };

export function madeUpNewRun(changes: Partial<NewRun> = {}): NewRun {
  return {
    runId: 'run-1',
    notebookId: 'notebook-1',
    experiment: 'e1',
    spec: presets['solve-verify-null'].spec,
    startedAt: 1_600_000_000_000,
    versions: { marlbook: '0.6.0', browser: 'Chrome/156.0.0.0' },
    userAgent: 'test',
    ...changes,
  };
}

/** Numbers that JSON and float32 cannot hold, one after the other. */
const oddValues = [0.1 + 0.2, NaN, Infinity, -Infinity, -0, Number.MIN_VALUE, 1e308, 1 / 3];

/** With something of everything in it; what it holds depends on the iteration. */
export function madeUpIteration(
  iteration: number,
  changes: Partial<IterationEvent> = {},
): IterationEvent {
  const odd = oddValues[iteration % oddValues.length]!;
  const place = { iteration, arm: 'global', seed: 0 };
  const conflict = { iteration, cosine: odd, nullLow: -0.5, nullMedian: 0.25, isConflict: true };
  return {
    kind: 'iteration',
    iteration,
    rows: [
      // There is no gradient before the first update.
      ...(iteration === 0
        ? []
        : [
            { ...place, agent: 'solver', values: { gradNorm: odd, numTurns: 64 } },
            { ...place, agent: 'verifier', values: { numTurns: iteration, gradNorm: -0 } },
          ]),
      { ...place, agent: 'team', values: { success: iteration / 7 } },
    ],
    transcripts: [
      madeUpTranscript({
        iteration,
        turns: [madeUpTurn({ advantage: odd, penalty: -0 })],
        spikingAgents: iteration % 3 === 0 ? ['solver'] : [],
      }),
      madeUpTranscript({ iteration, rollout: 1 }),
    ],
    groups: [
      madeUpGroup([{ agent: 0, rollout: 0, score: odd, advantage: 1 / 3 }], {
        iteration,
        spikingAgents: iteration % 3 === 0 ? ['search'] : [],
      }),
    ],
    gradientPairs: [
      {
        arm: 'global',
        seed: 0,
        a: 'solver',
        b: 'verifier',
        updateCosine: iteration % 2 === 0 ? null : odd,
        conflict: iteration % 4 === 0 ? conflict : null,
      },
    ],
    tokens: 100 + iteration,
    times: { rolloutMs: 1.5, advantagesMs: 0.1, diagnosticsMs: 0, updateMs: iteration / 3 },
    ...changes,
  };
}

export function throughputAfter(iteration: number): KeptEvent {
  const usage = { ...noUsage, sampledTokens: 10 * iteration, gpuBytes: 2 ** 31 };
  return { kind: 'throughput', iteration, policies: [{ policyId: 'solver', ...usage }] };
}

export const policiesEvent: KeptEvent = {
  kind: 'policies',
  policies: [
    {
      policyId: 'solver',
      numReplicas: 2,
      backend: 'cpu',
      device: 'tfjs cpu',
      numParameters: 12,
      selfTest: { logits: 1e-7, gradients: NaN },
      compared: [{ backend: 'wasm', sampleMs: 1.25, updateMs: null, refusal: 'none' }],
      decoding: { kind: 'batched', batchedMs: 2, persistentMs: null },
    },
  ],
};

/** As a trainer tells it: iterations `first` to `last`, each with its throughput. */
export function madeUpBatch(
  first: number,
  last: number,
  changes: Partial<RunBatch> = {},
): RunBatch {
  const events: KeptEvent[] = first === 0 ? [policiesEvent] : [];
  for (let iteration = first; iteration <= last; iteration++)
    events.push(madeUpIteration(iteration), throughputAfter(iteration));
  return { events, standing: training, ...changes };
}
