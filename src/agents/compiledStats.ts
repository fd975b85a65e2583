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
  /** [slices] × [R, groups, 3]; none after the last step. */
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

/** Norm of a replica's part, and its cosine with the sum of the others; the groups are added in float64. */
function normAndCosine(products: Float32Array, replica: number, numGroups: number): number[] {
  let [square, product, rest] = [0, 0, 0];
  for (let group = 0; group < numGroups; group++) {
    const at = 3 * (numGroups * replica + group);
    square += products[at]!;
    product += products[at + 1]!;
    rest += products[at + 2]!;
  }
  return [Math.sqrt(square), product / (Math.sqrt(square) * Math.sqrt(rest))];
}

function readSlices(steps: readonly StepReading[], read: readonly Float32Array[]): ReadSlices[] {
  let next = 0;
  const take = (count: number): Float32Array[] => read.slice(next, (next += count));
  return steps.map((step) => {
    const summaries = take(step.slices.length);
    const products = step.kind === 'step' ? take(step.slices.length) : [];
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
  const numGroups = numProductGroups(numParameters);
  const own = [...slices.keys()].filter((index) => slices[index]!.packed[replica] !== null);
  return {
    agents: own.map((index) => slices[index]!.agent),
    values: Float32Array.from(
      own.flatMap((index) =>
        normAndCosine(products[index]!, replica, numGroups).concat(
          objectiveValues(summaries[index]!, replica, isSupervised),
        ),
      ),
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
