import type { ExperimentSpec } from '../../config/experimentSpec';
import { presets } from '../../config/presets';
import type { MetricRow } from '../../metrics/catalog';
import { appendRows, createRunSeries, teamId, type RunSeries } from '../../metrics/runSeries';
import { linesOf, type RunRecording } from '../recording';

/** Two arms, two seeds, three iterations. */
export const recordedSpec: ExperimentSpec = {
  ...presets['solve-verify-null'].spec,
  title: 'Recorded',
  arms: presets['solve-verify-null'].spec.arms.slice(0, 2),
  seeds: [0, 7],
  iterations: 3,
};

/** Numbers that JSON and float32 cannot hold, one after the other. */
const oddValues = [0.1 + 0.2, NaN, Infinity, -Infinity, -0, Number.MIN_VALUE, 1e308, 1 / 3];

/** In the order of a trainer: iteration by iteration, replica by replica, the team last. The solver does not act in iteration 2. */
export function sampleRows(): readonly MetricRow[] {
  const rows: MetricRow[] = [];
  let next = 0;
  const odd = (): number => oddValues[next++ % oddValues.length]!;
  for (const iteration of [0, 1, 2, 3])
    for (const { name: arm } of recordedSpec.arms)
      for (const seed of recordedSpec.seeds) {
        const row = { iteration, arm, seed };
        const agents = iteration === 2 ? ['verifier'] : ['solver', 'verifier'];
        // There is no gradient before the first update.
        for (const agent of iteration === 0 ? [] : agents)
          rows.push({ ...row, agent, values: { gradNorm: odd(), numTurns: 64 } });
        rows.push({ ...row, agent: teamId, values: { success: odd() } });
      }
  return rows;
}

/** The rows of every iteration as one batch, as they come. */
export function seriesOf(rows: readonly MetricRow[]): RunSeries {
  const series = createRunSeries();
  for (const iteration of new Set(rows.map((row) => row.iteration)))
    appendRows(
      series,
      rows.filter((row) => row.iteration === iteration),
    );
  return series;
}

export function sampleRecording(changes: Partial<RunRecording> = {}): RunRecording {
  return {
    spec: recordedSpec,
    ended: 'completed',
    message: null,
    notices: ['A device was lost.'],
    iterations: 3,
    wallMs: 1234.5,
    date: '2026-12-02T10:00:00.000Z',
    versions: { marlbook: '0.4.0', browser: 'Chromium 156' },
    device: {
      userAgent: 'test',
      policies: [{ policyId: 'solver', backend: 'cpu', device: 'tfjs cpu', numParameters: 12 }],
    },
    metrics: ['gradNorm', 'numTurns', 'success'],
    lines: linesOf(seriesOf(sampleRows()), ['gradNorm', 'numTurns', 'success']),
    transcripts: [
      {
        arm: 'global',
        seed: 7,
        iteration: 3,
        task: 1,
        taskStart: '3 + 4',
        rollout: 0,
        turns: [
          {
            agent: 'solver',
            turnIndex: 0,
            invocation: null,
            promptTokens: ['3', '4'],
            actionTokens: ['7'],
            rolloutLogprobs: [-0.1 - 0.2],
            isValid: true,
            penalty: 0,
            reward: 1,
            advantage: NaN,
            isLearned: true,
          },
        ],
        teamReward: 1,
        isSolved: true,
        spikingAgents: ['solver'],
        blame: {
          method: 'occlusion',
          turns: [{ share: 1, origins: [-1, -1], influence: [0.25, 0.75], handedOn: [0, 0] }],
        },
      },
    ],
    ...changes,
  };
}
