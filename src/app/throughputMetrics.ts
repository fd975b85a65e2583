import { formatCount, formatNumber } from '../metrics/format';
import { windowIterations, type ThroughputColumn } from './throughput';

/** A number, or why there is none. */
export type Measured =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'none'; readonly reason: string };

export const noReportYet = 'Known after the first iteration.';
const oneReport = 'Known after two iterations.';
const noTime = 'No time was spent in this stage.';
const notOnGpu = 'Only policies on the compiled GPU engine report it.';
const notMeasured = 'Not measured apart on this backend.';
const noClock = 'No clock on this device, or none that the browser shows.';

/** One row of the panel: a number per policy. */
export interface ThroughputMetric {
  readonly label: string;
  readonly unit: string;
  readonly meaning: string;
  readonly of: (column: ThroughputColumn) => Measured;
  readonly format: (value: number) => string;
  /** What is wrong with the number; null for nothing. */
  readonly alarm?: (column: ThroughputColumn) => string | null;
}

function none(reason: string): Measured {
  return { kind: 'none', reason };
}

/** `amount / per`, never a division by zero. */
function quotient(amount: number | null, per: number, whyNull: string): Measured {
  if (amount === null) return none(whyNull);
  return per > 0 ? { kind: 'value', value: amount / per } : none(noTime);
}

type Usage = ThroughputColumn['wholeRun'];

/** What the latest iterations say; the reason where there are none yet. */
function latest(column: ThroughputColumn, of: (usage: Usage) => Measured): Measured {
  return column.latest === null ? none(oneReport) : of(column.latest);
}

function perIteration(column: ThroughputColumn, of: (usage: Usage) => number | null): Measured {
  return latest(column, (usage) => quotient(of(usage), column.numIterations, notOnGpu));
}

function gauge(value: number | null): Measured {
  return value === null ? none(notOnGpu) : { kind: 'value', value };
}

function samplingRate({ sampledTokens, sampleMs }: Usage): Measured {
  return quotient(1000 * sampledTokens, sampleMs, noTime);
}

function trainingRate({ trainedTokens, updateMs }: Usage): Measured {
  return quotient(1000 * trainedTokens, updateMs, noTime);
}

/** Three digits for small rates, letters for large ones. */
function formatRate(value: number): string {
  return value < 999.5 ? formatNumber(value) : formatCount(value);
}

export function formatPercent(share: number): string {
  return (100 * share).toFixed(1);
}

const latestWords = `over the latest ${windowIterations} iterations`;
const addedUp =
  '“all” adds up the tokens and the times of all policies, so policies that work at the same time get through more together.';

const speed = {
  samplingLatest: {
    label: 'Sampling, latest',
    unit: 'tokens/s',
    meaning: `Action tokens drawn ÷ time spent inside the policy’s sampling calls, ${latestWords}, evaluation included. ${addedUp}`,
    of: (column) => latest(column, samplingRate),
    format: formatRate,
  },
  samplingWholeRun: {
    label: 'Sampling, whole run',
    unit: 'tokens/s',
    meaning: 'The same since the policies were created, warm start included.',
    of: ({ wholeRun }) => samplingRate(wholeRun),
    format: formatRate,
  },
  trainingLatest: {
    label: 'Training, latest',
    unit: 'tokens/s',
    meaning: `Prompt and action tokens of the turns learned from, times the passes over them ÷ time spent inside the policy’s update calls, ${latestWords}.`,
    of: (column) => latest(column, trainingRate),
    format: formatRate,
  },
  trainingWholeRun: {
    label: 'Training, whole run',
    unit: 'tokens/s',
    meaning: 'The same since the policies were created, warm start included.',
    of: ({ wholeRun }) => trainingRate(wholeRun),
    format: formatRate,
  },
  samplingHostShare: {
    label: 'Host, sampling',
    unit: '%',
    meaning:
      'Share of the sampling time in which the worker’s thread prepared and issued work; in the rest it waited for the device.',
    of: (column) =>
      latest(column, ({ sampleHostMs, sampleMs }) => quotient(sampleHostMs, sampleMs, notMeasured)),
    format: formatPercent,
  },
  trainingHostShare: {
    label: 'Host, training',
    unit: '%',
    meaning: 'The same for the update time. Near 100 %, a faster device would not help.',
    of: (column) =>
      latest(column, ({ updateHostMs, updateMs }) => quotient(updateHostMs, updateMs, notMeasured)),
    format: formatPercent,
  },
  samplingDeviceShare: {
    label: 'Device, sampling',
    unit: '%',
    meaning:
      'What the compute passes of sampling took on the device by its own clock, as a share of the sampling time. What is neither host nor device went into waiting: for results to come back, or for other policies on the device.',
    of: (column) =>
      latest(column, ({ sampleDeviceMs, sampleMs }) => quotient(sampleDeviceMs, sampleMs, noClock)),
    format: formatPercent,
  },
  trainingDeviceShare: {
    label: 'Device, training',
    unit: '%',
    meaning: 'The same for the update time.',
    of: (column) =>
      latest(column, ({ updateDeviceMs, updateMs }) => quotient(updateDeviceMs, updateMs, noClock)),
    format: formatPercent,
  },
} as const satisfies Readonly<Record<string, ThroughputMetric>>;

