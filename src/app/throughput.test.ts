import { expect, test } from 'vitest';
import type { PolicyUsage } from '../protocol/policyApi';
import type { TrainerEvent } from '../protocol/trainerApi';
import {
  columnNames,
  emptyThroughputLog,
  stageUses,
  throughputColumns,
  windowIterations,
  withTimes,
  withUsage,
  type ThroughputLog,
} from './throughput';
import { noFrames } from './throughputFrameCount';
import {
  throughputCell,
  throughputMetrics,
  type ThroughputCell,
  type ThroughputMetric,
} from './throughputMetrics';
import { noUsage } from './testing/madeUpUsage';
import { throughputReport } from './throughputReport';
import { summaryText } from './throughputSummary';
import { frameRows, stageRows } from './throughputText';

type UsageEvent = Extract<TrainerEvent, { kind: 'throughput' }>;

function usage(
  iteration: number,
  policies: Readonly<Record<string, Partial<PolicyUsage>>>,
): UsageEvent {
  return {
    kind: 'throughput',
    iteration,
    policies: Object.entries(policies).map(([policyId, counts]) =>
      Object.assign({ policyId }, noUsage, counts),
    ),
  };
}

function logOf(...events: readonly UsageEvent[]): ThroughputLog {
  return events.reduce((log, event) => withUsage(log, event), emptyThroughputLog);
}

function timed(
  iteration: number,
  [rolloutMs, advantagesMs, diagnosticsMs, updateMs]: readonly number[],
) {
  return {
    kind: 'iteration' as const,
    iteration,
    rows: [],
    transcripts: [],
    groups: [],
    gradientPairs: [],
    tokens: 0,
    times: {
      rolloutMs: rolloutMs!,
      advantagesMs: advantagesMs!,
      diagnosticsMs: diagnosticsMs!,
      updateMs: updateMs!,
    },
  };
}

/** The printed metric of one column. */
function printed(metric: ThroughputMetric, log: ThroughputLog, column = 0): string {
  return throughputCell(metric, throughputColumns(log)[column]).text;
}

const {
  samplingLatest,
  samplingWholeRun,
  trainingLatest,
  samplingHostShare,
  dispatchesPerIteration,
  kernels,
  memory,
} = throughputMetrics;

test('before the first report there is no column, and every cell says when there will be', () => {
  expect(throughputColumns(emptyThroughputLog)).toEqual([]);
  for (const metric of Object.values(throughputMetrics))
    expect(throughputCell(metric, undefined)).toEqual({
      text: '–',
      note: 'Known after the first iteration.',
      isAlarm: false,
    });
});

test('one report gives the rates of the whole run; the latest ones need two', () => {
  // 300 tokens in 100 ms
  const log = logOf(usage(1, { solver: { sampledTokens: 300, sampleMs: 100 } }));
  expect(printed(samplingWholeRun, log)).toBe('3.00k');
  expect(throughputCell(samplingLatest, throughputColumns(log)[0])).toMatchObject({
    text: '–',
    note: 'Known after two iterations.',
  });
});

test('the latest rate is what was added since the first report of the window, over the time added', () => {
  const log = logOf(
    usage(0, { solver: { sampledTokens: 1000, sampleMs: 9000, trainedTokens: 50, updateMs: 7 } }),
    usage(1, {
      solver: { sampledTokens: 1200, sampleMs: 9100, trainedTokens: 450, updateMs: 407 },
    }),
    usage(2, {
      solver: { sampledTokens: 1600, sampleMs: 9300, trainedTokens: 650, updateMs: 607 },
    }),
  );
  // (1600 − 1000) / (9300 − 9000) ms and (650 − 50) / (607 − 7) ms
  expect(printed(samplingLatest, log)).toBe('2.00k');
  expect(printed(trainingLatest, log)).toBe('1.00k');
});

