import type { SampleCalls, SampledTurns } from '../protocol/policyApi';
import type { SamplingShape } from './compiledDecode';
import { groupRows } from './groupRows';
import { bucketSize } from './packTurns';
import { divergedMessage } from './sampleTurns';
import type { StackShape } from './stackTurns';

/** Calls as the device reads them: rows by replica, every replica's padded to one size, equal prompts once. */

type Cohort = Pick<SamplingShape, 'architecture' | 'vocabularySize' | 'numReplicas'>;

/** Rows and distinct prompts of one replica. */
interface ReplicaRows {
  readonly replica: number;
  /** Indices into the calls. */
  readonly rows: readonly number[];
  readonly prompts: readonly Int32Array[];
  /** [rows] */
  readonly promptOf: readonly number[];
}

function distinctPrompts(
  calls: SampleCalls,
  replica: number,
  rows: readonly number[],
): ReplicaRows {
  const known = new Map<string, number>();
  const prompts: Int32Array[] = [];
  const promptOf = rows.map((row) => {
    const start = row * calls.promptWidth;
    const prompt = calls.promptTokens.subarray(start, start + calls.promptLengths[row]!);
    const key = String.fromCharCode(...prompt);
    const index = known.get(key) ?? prompts.length;
    if (index === prompts.length) prompts.push(prompt);
    known.set(key, index);
    return index;
  });
  return { replica, rows, prompts, promptOf };
}

/** Everything that the device reads, in the common shape of all replicas. Axes: R replicas, U prompts, T tokens of one, B rows. */
export interface SamplingRows {
  readonly parts: readonly ReplicaRows[];
  /** Of the pass over the prompts. */
  readonly prompts: StackShape;
  readonly shape: SamplingShape;
  /** [R, U, T] */
  readonly tokens: Int32Array<ArrayBuffer>;
  /** [R, U] row of each prompt's last token. */
  readonly siteRows: Int32Array<ArrayBuffer>;
  /** [R, B] */
  readonly promptOf: Int32Array<ArrayBuffer>;
  /** [R, B] 1 for a row that only fills up. */
  readonly promptLengths: Int32Array<ArrayBuffer>;
  /** [R, B] 0 for a row that only fills up. */
  readonly actionLengths: Int32Array<ArrayBuffer>;
  /** [R, B, 2] */
  readonly keys: Uint32Array<ArrayBuffer>;
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), 1);
}

function shapesOf(
  cohort: Cohort,
  parts: readonly ReplicaRows[],
  calls: SampleCalls,
): Pick<SamplingRows, 'prompts' | 'shape'> {
  const numPrompts = bucketSize(most(parts.map(({ prompts }) => prompts.length)));
  const length = most(parts.flatMap(({ prompts }) => prompts.map((prompt) => prompt.length)));
  return {
    prompts: {
      numSequences: numPrompts,
      length,
      numSites: numPrompts,
      numTurns: 1,
      actionWidth: 1,
    },
    shape: {
      ...cohort,
      numRows: bucketSize(most(parts.map(({ rows }) => rows.length))),
      numPrompts,
      length,
      width: most([...calls.actionLengths]),
    },
  };
}

/** Of at least one call. */
export function packRows(cohort: Cohort, calls: SampleCalls): SamplingRows {
  const byReplica = groupRows(calls.replicas.keys(), (row) => calls.replicas[row]!);
  const parts = Array.from(byReplica, ([replica, rows]) => distinctPrompts(calls, replica, rows));
  const shapes = shapesOf(cohort, parts, calls);
  const { numReplicas, numRows, numPrompts, length } = shapes.shape;
  const packed = {
    parts,
    ...shapes,
    tokens: new Int32Array(numReplicas * numPrompts * length),
    siteRows: new Int32Array(numReplicas * numPrompts),
    promptOf: new Int32Array(numReplicas * numRows),
    promptLengths: new Int32Array(numReplicas * numRows).fill(1),
    actionLengths: new Int32Array(numReplicas * numRows),
    keys: new Uint32Array(2 * numReplicas * numRows),
  };
  for (const { replica, rows, prompts, promptOf } of parts) {
    for (const [index, prompt] of prompts.entries()) {
      packed.tokens.set(prompt, (replica * numPrompts + index) * length);
      packed.siteRows[replica * numPrompts + index] = index * length + prompt.length - 1;
    }
    for (const [place, row] of rows.entries()) {
      const at = replica * numRows + place;
      packed.promptOf[at] = promptOf[place]!;
      packed.promptLengths[at] = calls.promptLengths[row]!;
      packed.actionLengths[at] = calls.actionLengths[row]!;
      packed.keys.set(calls.noiseKeys.subarray(2 * row, 2 * row + 2), 2 * at);
    }
  }
  return packed;
}

/**
 * [B, L] of the calls from what was drawn, [R, B, width, 2].
 * @throws Error where the logits of a token that was asked for are not finite.
 */
export function unpackRows(
  { parts, shape }: SamplingRows,
  calls: SampleCalls,
  draws: Float32Array,
  maxActionTokens: number,
): SampledTurns {
  const count = calls.replicas.length * maxActionTokens;
  const actionTokens = new Int32Array(count);
  const rolloutLogprobs = new Float32Array(count);
  for (const { replica, rows } of parts)
    for (const [place, row] of rows.entries())
      for (let position = 0; position < calls.actionLengths[row]!; position++) {
        const at = 2 * ((replica * shape.numRows + place) * shape.width + position);
        const logprob = draws[at + 1]!;
        // The kernels mark logits that are not finite by a value no log-probability has.
        if (!(logprob < 1)) throw new Error(divergedMessage);
        actionTokens[row * maxActionTokens + position] = draws[at]!;
        rolloutLogprobs[row * maxActionTokens + position] = Math.min(0, logprob);
      }
  return { actionTokens, rolloutLogprobs };
}