const device = {
  dispatchesPerIteration: {
    label: 'Dispatches',
    unit: 'per iteration',
    meaning: `Launches of compute kernels, mean ${latestWords}, evaluation included.`,
    of: (column) => perIteration(column, ({ numDispatches }) => numDispatches),
    format: formatCount,
  },
  submitsPerIteration: {
    label: 'Submits',
    unit: 'per iteration',
    meaning: 'Submissions of recorded work to the device, likewise.',
    of: (column) => perIteration(column, ({ numSubmits }) => numSubmits),
    format: formatRate,
  },
  kernels: {
    label: 'Kernels compiled',
    unit: 'so far',
    meaning:
      'Grows in the self-test and the first iterations, then stands still. A number that still grows is a sign of trouble: a size that should be a uniform has become part of a kernel, and every iteration waits for a compiler.',
    of: ({ wholeRun }) => gauge(wholeRun.numPipelines),
    format: formatCount,
    alarm: ({ numLateKernels }) =>
      numLateKernels > 0
        ? `${formatCount(numLateKernels)} compiled in the latest iterations: a sign of trouble.`
        : null,
  },
  memory: {
    label: 'GPU memory',
    unit: 'MB',
    meaning: 'Bytes in the policy’s buffers on the device now. 1 MB = 10⁶ bytes.',
    of: ({ wholeRun }) => gauge(wholeRun.gpuBytes),
    format: (bytes) => formatNumber(bytes / 1e6),
  },
  buffers: {
    label: 'Buffers',
    unit: 'now',
    meaning: 'Buffers on the device now. A number that grows without end is a leak.',
    of: ({ wholeRun }) => gauge(wholeRun.numBuffers),
    format: formatCount,
  },
} as const satisfies Readonly<Record<string, ThroughputMetric>>;

/** The rows of the panel, group by group. */
export const throughputMetrics = { ...speed, ...device } as const;

export type ThroughputKey = keyof typeof throughputMetrics;

function metricsIn(group: Readonly<Record<string, ThroughputMetric>>): readonly ThroughputMetric[] {
  return Object.values(group);
}

export const speedMetrics = metricsIn(speed);
export const deviceMetrics = metricsIn(device);

/** What the panel prints in one place. */
export interface ThroughputCell {
  readonly text: string;
  /** Why there is no number, or what is wrong with it; null for nothing to say. */
  readonly note: string | null;
  readonly isAlarm: boolean;
}

export const unknown = '–';

/** Of a metric in a column; `undefined` for a column that has not reported yet. */
export function throughputCell(
  metric: ThroughputMetric,
  column: ThroughputColumn | undefined,
): ThroughputCell {
  if (column === undefined) return { text: unknown, note: noReportYet, isAlarm: false };
  const measured = metric.of(column);
  if (measured.kind === 'none') return { text: unknown, note: measured.reason, isAlarm: false };
  const alarm = metric.alarm?.(column) ?? null;
  return { text: metric.format(measured.value), note: alarm, isAlarm: alarm !== null };
}

/** `Label (unit): meaning.` for each metric, a line each. */
export function explain(
  metrics: readonly Pick<ThroughputMetric, 'label' | 'unit' | 'meaning'>[],
): string {
  return metrics.map((metric) => explainOne(metric)).join('\n');
}

export function explainOne({
  label,
  unit,
  meaning,
}: Pick<ThroughputMetric, 'label' | 'unit' | 'meaning'>): string {
  return `${label} (${unit}): ${meaning}`;
}