test('the window forgets what is older than its iterations', () => {
  const slow = usage(0, { solver: { sampledTokens: 0, sampleMs: 0 } });
  // The first iteration takes 1,000 s, each later one 1 s for 50 tokens.
  const later = Array.from({ length: windowIterations + 1 }, (_, i) =>
    usage(i + 1, { solver: { sampledTokens: 50 * (i + 1), sampleMs: 1_000_000 + 1000 * i } }),
  );
  const log = logOf(slow, ...later);
  expect(log.usages).toHaveLength(windowIterations + 1);
  expect(throughputColumns(log)[0]?.numIterations).toBe(windowIterations);
  expect(printed(samplingLatest, log)).toBe('50.0');
});

test('all policies together are the sum of tokens over the sum of times, before each of them', () => {
  const log = logOf(
    usage(1, { solver: {}, verifier: {} }),
    usage(2, {
      solver: { sampledTokens: 100, sampleMs: 1000 },
      verifier: { sampledTokens: 500, sampleMs: 1000 },
    }),
  );
  expect(throughputColumns(log).map(({ name }) => name)).toEqual(['all', 'solver', 'verifier']);
  // 600 tokens in 2 s, 100 in 1 s, 500 in 1 s
  expect([0, 1, 2].map((column) => printed(samplingLatest, log, column))).toEqual([
    '300',
    '100',
    '500',
  ]);
});

test('a single policy needs no total, and policies of one id are numbered', () => {
  expect(columnNames(['solver'])).toEqual(['solver']);
  expect(columnNames(['solver', 'verifier', 'solver'])).toEqual([
    'all',
    'solver',
    'verifier',
    'solver (2)',
  ]);
});

test.each([
  ['a count', usage(3, { solver: { sampledTokens: 10, sampleMs: 800 } })],
  ['a time', usage(3, { solver: { sampledTokens: 900, sampleMs: 1 } })],
  ['the iteration', usage(1, { solver: { sampledTokens: 900, sampleMs: 900 } })],
  ['the set of policies', usage(3, { other: { sampledTokens: 900, sampleMs: 900 } })],
])('where %s restarts, what was counted before is forgotten', (_, restarted) => {
  const before = [1, 2].map((iteration) =>
    usage(iteration, { solver: { sampledTokens: 100 * iteration, sampleMs: 100 * iteration } }),
  );
  const log = logOf(...before, restarted);
  expect(log.usages).toEqual([restarted]);
  expect(printed(samplingLatest, log)).toBe('–');
});

test('nothing is ever divided by zero: a policy that did nothing has no rate and says so', () => {
  const log = logOf(usage(1, { solver: {} }), usage(2, { solver: {} }));
  const [column] = throughputColumns(log);
  for (const metric of [samplingLatest, samplingWholeRun, trainingLatest])
    expect(throughputCell(metric, column)).toMatchObject({
      text: '–',
      note: 'No time was spent in this stage.',
    });
});

test('off the GPU the fields of the device are dashes with the reason', () => {
  const log = logOf(usage(1, { solver: { sampleMs: 1 } }), usage(2, { solver: { sampleMs: 2 } }));
  const [column] = throughputColumns(log);
  for (const metric of [dispatchesPerIteration, kernels, memory])
    expect(throughputCell(metric, column).note).toContain('GPU');
  expect(throughputCell(samplingHostShare, column).note).toContain('Not measured apart');
});

test('a sum with an unknown part is unknown', () => {
  const log = logOf(
    usage(1, { solver: { gpuBytes: 2e6 }, verifier: { gpuBytes: null } }),
    usage(2, { solver: { gpuBytes: 3e6 }, verifier: { gpuBytes: null } }),
  );
  expect([0, 1, 2].map((column) => printed(memory, log, column))).toEqual(['–', '3.00', '–']);
});

test('dispatches are per iteration, memory is that of now, and the host’s share is of its stage', () => {
  const log = logOf(
    usage(2, { p: { numDispatches: 100, gpuBytes: 9e6, sampleMs: 100, sampleHostMs: 10 } }),
    usage(6, { p: { numDispatches: 500, gpuBytes: 4e6, sampleMs: 300, sampleHostMs: 60 } }),
  );
  // (500 − 100) / (6 − 2) dispatches; 50 of 200 ms
  expect(printed(dispatchesPerIteration, log)).toBe('100');
  expect(printed(memory, log)).toBe('4.00');
  expect(printed(samplingHostShare, log)).toBe('25.0');
});

