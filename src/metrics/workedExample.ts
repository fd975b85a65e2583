import { agentEquations } from './agentEquations';
import { metricCatalog, type MetricKey, type MetricRow } from './catalog';
import { equationText, type Equation, type Step } from './equation';
import { formatNumber } from './format';
import { healthyRanges, isInRange } from './healthyRanges';
import type { Ingredients, RunFacts } from './ingredients';
import { median } from './median';
import { points, teamId, type RunSeries, type SeriesPoints } from './runSeries';
import { teamEquations } from './teamEquations';

/** A metric explained with the numbers of one moment of a run. Pure. */

/** Which replica and whose number. */
export interface ExampleKey {
  readonly metric: MetricKey;
  readonly arm: string;
  readonly seed: number;
  /** Agent id, or `team`. */
  readonly agent: string;
}

/** The same number of another arm: same seed, agent and iteration. */
interface ArmValue {
  readonly arm: string;
  readonly text: string;
}

export interface WorkedExample {
  readonly value: number;
  /** With its unit. */
  readonly text: string;
  readonly iteration: number;
  readonly equations: readonly Equation[];
  /** The equations as printed, and the sentences; at least one. */
  readonly lines: readonly string[];
  /** Where the value stands among its own so far. */
  readonly history: string;
  readonly arms: readonly ArmValue[];
  /** By the digits that are shown; null where the healthy range is no number. */
  readonly isHealthy: boolean | null;
}

const equations: Readonly<Record<MetricKey, (given: Ingredients) => readonly Step[]>> = {
  ...agentEquations,
  ...teamEquations,
};

/** `0.38 nats`; the unit is left out where there is none. */
function withUnit(value: number, metric: MetricKey): string {
  const { unit } = metricCatalog[metric];
  return unit === '' ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

/** The latest row of the replica in which the metric stands. */
function latestRow(series: RunSeries, key: ExampleKey): MetricRow | undefined {
  return series.rows.findLast(
    ({ arm, seed, agent, values }) =>
      agent === key.agent && arm === key.arm && seed === key.seed && key.metric in values,
  );
}

/** All rows of the same replica and iteration. */
function siblingsOf(series: RunSeries, row: MetricRow): readonly MetricRow[] {
  return series.rows.filter(
    ({ arm, seed, iteration }) =>
      iteration === row.iteration && arm === row.arm && seed === row.seed,
  );
}

function historyText({ values }: SeriesPoints, value: number): string {
  const known = [...values].filter(Number.isFinite);
  const numOdd = values.length - known.length;
  const odd = numOdd === 0 ? '' : ` ${numOdd} more ${numOdd === 1 ? 'is' : 'are'} not finite.`;
  if (known.length === 0) return 'No finite value so far.';
  if (known.length === 1) return `The first value so far.${odd}`;
  const numBelow = known.filter((other) => other < value).length;
  const place = Number.isFinite(value) ? ` ${numBelow} of them lie below it.` : '';
  const range = [Math.min(...known), median(known), Math.max(...known)].map(formatNumber);
  return `${known.length} values so far: min ${range[0]}, median ${range[1]}, max ${range[2]}.${place}${odd}`;
}

function armValues(
  series: RunSeries,
  key: ExampleKey,
  iteration: number,
  arms: readonly string[],
): readonly ArmValue[] {
  return arms
    .filter((arm) => arm !== key.arm)
    .flatMap((arm) => {
      const { iterations, values } = points(series, { ...key, arm });
      const place = iterations.lastIndexOf(iteration);
      return place < 0 ? [] : [{ arm, text: withUnit(values[place]!, key.metric) }];
    });
}

/** What is said where nothing can be put in. */
const noParts = 'Its parts are not logged, so the value stands beside its own history.';

function linesOf(steps: readonly Step[]): readonly string[] {
  const lines = steps.flatMap((step) => {
    if (step === null) return [];
    return typeof step === 'string' ? step : equationText(step);
  });
  return lines.length === 0 ? [noParts] : lines;
}

/**
 * The latest value of a metric, worked out. Null where it was never logged.
 * An equation that gives the value itself is true by the metric's definition under `facts`, whatever was logged.
 * @param arms those to compare with, the own one among them or not
 */
export function workedExample(
  series: RunSeries,
  key: ExampleKey,
  facts: RunFacts,
  arms: readonly string[],
): WorkedExample | null {
  const row = latestRow(series, key);
  const value = row?.values[key.metric];
  if (row === undefined || value === undefined) return null;
  const rows = siblingsOf(series, row);
  const history = points(series, key);
  const steps = equations[key.metric]({
    value,
    iteration: row.iteration,
    own: row.values,
    team: rows.find(({ agent }) => agent === teamId)?.values ?? {},
    agents: rows.filter(({ agent }) => agent !== teamId).map(({ values }) => values),
    history,
    facts,
  });
  const range = healthyRanges[key.metric];
  return {
    value,
    text: withUnit(value, key.metric),
    iteration: row.iteration,
    equations: steps.filter((step) => step !== null && typeof step !== 'string'),
    lines: linesOf(steps),
    history: historyText(history, value),
    arms: armValues(series, key, row.iteration, arms),
    isHealthy: range === undefined ? null : isInRange(value, range),
  };
}
