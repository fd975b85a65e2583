import type { ThroughputColumn } from './throughput';
import { longFrameMs, type FrameCount } from './throughputFrameCount';
import { formatPercent, throughputCell, throughputMetrics, unknown } from './throughputMetrics';

/** The panel in one line, for when it is closed. `column`: all policies together, if they have reported. */
export function summaryText(column: ThroughputColumn | undefined, frames: FrameCount): string {
  const { samplingLatest, trainingLatest, memory } = throughputMetrics;
  const text = (metric: typeof samplingLatest | typeof trainingLatest | typeof memory): string =>
    throughputCell(metric, column).text;
  const parts = [
    `sampling ${text(samplingLatest)} tokens/s`,
    `training ${text(trainingLatest)} tokens/s`,
  ];
  if (text(memory) !== unknown) parts.push(`${text(memory)} MB on the GPU`);
  if (frames.numShown > 0)
    parts.push(
      `${formatPercent(frames.numLong / frames.numShown)} % of frames over ${longFrameMs} ms`,
    );
  return parts.join(' · ');
}
