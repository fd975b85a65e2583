import { numProductGroups } from '../kernels/optimizer/optimizer';
import { turnStats } from '../kernels/policyLoss/policyLoss';
import type { AgentUpdateStats, UpdateBatch } from '../protocol/policyApi';
import type { CohortSlice } from './cohortSlices';
import { objectiveStats } from './policyObjective';
import { toAgentStats, type FinalKl, type StepStats } from './updateStats';

/** From the numbers that an update read back to what it reports. Pure. */

/** What a run of entries of a reading stands for: the slices' summaries and, of a step, their products. */
export interface StepReading {
  readonly kind: 'step' | 'final';
  readonly slices: readonly CohortSlice[];
  readonly takesPart: (replica: number) => boolean;
}

interface ReadSlices extends StepReading {
  /** [slices] × [R, stats + 1] */
  readonly summaries: readonly Float32Array[];
  /** [pairs of slices, or the one slice] × [R, groups, 3]; none after the last step. */
  readonly products: readonly Float32Array[];
}

/** Which number of a replica's summary each of the objective's statistics is. */
const summaryNames = [...turnStats, 'entropy'] as const;
const summaryOf: Record<(typeof objectiveStats)[number], (typeof summaryNames)[number]> = {
  policyLoss: 'policyLoss',
  entropy: 'entropy',
  clipFractionLow: 'clipFractionLow',
  clipFractionHigh: 'clipFractionHigh',
  refKl: 'refKl',
  drift: 'drift',
  weightSquares: 'ratioSquares',
  weightMean: 'ratioMean',
};
const places = objectiveStats.map((name) => summaryNames.indexOf(summaryOf[name]));

/** All pairs of `count` parts, in the order in which their inner products are read. */
export function pairsOf(count: number): (readonly [number, number])[] {
  return Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    Array.from({ length: count - i - 1 }, (_, next) => [i, i + 1 + next] as const),
  );
}

/** Readings of inner products that a step of `count` parts leaves: one part is the whole, whose norm is the step's own. */
export function numProductReadings(count: number): number {
  return count === 1 ? 1 : pairsOf(count).length;
}

/** [p·p, p·q, q·q] of a replica; the groups are added in float64. */
function innerProducts(reading: Float32Array, replica: number, numGroups: number): number[] {
  const sums = [0, 0, 0];
  for (let group = 0; group < numGroups; group++) {
    const at = 3 * (numGroups * replica + group);
    for (const place of sums.keys()) sums[place]! += reading[at + place]!;
  }
  return sums;
}

/** [count, count] of all parts of a replica. */
export function gramMatrix(
  readings: readonly Float32Array[],
  count: number,
  replica: number,
  numGroups: number,
): number[] {
  const gram = Array.from({ length: count * count }, () => 0);
  if (count === 1) return innerProducts(readings[0]!, replica, numGroups).slice(0, 1);
  for (const [pair, [i, j]] of pairsOf(count).entries()) {
    const [ii, ij, jj] = innerProducts(readings[pair]!, replica, numGroups);
    gram[i * count + i] = ii!;
    gram[j * count + j] = jj!;
    gram[i * count + j] = ij!;
    gram[j * count + i] = ij!;
  }
  return gram;
}

function readSlices(steps: readonly StepReading[], read: readonly Float32Array[]): ReadSlices[] {
  let next = 0;
  const take = (count: number): Float32Array[] => read.slice(next, (next += count));
  return steps.map((step) => {
    const summaries = take(step.slices.length);
    const products = step.kind === 'step' ? take(numProductReadings(step.slices.length)) : [];
    return Object.assign({ summaries, products }, step);
  });
}

interface Shape {
  readonly numParameters: number;
  readonly isSupervised: boolean;
}

/** The objective's statistics of one replica; of cross-entropy the first two alone mean something. */
function objectiveValues(summary: Float32Array, replica: number, isSupervised: boolean): number[] {
  const start = replica * summaryNames.length;
  return places.map((place, index) => (isSupervised && index >= 2 ? 0 : summary[start + place]!));
}

function stepStats(
  { slices, summaries, products }: ReadSlices,
  replica: number,
  { numParameters, isSupervised }: Shape,
): StepStats {
  const gram = gramMatrix(products, slices.length, replica, numProductGroups(numParameters));
  const own = [...slices.keys()].filter((index) => slices[index]!.packed[replica] !== null);
  return {
    agents: own.map((index) => slices[index]!.agent),
    products: own.flatMap((i) => own.map((j) => gram[i * slices.length + j]!)),
    values: Float32Array.from(
      own.flatMap((index) => objectiveValues(summaries[index]!, replica, isSupervised)),
    ),
  };
}

function finalKls({ slices, summaries }: ReadSlices, replica: number): FinalKl[] {
  const place = replica * summaryNames.length + summaryNames.indexOf('drift');
  return slices.flatMap(({ agent, packed }, index) => {
    const turns = packed[replica];
    if (!turns) return [];
    return [{ agent, numTokens: turns.numActionTokens, kl: summaries[index]![place]! }];
  });
}

/** `read`: the entries of the reading, in the order of `steps`. */
export function compiledStats(
  {
    hypers,
    numParameters,
  }: { hypers: readonly { loss: { refKlCoef: number } }[]; numParameters: number },
  { objective, replicas }: Pick<UpdateBatch, 'objective' | 'replicas'>,
  steps: readonly StepReading[],
  read: readonly Float32Array[],
): AgentUpdateStats[] {
  const isSupervised = objective === 'supervised';
  const shape = { numParameters, isSupervised };
  const slices = readSlices(steps, read);
  return [...new Set(replicas)].flatMap((replica) => {
    const taken = slices.filter(({ kind, takesPart }) => kind === 'step' && takesPart(replica));
    const last = slices.filter(({ kind }) => kind === 'final');
    return toAgentStats(
      replica,
      taken.map((step) => stepStats(step, replica, shape)),
      last.flatMap((step) => finalKls(step, replica)),
      !isSupervised && hypers[replica]!.loss.refKlCoef > 0,
    );
  });
}
