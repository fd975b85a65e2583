import { fields } from '../../config/fields';
import { specHash } from '../../config/specHash';
import { metricCatalog } from '../../metrics/catalog';
import type { SeriesVerdict } from '../../metrics/compareSeries';
import { formatCount, formatNumber } from '../../metrics/format';
import { allowance, tolerances, type ToleranceKind } from '../../metrics/seriesTolerance';
import type { RecordedOrigin } from '../runState';
import type { Verdict } from './verdict';

/** A verdict in words: for the page, for the live region and for the clipboard. */

const grouped = new Intl.NumberFormat('en-US');

function count(number: number): string {
  return grouped.format(number);
}

/** What came out, in one or two sentences. */
export function headline(verdict: Verdict): string {
  return [resultText(verdict), endingText(verdict)].filter((text) => text !== '').join(' ');
}

function resultText({ comparison }: Verdict): string {
  const { series, counts, numValues, numIdentical } = comparison;
  const [worst] = series;
  if (worst === undefined) return 'Nothing was compared: the run made again has no numbers.';
  const of = `of ${count(series.length)} series`;
  switch (worst.kind) {
    case 'identical':
      return `Identical: ${count(numIdentical)} of ${count(numValues)} values in ${count(series.length)} series, to the last bit.`;
    case 'within':
      return `Within tolerance: ${count(counts.within)} ${of}; the other ${count(counts.identical)} are identical to the last bit.`;
    case 'missing':
      return `Incomplete: ${count(counts.missing)} ${of}, first ${placeText(worst)}`;
    case 'differs': {
      const missing = counts.missing === 0 ? '' : ` ${count(counts.missing)} more lack values.`;
      return `Differs: ${count(counts.differs)} ${of}, first ${placeText(worst)}${missing}`;
    }
  }
}

function placeText(verdict: Exclude<SeriesVerdict, { kind: 'identical' | 'within' }>): string {
  const what = `at iteration ${verdict.iteration}: ${seriesName(verdict)}`;
  return verdict.kind === 'missing'
    ? `${what} has no value in ${verdict.absentIn === 'again' ? 'the run made again' : 'the original'}.`
    : `${what} (${exact(verdict.original)} in the original, ${exact(verdict.again)} here).`;
}

function endingText({ ending, comparison, plan }: Verdict): string {
  const { lastIteration } = comparison;
  const rest = `what comes later was not compared.`;
  switch (ending.kind) {
    case 'complete':
      return '';
    case 'stopped':
      return lastIteration < 0
        ? 'The verification was stopped.'
        : `Stopped after iteration ${lastIteration} of ${plan.lastIteration}: ${rest}`;
    case 'failed':
      return `The run made again failed: ${ending.message}`;
  }
}

/** `Gradient norm of solver in arm global, seed 0` */
function seriesName({ metric, agent, arm, seed }: SeriesVerdict): string {
  return `${metricCatalog[metric].label} of ${agent} in arm ${arm}, seed ${seed}`;
}

