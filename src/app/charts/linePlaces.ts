import { metricCatalog } from '../../metrics/catalog';
import { mean } from '../../metrics/mean';
import { median } from '../../metrics/median';
import {
  points,
  teamId,
  trainingTimePoints,
  type RunSeries,
  type SeriesPoints,
} from '../../metrics/runSeries';
import type { ChartX } from './xAxis';

/** Where the points of a line stand on the x axis. */

export interface LinePlaces {
  /** [n] of each row of the band; NaN where the axis has no value. */
  readonly x: Float64Array;
  /** `x` never falls: a part of the axis is a run of rows. Not so over a metric. */
  readonly isOrdered: boolean;
  /** One for each seed, [n]: where that seed stood. NaN where it has logged no value, or none on this axis. */
  readonly seedX: readonly Float64Array[];
}

export interface PlacesRequest {
  readonly arm: string;
  readonly seeds: readonly number[];
  readonly agent: string;
  /** All agents of the experiment, for the axis that counts what all of them did. */
  readonly allAgents: readonly string[];
  readonly x: ChartX;
  /** What stands for several seeds on a metric’s axis. */
  readonly center: 'median' | 'mean';
}

/** Cumulative turns of all agents, those of iteration 0 left out: nothing is learned from them. */
function environmentSteps(
  series: RunSeries,
  { arm, seed, agents }: { arm: string; seed: number; agents: readonly string[] },
): SeriesPoints {
  const lines = agents.map((agent) => points(series, { arm, seed, agent, metric: 'numTurns' }));
  const turns = new Map<number, number>();
  for (const { iterations, values } of lines)
    for (let position = 0; position < values.length; position++) {
      const value = values[position]!;
      const iteration = iterations[position]!;
      const counted = iteration > 0 && Number.isFinite(value) ? value : 0;
      turns.set(iteration, (turns.get(iteration) ?? 0) + counted);
    }
  const iterations = Int32Array.from(turns.keys()).toSorted();
  let total = 0;
  return {
    iterations,
    values: Float64Array.from(iterations, (iteration) => (total += turns.get(iteration)!)),
  };
}

/** What the axis reads of one seed, by iteration. */
function axisLine(
  series: RunSeries,
  seed: number,
  { arm, agent, allAgents, x }: PlacesRequest,
): SeriesPoints {
  switch (x.kind) {
    case 'iteration':
    case 'wallTime':
      return trainingTimePoints(series);
    case 'tokens':
      return points(series, { arm, seed, agent: teamId, metric: 'tokenCount' });
    case 'environmentSteps':
      return environmentSteps(series, { arm, seed, agents: allAgents });
    case 'metric': {
      const of = metricCatalog[x.metric].level === 'team' ? teamId : agent;
      return points(series, { arm, seed, agent: of, metric: x.metric });
    }
  }
}

/**
 * [rows] of the axis for one seed: its value in the row's iteration, where the seed has also logged a value to draw. What counts up
 * stands at 0 in iteration 0, the state after the warm start: nothing has been learned from yet.
 */
function placesOfSeed(
  rows: Int32Array,
  axis: SeriesPoints,
  { logged, isCount }: { logged: SeriesPoints; isCount: boolean },
): Float64Array {
  const places = new Float64Array(rows.length).fill(NaN);
  let onAxis = 0;
  let drawn = 0;
  for (let row = 0; row < rows.length; row++) {
    const iteration = rows[row]!;
    while (axis.iterations[onAxis]! < iteration) onAxis += 1;
    while (logged.iterations[drawn]! < iteration) drawn += 1;
    if (logged.iterations[drawn] !== iteration) continue;
    if (isCount && iteration === 0) places[row] = 0;
    else if (axis.iterations[onAxis] === iteration && Number.isFinite(axis.values[onAxis]!))
      places[row] = axis.values[onAxis]!;
  }
  return places;
}

/**
 * Places of the rows whose iterations are `rows`. Seeds are brought together iteration by iteration, as on the y axis: the place is
 * the centre over the seeds that have both values.
 * @param logged one line for each seed
 */
export function linePlaces(
  series: RunSeries,
  request: PlacesRequest,
  rows: Int32Array,
  logged: readonly SeriesPoints[],
): LinePlaces {
  const { x: axis, seeds } = request;
  if (axis.kind === 'iteration') {
    const x = new Float64Array(rows);
    return { x, isOrdered: true, seedX: seeds.map(() => x) };
  }
  const isCount = axis.kind !== 'metric';
  const seedX = seeds.map((seed, index) =>
    placesOfSeed(rows, axisLine(series, seed, request), { logged: logged[index]!, isCount }),
  );
  const x = rowCenters(seedX, rows.length, isCount ? 'median' : request.center);
  return { x, isOrdered: isCount && neverFalls(x), seedX };
}

function rowCenters(
  seedX: readonly Float64Array[],
  numRows: number,
  center: 'median' | 'mean',
): Float64Array {
  const found: number[] = [];
  return Float64Array.from({ length: numRows }, (_, row) => {
    found.length = 0;
    for (const places of seedX) if (!Number.isNaN(places[row]!)) found.push(places[row]!);
    return center === 'median' ? median(found) : mean(found);
  });
}

/** Seeds that end early can pull the middle of a count back. */
function neverFalls(x: Float64Array): boolean {
  let highest = -Infinity;
  for (const place of x) {
    if (place < highest) return false;
    if (!Number.isNaN(place)) highest = place;
  }
  return true;
}
