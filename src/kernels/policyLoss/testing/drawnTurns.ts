import { normals } from '../../../gpu/testing/arrays';
import { logSoftmax } from '../../../rl/entropy';
import { packLossTokens, type LossShape } from '../policyLoss';

/** Turns of two replicas by hand, and packed as a policy will pack them. */

export const shape: LossShape = {
  numReplicas: 2,
  numTurns: 70,
  maxTokens: 3,
  numSites: 37,
  vocabularySize: 11,
};
const { numTurns, maxTokens, numSites, vocabularySize } = shape;
export const numCells = numTurns * maxTokens;

/** Inside, between and outside of the clip bounds and of ±20, on none of them. */
const logRatios = [0, -25, 0.1, -1.5, 0.5, -0.5, 25, 1.5, -0.1];

/** One replica's turns. Axes: N·L cells, K sites, V vocabulary. */
export interface Drawn {
  readonly logits: Float32Array<ArrayBuffer>;
  readonly cells: readonly {
    readonly site: number;
    readonly token: number;
    readonly logRatio: number;
    readonly factor: number;
  }[];
  readonly logprobs: Float64Array;
  readonly mask: Uint8Array;
  readonly numTokens: number;
  readonly oldLogprobs: Float64Array;
  readonly refLogprobs: Float64Array;
  readonly advantages: Float64Array;
}

/** One replica's turns, with everything a reference needs. Cells in the order turn, place. */
export function drawn(replica: number): Drawn {
  const logits = normals(10 + replica, numSites * vocabularySize);
  const cells = Array.from({ length: numCells }, (_, cell) => {
    const [turn, place] = [Math.floor(cell / maxTokens), cell % maxTokens];
    const isToken = place <= turn % maxTokens;
    return {
      site: isToken ? (cell * 7 + replica) % numSites : -1,
      token: (cell * 5 + replica) % vocabularySize,
      logRatio: logRatios[(cell + replica) % logRatios.length]!,
      factor: [1, 0.5, 0, 2][cell % 4]!,
    };
  });
  const logprobs = cells.map(({ site, token }) => {
    if (site < 0) return 0;
    const row = logits.subarray(site * vocabularySize, (site + 1) * vocabularySize);
    return logSoftmax(row, vocabularySize)[token]!;
  });
  const mask = Uint8Array.from(cells, ({ site }) => (site < 0 ? 0 : 1));
  const numTokens = mask.reduce((sum, counts) => sum + counts, 0);
  const oldLogprobs = Float64Array.from(cells, ({ logRatio }, cell) =>
    Math.fround(logprobs[cell]! - logRatio),
  );
  const refLogprobs = Float64Array.from(logprobs, (logprob, cell) =>
    Math.fround(logprob + 0.4 * Math.sin(7 * cell)),
  );
  const advantages = Float64Array.from(
    { length: numTurns },
    (_, turn) => [1, -1, 0.5, 0, -2][turn % 5]!,
  );
  return {
    logits,
    cells,
    logprobs: Float64Array.from(logprobs),
    mask,
    numTokens,
    oldLogprobs,
    refLogprobs,
    advantages,
  };
}

/** What the packer will make of a replica's turns. */
export function packed(rows: Drawn): {
  readonly tokens: Int32Array<ArrayBuffer>;
  readonly starts: Int32Array<ArrayBuffer>;
  readonly cells: Int32Array<ArrayBuffer>;
  readonly siteShares: Float32Array<ArrayBuffer>;
} {
  const tokens = packLossTokens(
    rows.cells.map(({ site, token, factor }, cell) => ({
      site,
      token,
      oldLogprob: rows.oldLogprobs[cell]!,
      refLogprob: rows.refLogprobs[cell]!,
      lossWeight: factor / rows.numTokens,
      klWeight: 1 / rows.numTokens,
      share: 1 / rows.numTokens,
    })),
  );
  const starts = new Int32Array(numSites + 1);
  const cells = new Int32Array(2 * numCells);
  const siteShares = new Float32Array(numSites);
  let next = 0;
  for (let site = 0; site < numSites; site++) {
    starts[site] = next;
    for (const [cell, entry] of rows.cells.entries()) {
      if (entry.site !== site) continue;
      cells.set([cell, entry.token], 2 * next++);
      siteShares[site]! += 1 / rows.numTokens;
    }
  }
  starts[numSites] = next;
  return { tokens, starts, cells, siteShares };
}

export function joined<T extends Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>(
  parts: readonly T[],
  make: (length: number) => T,
): T {
  const whole = make(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export const floats = (length: number): Float32Array<ArrayBuffer> => new Float32Array(length);
export const ints = (length: number): Int32Array<ArrayBuffer> => new Int32Array(length);
