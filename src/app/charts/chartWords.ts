import { formatNumber } from '../../metrics/format';
import { largestFinite } from '../../metrics/summary';
import type { AggregatedLine } from './aggregateLines';
import { spikeMetric, type Marker } from './markers';
import { shortMetricLabel } from './metricTexts';

/** What a panel shows, for those who do not see it: of all that was logged, whatever part of it is drawn and however. */

export interface WordsRequest {
  /** `Gradient norm of search` */
  readonly name: string;
  /** Not smoothed. */
  readonly lines: readonly AggregatedLine[];
  /** Of all iterations. */
  readonly markers: readonly Marker[];
  readonly pairedBaseline: string | null;
  /** Settings that changed while the run went on, in full. */
  readonly changes: readonly string[];
}

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

function lastIteration({ band }: AggregatedLine): number {
  return band.iterations.at(-1) ?? 0;
}

/** Of any seed, at the first iteration that reached it. */
function highest({ band }: AggregatedLine): string | null {
  const found = largestFinite({ iterations: band.iterations, values: band.high });
  return found && `at most ${formatNumber(found.value)} at iteration ${found.iteration}`;
}

function countsOf(line: AggregatedLine, markers: readonly Marker[]): string[] {
  const own = markers.filter(({ arm, metric }) => arm === line.arm && metric === line.metric);
  const numSpikes = own.filter(({ kind }) => kind === 'spike').length;
  const numNotFinite = own.length - numSpikes;
  return [
    ...(line.metric === spikeMetric
      ? [numSpikes === 0 ? 'no spikes' : counted(numSpikes, 'spike', 'spikes')]
      : []),
    ...(numNotFinite > 0 ? [counted(numNotFinite, 'value not finite', 'values not finite')] : []),
  ];
}

function lineWords(
  line: AggregatedLine,
  label: string,
  request: WordsRequest,
  end: number,
): string {
  const { center, iterations } = line.band;
  if (iterations.length === 0) return `${label}: nothing logged.`;
  const row = center.findLastIndex(Number.isFinite);
  const last = lastIteration(line);
  const where = last < end ? `at its end, iteration ${last}` : 'at the end';
  const values =
    row < 0
      ? ['no finite value']
      : [
          `${formatNumber(center[row]!)} ${row === center.length - 1 ? where : `at iteration ${iterations[row]!}`}`,
        ];
  const parts = [...values, highest(line), ...countsOf(line, request.markers)];
  return `${label}: ${parts.filter((part) => part !== null).join(', ')}.`;
}

/** `Gradient norm of search over 120 iterations, 5 seeds: …. agentWise: 0.8 at the end, at most 1.1 at iteration 12, no spikes. …` */
export function chartWords(request: WordsRequest, centerName: string): string {
  const { name, lines, pairedBaseline } = request;
  const end = Math.max(0, ...lines.map(lastIteration));
  const numSeeds = Math.max(
    0,
    ...lines.map(({ logged }) => logged.filter(({ values }) => values.length > 0).length),
  );
  if (numSeeds === 0) return `${name}: nothing logged yet.`;
  const haveSeveralMetrics = new Set(lines.map(({ metric }) => metric)).size > 1;
  const seeds = counted(numSeeds, 'seed', 'seeds');
  const meaning =
    numSeeds === 1 ? '' : `: at the end their ${centerName}, at most the highest of any`;
  const difference = pairedBaseline === null ? '' : ` Values are differences to ${pairedBaseline}.`;
  const head = `${name} over ${counted(end, 'iteration', 'iterations')}, ${seeds}${meaning}.${difference}`;
  const sentences = lines.map((line) => {
    const metric = haveSeveralMetrics ? ` ${shortMetricLabel(line.metric)}` : '';
    return lineWords(line, line.arm + metric, request, end);
  });
  const changed =
    request.changes.length === 0 ? [] : [`Changed while running: ${request.changes.join('; ')}.`];
  return [head, ...sentences, ...changed].join(' ');
}
