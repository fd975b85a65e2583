import { formatCount, formatNumber } from '../metrics/format';
import { stageUses, windowIterations, type ThroughputLog } from './throughput';
import { longFrameMs, type FrameCount } from './throughputFrameCount';
import {
  explain,
  explainOne,
  formatPercent,
  noReportYet,
  unknown,
  type ThroughputCell,
} from './throughputMetrics';

/** A row of numbers as printed. */
export interface TextRow {
  readonly label: string;
  readonly unit: string;
  readonly meaning: string;
  readonly cells: readonly ThroughputCell[];
}

const stageMeanings = {
  rollout: {
    label: 'Rollout',
    unit: '%, ms per iteration',
    meaning: 'Policies write episodes.',
  },
  advantages: {
    label: 'Advantages',
    unit: '%, ms per iteration',
    meaning:
      'Rewards become advantages, with the passes that score old and reference log-probabilities.',
  },
  diagnostics: {
    label: 'Diagnostics',
    unit: '%, ms per iteration',
    meaning:
      'Passes that measure gradients and teach nothing, as the settings under Diagnostics ask for.',
  },
  update: {
    label: 'Update',
    unit: '%, ms per iteration',
    meaning: 'Policies and critics learn.',
  },
} as const;

export const stageColumns = ['%', 'ms per iteration'] as const;

export const explainStages = `Wall time of the stages, mean over the latest ${windowIterations} iterations, evaluation left out. Parts of the replicas go through the stages at the same time: their times are added, so they can come to more than the iteration took.
${explain(Object.values(stageMeanings))}`;

export function stageRows(log: ThroughputLog): readonly TextRow[] {
  return stageUses(log).map(({ stage, share, msPerIteration }) => {
    const meaning = stageMeanings[stage];
    return {
      label: meaning.label,
      unit: '',
      meaning: explainOne(meaning),
      cells: [
        cellOf(
          share,
          formatPercent,
          msPerIteration === null ? noReportYet : 'No time was measured.',
        ),
        cellOf(msPerIteration, formatNumber, noReportYet),
      ],
    };
  });
}

const noFrameYet = 'Counted while a run trains and the tab is in front.';

const frameMeanings = {
  shown: {
    label: 'Shown',
    unit: 'frames',
    meaning:
      'Frames that the page got from the browser while the run was at work and the tab in front.',
  },
  long: {
    label: `Over ${longFrameMs} ms`,
    unit: 'frames, % of those shown',
    meaning: `Frames that came more than ${longFrameMs} ms after the one before: the page was busy, or the processor or the GPU was. Healthy: below 1 %.`,
  },
} as const;

export const explainFrames = explain(Object.values(frameMeanings));

export function frameRows({ numShown, numLong }: FrameCount): readonly TextRow[] {
  const hasFrames = numShown > 0;
  const { shown, long } = frameMeanings;
  const row = (meaning: typeof shown | typeof long, cells: readonly ThroughputCell[]): TextRow => ({
    label: meaning.label,
    unit: '',
    meaning: explainOne(meaning),
    cells,
  });
  return [
    row(shown, [
      cellOf(hasFrames ? numShown : null, formatCount, noFrameYet),
      { text: '', note: null, isAlarm: false },
    ]),
    row(long, [
      cellOf(hasFrames ? numLong : null, formatCount, noFrameYet),
      cellOf(hasFrames ? numLong / numShown : null, formatPercent, noFrameYet),
    ]),
  ];
}

function cellOf(
  value: number | null,
  format: (value: number) => string,
  reason: string,
): ThroughputCell {
  return value === null
    ? { text: unknown, note: reason, isAlarm: false }
    : { text: format(value), note: null, isAlarm: false };
}