/** The shortest text that reads back to the same float64: rounded, two numbers that differ would look alike. */
export function exact(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** How one series came out. */
export function verdictWords(verdict: SeriesVerdict): string {
  switch (verdict.kind) {
    case 'identical':
      return 'Identical';
    case 'within':
      return `Within tolerance, furthest at iteration ${verdict.iteration}`;
    case 'differs':
      return `Differs from iteration ${verdict.iteration}`;
    case 'missing':
      return `Missing ${verdict.absentIn === 'again' ? 'here' : 'in the original'} at iteration ${verdict.iteration}`;
  }
}

/** How far apart two numbers are, and how far they may be; empty where there are no two that differ. */
export function apartText(verdict: SeriesVerdict): string {
  if (verdict.kind !== 'within' && verdict.kind !== 'differs') return '';
  const { original, again, tolerance } = verdict;
  const difference = Math.abs(again - original);
  const allowed = allowance(original, tolerances[tolerance]);
  return Number.isFinite(difference)
    ? `${formatNumber(difference)}, allowed ${formatNumber(allowed)}`
    : 'not both finite';
}

/** `|Δ| ≤ 0.00001 + 0.001 · |original|` */
export function toleranceText(kind: ToleranceKind): string {
  const { absolute, relative } = tolerances[kind];
  if (absolute === 0 && relative === 0) return 'equal';
  return relative === 0
    ? `|Δ| ≤ ${formatNumber(absolute)}`
    : `|Δ| ≤ ${formatNumber(absolute)} + ${formatNumber(relative)} · |original|`;
}

/** Of the series that were compared, in the order of the table of tolerances. */
export function usedTolerances({ comparison }: Verdict): readonly ToleranceKind[] {
  const used = new Set(comparison.series.map(({ tolerance }) => tolerance));
  return toleranceOrder.filter((kind) => used.has(kind));
}

const toleranceOrder: readonly ToleranceKind[] = ['measure', 'reward', 'share', 'cosine', 'exact'];

/** What has to be known to read the result. */
export function notesOf(verdict: Verdict): readonly string[] {
  const { plan, comparison } = verdict;
  const { numNotRecorded } = comparison;
  return [
    ...expectation(verdict),
    ...plan.warnings,
    ...plan.remarks,
    ...(numNotRecorded > 0
      ? [`${count(numNotRecorded)} series are not in the original and were not compared.`]
      : []),
    'Measured times are not compared: they are the machine’s.',
  ];
}

/** On the processor nothing depends on the machine. */
function expectation({ plan, again, comparison }: Verdict): readonly string[] {
  const both = [...plan.origin.device.policies, ...again.device.policies];
  const isOnCpu =
    plan.origin.device.policies.length > 0 &&
    again.device.policies.length > 0 &&
    both.every(({ backend }) => backend === 'cpu');
  if (!isOnCpu) return [];
  const isIdentical = comparison.counts.identical === comparison.series.length;
  const because =
    plan.origin.versions.marlbook === again.versions.marlbook
      ? 'The recording was changed after the run, or it was made with another build of this version.'
      : 'The two versions compute differently, or the recording was changed after the run.';
  const expected = 'Both ran on the CPU backend, where the same experiment gives the same bits.';
  return [isIdentical ? expected : `${expected} ${because}`];
}

export interface FingerprintRow {
  readonly label: string;
  readonly original: string;
  readonly again: string;
}

/** Both fingerprints, line by line. */
export function fingerprintRows({ plan: { origin }, again }: Verdict): readonly FingerprintRow[] {
  const row = (label: string, of: (one: RecordedOrigin) => string): FingerprintRow => ({
    label,
    original: of(origin),
    again: of(again),
  });
  const ids = [...origin.device.policies, ...again.device.policies].map(({ policyId }) => policyId);
  return [
    row('Ended', ({ date }) => `${date.slice(0, 19).replace('T', ' ')} UTC`),
    row('Marlbook', ({ versions }) => versions.marlbook),
    row('Browser', ({ versions }) => versions.browser),
    ...[...new Set(ids)].map((id) => row(`Policy ${id}`, (one) => policyText(one, id))),
    row('User agent', ({ device }) => device.userAgent),
  ];
}

function policyText({ device: { policies } }: RecordedOrigin, id: string): string {
  const policy = policies.find(({ policyId }) => policyId === id);
  if (policy === undefined) return 'not known';
  const { backend, device, numParameters } = policy;
  return `${fields.backend.options[backend]}, ${device}, ${formatCount(numParameters)} parameters`;
}

/** More would not be read in a message. */
const maxTold = 50;

/** The verdict as a text for a message or an issue. */
export function verdictText(verdict: Verdict): string {
  const { plan, comparison } = verdict;
  const told = comparison.series.filter(({ kind }) => kind !== 'identical');
  const more = told.length - maxTold;
  return [
    `Verification of “${plan.originalSpec.title}” (experiment ${specHash(plan.originalSpec).slice(0, 8)})`,
    headline(verdict),
    ...notesOf(verdict),
    '',
    ...fingerprintRows(verdict).map(
      ({ label, original, again }) => `${label}: ${original} | here: ${again}`,
    ),
    '',
    ...usedTolerances(verdict).map(
      (kind) => `Tolerance of ${tolerances[kind].label}: ${toleranceText(kind)}`,
    ),
    ...(told.length > 0 ? ['', ...told.slice(0, maxTold).map(seriesLine)] : []),
    ...(more > 0 ? [`and ${count(more)} more`] : []),
    '',
  ].join('\n');
}

function seriesLine(verdict: SeriesVerdict): string {
  const numbers =
    verdict.kind === 'within' || verdict.kind === 'differs'
      ? ` (${exact(verdict.original)} in the original, ${exact(verdict.again)} here; apart ${apartText(verdict)})`
      : '';
  return `${seriesName(verdict)}: ${verdictWords(verdict)}${numbers}`;
}
