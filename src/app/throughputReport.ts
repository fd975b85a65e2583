import { stageUses, throughputColumns, type StageUse, type ThroughputLog } from './throughput';
import { throughputMetrics, type ThroughputKey, type ThroughputMetric } from './throughputMetrics';
import type { FrameCount } from './throughputFrameCount';

/** The panel’s numbers as data; null where the panel shows a dash. */
export interface ThroughputReport {
  readonly policies: readonly ({ readonly name: string } & Readonly<
    Record<ThroughputKey, number | null>
  >)[];
  readonly stages: readonly StageUse[];
  readonly frames: FrameCount;
}

/** Shares are 0..1 and memory is in bytes; all other units as in the panel. */
export function throughputReport(log: ThroughputLog, frames: FrameCount): ThroughputReport {
  return {
    policies: throughputColumns(log).map((column) => {
      const value = (key: ThroughputKey): number | null => {
        const metric: ThroughputMetric = throughputMetrics[key];
        const measured = metric.of(column);
        return measured.kind === 'value' ? measured.value : null;
      };
      return {
        name: column.name,
        samplingLatest: value('samplingLatest'),
        samplingWholeRun: value('samplingWholeRun'),
        trainingLatest: value('trainingLatest'),
        trainingWholeRun: value('trainingWholeRun'),
        samplingHostShare: value('samplingHostShare'),
        trainingHostShare: value('trainingHostShare'),
        samplingDeviceShare: value('samplingDeviceShare'),
        trainingDeviceShare: value('trainingDeviceShare'),
        dispatchesPerIteration: value('dispatchesPerIteration'),
        submitsPerIteration: value('submitsPerIteration'),
        kernels: value('kernels'),
        memory: value('memory'),
        buffers: value('buffers'),
      };
    }),
    stages: stageUses(log),
    frames,
  };
}
