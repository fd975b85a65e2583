import { expect, test } from 'vitest';
import type { PeerResult, ShapeResult } from './benchShape';
import { targetRows, type TargetRow } from './benchTargets';
import type { PeerName } from './benchThread';

const counts = { dispatches: 58, submits: 1, buffers: 0, bindGroups: 0, pipelines: 0, bytes: 0 };

const peer = (name: PeerName, over: Partial<PeerResult> = {}): PeerResult => ({
  peer: name,
  firstMs: 100,
  losses: [3, 2, 1],
  rounds: [10],
  stepsPerRound: 1,
  stepMs: 10,
  gigaflops: 6,
  issueMs: 0.3,
  counts,
  bytes: 64e6,
  ...over,
});

function shapeOf(id: ShapeResult['id'], over: Partial<ShapeResult> = {}): ShapeResult {
  const shape = {
    numLayers: 2,
    hiddenSize: 64,
    numHeads: 4,
    vocabularySize: 32,
    length: 16,
    numSequences: 64,
  };
  return {
    id,
    shape,
    numParameters: 1,
    flops: 1,
    largestLossDifference: 1e-3,
    peers: [peer('compiled'), peer('jaxWebgpu')],
    ratios: { jaxWebgpu: 0.45, tfjsWebgpu: 0.1 },
    ...over,
  };
}

const cohort = (numReplicas: number, dispatches = 58) => ({
  numReplicas,
  counts: { ...counts, dispatches },
  bytes: 1,
  issueMs: 1,
  stepMs: 1,
  hostRatio: numReplicas === 8 ? 1.2 : 1,
  stepRatio: 1,
});

const measured = {
  size: 'full' as const,
  matmuls: [],
  rooflineGigaflops: 10,
  shapes: [shapeOf('small'), shapeOf('large', { ratios: { jaxWebgpu: 1 } })],
  replicas: {
    shape: shapeOf('small').shape,
    cohorts: [cohort(1), cohort(8), cohort(16)],
    flat: { numSteps: 200, counts: { ...counts, submits: 200 }, growth: 0 },
  },
  sampling: [
    { sampler: 'compiled' as const, firstMs: 1, tokensPerSecond: 20, numTokens: 1 },
    { sampler: 'tfjsWebgpu' as const, firstMs: 1, tokensPerSecond: 1, numTokens: 1 },
  ],
};

const verdicts = (rows: readonly TargetRow[]): (boolean | null)[] => rows.map(({ isMet }) => isMet);

test('exactly at its limit every target is met', () => {
  // 58 dispatches = 23 · 2 + 12; 6 of 10 GFLOP/s = 60 %; 64 MB; 20 times the tokens.
  expect(verdicts(targetRows(measured))).toEqual(Array.from({ length: 11 }, () => true));
});

test('one beyond it is not', () => {
  const over = targetRows({
    ...measured,
    rooflineGigaflops: 10.1,
    shapes: [
      shapeOf('small', {
        ratios: { jaxWebgpu: 0.451, tfjsWebgpu: 0.101 },
        largestLossDifference: 1.1e-3,
      }),
      shapeOf('large', {
        ratios: { jaxWebgpu: 1.01 },
        peers: [peer('compiled', { issueMs: 0.31, bytes: 64e6 + 1 }), peer('jaxWebgpu')],
      }),
    ],
    replicas: {
      ...measured.replicas,
      cohorts: [cohort(1), { ...cohort(8), hostRatio: 1.21 }, cohort(16, 59)],
      flat: { numSteps: 200, counts: { ...counts, submits: 200, bindGroups: 1 }, growth: 0 },
    },
    sampling: [{ ...measured.sampling[0]!, tokensPerSecond: 19.9 }, measured.sampling[1]!],
  });
  expect(verdicts(over)).toEqual(Array.from({ length: 11 }, () => false));
});

test('memory that grows is not flat', () => {
  const flat = { ...measured.replicas.flat, growth: 4 };
  const rows = targetRows({ ...measured, replicas: { ...measured.replicas, flat } });
  expect(rows.find(({ figure }) => figure.startsWith('GPU memory'))?.isMet).toBe(false);
});

test('what was not measured is said, never met', () => {
  const alone = shapeOf('small', { peers: [peer('compiled')], ratios: {} });
  const rows = targetRows({ ...measured, shapes: [alone], sampling: [] });
  const missing = rows.filter(({ isMet }) => isMet === null);
  expect(missing.map(({ figure }) => figure)).toEqual([
    'step L2 D64 T16 B64 / jax-js jit, webgpu',
    'step L2 D64 T16 B64 / tfjs ops, webgpu',
    'step L4 D128 T64 B32 / jax-js jit, webgpu',
    'step L4 D128 T64 B32, share of the best rate',
    'sampling / tfjs recomputation, webgpu',
    'GPU memory, L4 D128 T64 B32',
    'losses of all libraries, three steps',
  ]);
  for (const { measured: words } of missing) expect(words).toBe('not measured in this run');
});
