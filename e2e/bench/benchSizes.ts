import type { PeerName } from './benchThread';
import type { BenchShape } from './trainingTask';

/** What each size of a run measures. */

export type BenchSize = 'full' | 'quick' | 'smoke';

export interface ShapePlan {
  /** Stable, for the JSON and the targets. */
  readonly id: 'small' | 'smallBatch' | 'large' | 'smoke';
  readonly shape: BenchShape;
  readonly peers: readonly PeerName[];
  /** Rounds over all peers, A B C A B C. */
  readonly numRounds: number;
}

export interface BenchPlan {
  readonly shapes: readonly ShapePlan[];
  /** Smallest time of one peer in one round. Unit: ms. */
  readonly roundMs: number;
  /** Counts of replicas in one cohort, the first of them 1; on the shape `smallBatch` or `smoke`. */
  readonly replicas: readonly number[];
  readonly replicaShape: BenchShape;
  /** Steps after which memory must be what it was. */
  readonly numFlatSteps: number;
  /** null = no sampling. */
  readonly sampling: { readonly shape: BenchShape; readonly numRounds: number } | null;
  /** Of one matrix product, repeated or single. Unit: ms. */
  readonly matmulMs: number;
}

const small: BenchShape = {
  numLayers: 2,
  hiddenSize: 64,
  numHeads: 4,
  vocabularySize: 32,
  length: 16,
  numSequences: 64,
};
const smallBatch: BenchShape = { ...small, numSequences: 4 };
const large: BenchShape = {
  numLayers: 4,
  hiddenSize: 128,
  numHeads: 4,
  vocabularySize: 64,
  length: 64,
  numSequences: 32,
};
const smoke: BenchShape = {
  numLayers: 1,
  hiddenSize: 16,
  numHeads: 2,
  vocabularySize: 11,
  length: 5,
  numSequences: 3,
};

const allPeers: readonly PeerName[] = [
  'compiled',
  'jaxWebgpu',
  'jaxWasm',
  'tfjsWebgpu',
  'tfjsWasm',
];

const quick: BenchPlan = {
  shapes: [
    { id: 'small', shape: small, peers: allPeers, numRounds: 5 },
    { id: 'smallBatch', shape: smallBatch, peers: allPeers, numRounds: 5 },
  ],
  roundMs: 400,
  replicas: [1, 8, 16],
  replicaShape: smallBatch,
  numFlatSteps: 200,
  sampling: { shape: small, numRounds: 1 },
  matmulMs: 500,
};

export const benchPlans: Readonly<Record<BenchSize, BenchPlan>> = {
  quick,
  full: {
    ...quick,
    shapes: [
      ...quick.shapes,
      // tfjs on a software adapter would take minutes a step here.
      { id: 'large', shape: large, peers: ['compiled', 'jaxWebgpu', 'jaxWasm'], numRounds: 3 },
    ],
    sampling: { shape: small, numRounds: 3 },
  },
  smoke: {
    shapes: [{ id: 'smoke', shape: smoke, peers: allPeers, numRounds: 2 }],
    roundMs: 1,
    replicas: [1, 3],
    replicaShape: smoke,
    numFlatSteps: 5,
    sampling: { shape: { ...smoke, length: 2 }, numRounds: 1 },
    matmulMs: 1,
  },
};
