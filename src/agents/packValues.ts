import type { CriticInputs, CriticTargets } from '../protocol/criticApi';
import { bucketSize, padSequences } from './packTurns';

/**
 * What one replica's value network computes: distinct sequences, and distinct steps with their multiplicity. Axes: U distinct sequences,
 * T their padded length, N distinct steps; U and N are rounded up to few sizes, and what is added has weight 0.
 */
export interface PackedValues {
  /** int32 [U, T] */
  readonly tokens: Int32Array;
  readonly numSequences: number;
  readonly length: number;
  /** int32 [U] token row (sequence · T + last token) whose state is valued. */
  readonly lastRows: Int32Array;
  /** int32 [U·T] sequence of each such row; U where there is none. */
  readonly sequenceOfRow: Int32Array;
  /** float32 [N, U] how often each sequence counts in each step. */
  readonly membership: Float32Array;
  readonly numPacked: number;
  /** float32 [N] share of the replica's steps. */
  readonly shares: Float32Array;
  /** float32 [N] Unit: reward. */
  readonly oldValues: Float32Array;
  readonly returns: Float32Array;
  /** Step numbers of the inputs, in their order, with the packed step of each. */
  readonly steps: Int32Array;
  readonly packedOf: Int32Array;
}

interface DistinctStep {
  readonly sequences: readonly number[];
  readonly oldValue: number;
  readonly target: number;
  count: number;
}

/** Sequences by step of one replica, in the order of the inputs. */
function sequencesByStep(
  { steps, tokens, lengths, width }: CriticInputs,
  rows: readonly number[],
): Map<number, number[][]> {
  const byStep = new Map<number, number[][]>();
  for (const row of rows) {
    const own = byStep.get(steps[row]!) ?? [];
    byStep.set(steps[row]!, own);
    own.push([...tokens.subarray(row * width, row * width + lengths[row]!)]);
  }
  return byStep;
}

/** Numbers what is distinct in order of first use. */
function numbered<T>(): { of: (key: string, item: () => T) => number; items: T[] } {
  const indexOf = new Map<string, number>();
  const items: T[] = [];
  return {
    items,
    of: (key, item) => {
      const known = indexOf.get(key);
      if (known !== undefined) return known;
      indexOf.set(key, items.length);
      items.push(item());
      return items.length - 1;
    },
  };
}

/** Packs the sequences `rows` of one replica; without targets, steps of equal sequences are one. */
export function packValues(
  inputs: CriticInputs,
  rows: readonly number[],
  targets: CriticTargets | null,
): PackedValues {
  const byStep = sequencesByStep(inputs, rows);
  const sequences = numbered<number[]>();
  const distinct = numbered<DistinctStep>();
  const packedOf = Int32Array.from(byStep, ([step, own]) => {
    const ids = own.map((tokens) => sequences.of(String.fromCharCode(...tokens), () => tokens));
    const [oldValue, target] = [targets?.oldValues[step] ?? 0, targets?.returns[step] ?? 0];
    const place = distinct.of(`${ids.join()} ${oldValue} ${target}`, () => {
      return { sequences: ids, oldValue, target, count: 0 };
    });
    distinct.items[place]!.count += 1;
    return place;
  });
  const { tokens, numSequences, length } = padSequences(sequences.items);
  const lastRows = new Int32Array(numSequences);
  const sequenceOfRow = new Int32Array(numSequences * length).fill(numSequences);
  for (let sequence = 0; sequence < numSequences; sequence++) {
    lastRows[sequence] = sequence * length + (sequences.items[sequence]?.length ?? 1) - 1;
    sequenceOfRow[lastRows[sequence]!] = sequence;
  }
  const steps = Int32Array.from(byStep.keys());
  const shared = { tokens, numSequences, length, lastRows, sequenceOfRow, steps, packedOf };
  return { ...shared, ...stepMatrices(distinct.items, numSequences, steps.length) };
}

function stepMatrices(
  distinct: readonly DistinctStep[],
  numSequences: number,
  numSteps: number,
): Pick<PackedValues, 'membership' | 'numPacked' | 'shares' | 'oldValues' | 'returns'> {
  const numPacked = bucketSize(distinct.length);
  const membership = new Float32Array(numPacked * numSequences);
  const shares = new Float32Array(numPacked);
  const oldValues = new Float32Array(numPacked);
  const returns = new Float32Array(numPacked);
  for (const [place, { sequences, oldValue, target, count }] of distinct.entries()) {
    for (const sequence of sequences) membership[place * numSequences + sequence]! += 1;
    shares[place] = count / numSteps;
    oldValues[place] = oldValue;
    returns[place] = target;
  }
  return { membership, numPacked, shares, oldValues, returns };
}
