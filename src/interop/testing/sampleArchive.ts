import { defaultSpec } from '../../config/defaults';
import { appendRows, createRunSeries } from '../../metrics/runSeries';
import { metricsCsv } from '../../metrics/toCsv';
import type { RunArchive } from '../archiveFormat';
import { writeLlamaCheckpoint } from '../llamaCheckpoint';
import { numLlamaParameters } from '../llamaLayout';
import { metricsParquet } from '../metricsParquet';

const shape = {
  architecture: { ...defaultSpec.policies['router']!.architecture, hiddenSize: 8, numLayers: 1 },
  vocabularySize: 5,
};

/** An archive with something in each of its files. */
export function sampleArchive(): RunArchive {
  const series = appendRows(createRunSeries(), [
    { iteration: 0, arm: 'global', seed: 0, agent: 'team', values: { success: NaN } },
  ]);
  const weights = Float32Array.from({ length: numLlamaParameters(shape) }, (_, i) => i / 7);
  const files = writeLlamaCheckpoint({ ...shape, weights, maxLength: 12 }, { seed: '0' });
  return {
    spec: defaultSpec,
    notebook: { title: 'ä', cells: [] },
    metricsCsv: metricsCsv(series),
    metricsParquet: metricsParquet(series, {}),
    events: [
      { iteration: 0, kind: 'notice', detail: 'The device was lost.' },
      {
        iteration: 3,
        kind: 'intervention',
        detail: 'policies.router.optimizer.learningRate = 1e-4',
      },
    ],
    transcripts: [
      {
        arm: 'global',
        seed: 0,
        iteration: 1,
        task: 0,
        taskStart: 'k1',
        rollout: 0,
        turns: [],
        teamReward: -0,
        isSolved: false,
        spikingAgents: [],
        blame: null,
      },
    ],
    checkpoints: [{ policyId: 'router', arm: 'global', seed: 0, files }],
    fingerprint: {
      date: '2026-03-01T12:00:00.000Z',
      versions: { marlbook: '0.5.0', browser: 'Chrome/142.0.0.0' },
      device: {
        userAgent: 'test',
        policies: [{ policyId: 'router', backend: 'cpu', device: 'plain loops', numParameters: 9 }],
      },
    },
  };
}