/** One policy with that many kernels after iterations 1, 2, … */
function compiled(...counts: readonly number[]): ThroughputCell {
  const log = logOf(...counts.map((numPipelines, i) => usage(i + 1, { p: { numPipelines } })));
  return throughputCell(kernels, throughputColumns(log)[0]);
}

test('kernels of the first iterations are expected, later ones raise an alarm', () => {
  expect(compiled(40, 44, 46)).toEqual({ text: '46', note: null, isAlarm: false });
  expect(compiled(40, 44, 46, 46, 46)).toMatchObject({ isAlarm: false });
  expect(compiled(40, 44, 46, 46, 49)).toMatchObject({ text: '49', isAlarm: true });
  expect(compiled(40, 44, 46, 46, 49).note).toContain('3 compiled in the latest iterations');
});

test('an alarm ends when the growth is older than the window', () => {
  const grown = Array.from({ length: windowIterations + 6 }, (_, i) =>
    usage(i + 1, { p: { numPipelines: i < 4 ? 46 : 49 } }),
  );
  const [column] = throughputColumns(logOf(...grown));
  expect(throughputCell(kernels, column).isAlarm).toBe(false);
});

test('stages share the time of the latest iterations; iteration 0 trains nothing and is left out', () => {
  const log = [
    timed(0, [500, 0, 0, 0]),
    timed(1, [60, 10, 20, 30]),
    timed(2, [40, 10, 0, 30]),
  ].reduce(withTimes, emptyThroughputLog);
  // (60 + 40, 10 + 10, 20 + 0, 30 + 30) of 200 ms, over two iterations
  expect(stageUses(log)).toEqual([
    { stage: 'rollout', share: 0.5, msPerIteration: 50 },
    { stage: 'advantages', share: 0.1, msPerIteration: 10 },
    { stage: 'diagnostics', share: 0.1, msPerIteration: 10 },
    { stage: 'update', share: 0.3, msPerIteration: 30 },
  ]);
  expect(stageRows(log)[3]?.cells.map(({ text }) => text)).toEqual(['30.0', '30.0']);
});

test('without iterations, and with iterations too short for the clock, shares are dashes', () => {
  expect(stageRows(emptyThroughputLog)[0]?.cells.map(({ text }) => text)).toEqual(['–', '–']);
  const short = withTimes(emptyThroughputLog, timed(1, [0, 0, 0, 0]));
  expect(stageRows(short)[0]?.cells.map(({ text }) => text)).toEqual(['–', '0']);
});

test('frames are a count and a share; none shown gives dashes', () => {
  expect(frameRows({ numShown: 200, numLong: 3 })[1]?.cells.map(({ text }) => text)).toEqual([
    '3',
    '1.5',
  ]);
  expect(frameRows(noFrames)[1]?.cells.map(({ text }) => text)).toEqual(['–', '–']);
});

test('the line of the closed panel names rates always, memory and frames where there are any', () => {
  expect(summaryText(undefined, noFrames)).toBe('sampling – tokens/s · training – tokens/s');
  const [column] = throughputColumns(
    logOf(
      usage(1, { p: { gpuBytes: 1 } }),
      usage(2, { p: { sampledTokens: 50, sampleMs: 100, gpuBytes: 41e6 } }),
    ),
  );
  expect(summaryText(column, { numShown: 100, numLong: 1 })).toBe(
    'sampling 500 tokens/s · training – tokens/s · 41.0 MB on the GPU · 1.0 % of frames over 50 ms',
  );
});

test('the report holds the same numbers unrounded, and null for every dash', () => {
  const log = logOf(
    usage(1, { p: {} }),
    usage(2, { p: { sampledTokens: 1, sampleMs: 3, gpuBytes: 123 } }),
  );
  const { policies, frames } = throughputReport(log, noFrames);
  expect(policies).toHaveLength(1);
  expect(policies[0]).toMatchObject({
    name: 'p',
    samplingLatest: 1000 / 3,
    trainingLatest: null,
    memory: 123,
    kernels: null,
  });
  expect(frames).toEqual(noFrames);
});
