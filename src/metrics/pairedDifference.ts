import type { SeriesPoints } from './runSeries';

/** value − value of the baseline in the same iteration, where both have logged one: arms of a seed share its random numbers. */
export function pairedDifference(line: SeriesPoints, baseline: SeriesPoints): SeriesPoints {
  const iterations: number[] = [];
  const values: number[] = [];
  let other = 0;
  for (const [position, iteration] of line.iterations.entries()) {
    while (baseline.iterations[other]! < iteration) other += 1;
    if (baseline.iterations[other] !== iteration) continue;
    iterations.push(iteration);
    values.push(line.values[position]! - baseline.values[other]!);
  }
  return { iterations: Int32Array.from(iterations), values: Float64Array.from(values) };
}
