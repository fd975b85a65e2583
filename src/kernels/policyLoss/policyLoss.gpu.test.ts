import { beforeAll, expect, test } from 'vitest';
import { createStorage, readFloats, uploadStorage } from '../../gpu/buffers';
import { dawnDevice } from '../../gpu/testing/dawnDevice';
import { runCalls } from '../../gpu/testing/runCalls';
import { categoricalEntropy, logSoftmax } from '../../rl/entropy';
import { mismatch } from '../../rl/golden/mismatch';
import { klLoss } from '../../rl/klPenalty';
import { offPolicyMask } from '../../rl/offPolicyMask';
import { surrogate, type SurrogateSpec } from '../../rl/surrogateLoss';
import { packLosses, policyLossCalls, turnStats, type LossHyper } from './policyLoss';
import {
  drawn,
  floats,
  ints,
  joined,
  numCells,
  packed,
  shape,
  type Drawn,
} from './testing/drawnTurns';

const { numReplicas, numTurns, numSites, vocabularySize } = shape;

let device: GPUDevice;
beforeAll(async () => {
  device = await dawnDevice();
});

const plain: LossHyper = {
  kind: 'clip',
  low: 0.8,
  high: 1.28,
  dualClip: null,
  tauPositive: 1,
  tauNegative: 1.05,
  klCoef: 0,
  klEstimator: 'k3',
  maxMeanLogRatio: null,
  entropyCoef: 0,
};
const tokenMean = { kind: 'tokenMean' } as const;

interface Case {
  readonly name: string;
  readonly hyper: LossHyper;
  readonly spec: SurrogateSpec;
}

const bounds = { clipLow: 0.2, clipHigh: 0.28 };
const cases: readonly Case[] = [
  {
    name: 'clip',
    hyper: plain,
    spec: { kind: 'clip', ...bounds, dualClip: null, aggregation: tokenMean },
  },
  {
    name: 'dual clip with KL k3 and entropy',
    hyper: { ...plain, dualClip: 3, klCoef: 0.3, entropyCoef: 0.1 },
    spec: { kind: 'clip', ...bounds, dualClip: 3, aggregation: tokenMean },
  },
  {
    name: 'GSPO with KL k1',
    hyper: { ...plain, kind: 'gspo', klCoef: 0.2, klEstimator: 'k1' },
    spec: { kind: 'gspo', ...bounds, aggregation: tokenMean },
  },
  {
    name: 'GSPO-token with KL k2',
    hyper: { ...plain, kind: 'gspoToken', klCoef: 0.2, klEstimator: 'k2' },
    spec: { kind: 'gspoToken', ...bounds, aggregation: tokenMean },
  },
  {
    name: 'CISPO, absolute cap',
    hyper: {
      ...plain,
      kind: 'cispo',
      low: 0,
      high: 5,
      klCoef: 0.2,
      klEstimator: 'k3ValueK2Gradient',
    },
    spec: { kind: 'cispo', bounds: { kind: 'absoluteHigh', high: 5 }, aggregation: tokenMean },
  },
  {
    name: 'CISPO, band, with an off-policy mask',
    hyper: { ...plain, kind: 'cispo', maxMeanLogRatio: 0.37 },
    spec: { kind: 'cispo', bounds: { kind: 'band', ...bounds }, aggregation: tokenMean },
  },
  {
    name: 'SAPO',
    hyper: { ...plain, kind: 'sapo' },
    spec: { kind: 'sapo', tauPositive: 1, tauNegative: 1.05, aggregation: tokenMean },
  },
];

/** Slopes and logit gradients on plain rows in float64. */
function reference(
  rows: Drawn,
  { hyper, spec }: Case,
): { slopes: Float64Array; gradient: Float64Array } {
  const { logprobs, oldLogprobs, refLogprobs, mask, advantages, numTokens } = rows;
  const batch = { logprobs, oldLogprobs, mask, advantages, rowWeights: null };
  const keep = hyper.maxMeanLogRatio === null ? null : offPolicyMask(batch, hyper.maxMeanLogRatio);
  const tokenWeights = Float64Array.from(rows.cells, ({ factor }) => factor);
  const { gradients } = surrogate({ ...batch, rowWeights: keep, tokenWeights }, spec);
  const penalty = klLoss(
    { logprobs, refLogprobs, mask, numSequences: numTurns, rowWeights: null, totals: null },
    { estimator: hyper.klEstimator, refKlCoef: hyper.klCoef, aggregation: tokenMean },
  );
  const slopes = gradients.map((value, cell) => value + penalty.gradients[cell]!);
  const gradient = new Float64Array(numSites * vocabularySize);
  for (const [cell, { site, token }] of rows.cells.entries()) {
    if (site < 0) continue;
    const row = rows.logits.subarray(site * vocabularySize, (site + 1) * vocabularySize);
    const all = logSoftmax(row, vocabularySize);
    const entropy = categoricalEntropy(row, vocabularySize);
    for (let v = 0; v < vocabularySize; v++) {
      const score = (v === token ? 1 : 0) - Math.exp(all[v]!);
      gradient[site * vocabularySize + v]! +=
        slopes[cell]! * score - (hyper.entropyCoef / numTokens) * entropy.gradients[v]!;
    }
  }
  return { slopes, gradient };
}

async function run(hypers: readonly LossHyper[], replicas: readonly Drawn[]) {
  const packs = replicas.map(packed);
  const upload = (values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>): GPUBuffer =>
    uploadStorage(device, values, 'input');
  const empty = (length: number): GPUBuffer => createStorage(device, numReplicas * length, 'out');
  const buffers = {
    losses: upload(packLosses(hypers)),
    tokens: upload(
      joined(
        packs.map(({ tokens }) => tokens),
        ints,
      ),
    ),
    advantages: upload(
      joined(
        replicas.map(({ advantages }) => Float32Array.from(advantages)),
        floats,
      ),
    ),
    logits: upload(
      joined(
        replicas.map(({ logits }) => logits),
        floats,
      ),
    ),
    starts: upload(
      joined(
        packs.map(({ starts }) => starts),
        ints,
      ),
    ),
    cells: upload(
      joined(
        packs.map(({ cells }) => cells),
        ints,
      ),
    ),
    siteShares: upload(
      joined(
        packs.map(({ siteShares }) => siteShares),
        floats,
      ),
    ),
    sites: empty(2 * numSites),
    slopes: empty(numCells),
    stats: empty(numTurns * turnStats.length),
    summary: empty(turnStats.length + 1),
    gradient: empty(numSites * vocabularySize),
  };
  await runCalls(device, policyLossCalls(shape, buffers));
  return {
    slopes: await readFloats(device, buffers.slopes),
    gradient: await readFloats(device, buffers.gradient),
    summary: await readFloats(device, buffers.summary),
  };
}

const part = (values: Float32Array, replica: number): Float32Array =>
  values.subarray(
    (replica * values.length) / numReplicas,
    ((replica + 1) * values.length) / numReplicas,
  );

test.each(cases.map((one, index) => [one, cases[(index + 1) % cases.length]!] as const))(
  '$0.name beside another loss: slopes and logit gradients of every replica are those of rl',
  async (...pair) => {
    const replicas = pair.map((_, replica) => drawn(replica));
    const result = await run(
      pair.map(({ hyper }) => hyper),
      replicas,
    );
    for (const [replica, one] of pair.entries()) {
      const expected = reference(replicas[replica]!, one);
      // Ratios are exponentials of float32 differences of log-probabilities up to 25.
      expect(mismatch(part(result.slopes, replica), expected.slopes, 2e-5)).toBeNull();
      expect(mismatch(part(result.gradient, replica), expected.gradient, 2e-5)).toBeNull();
    }
  },
);

test('cross-entropy has the slope −weight, whatever the old log-probabilities', async () => {
  const replicas = [0, 1].map(drawn);
  const supervised: LossHyper = { ...plain, kind: 'supervised' };
  const { slopes } = await run([supervised, supervised], replicas);
  for (const [replica, rows] of replicas.entries()) {
    const expected = rows.cells.map(({ site, factor }) =>
      site < 0 ? 0 : -factor / rows.numTokens,
    );
    expect(mismatch(part(slopes, replica), expected, 1e-7)).toBeNull();
  }
});

test('statistics are means over the tokens, and the mean entropy', async () => {
  const replicas = [0, 1].map(drawn);
  const { summary } = await run([plain, plain], replicas);
  for (const [replica, rows] of replicas.entries()) {
    const [policyLoss, low, high, refKl] = part(summary, replica);
    const { logprobs, oldLogprobs, mask, advantages } = rows;
    const batch = { logprobs, oldLogprobs, mask, advantages, rowWeights: null };
    const { loss, clipFractionLow, clipFractionHigh } = surrogate(batch, cases[0]!.spec);
    // Ratios of e²⁰ stand beside ratios of 1.
    expect(Math.abs(policyLoss! - loss)).toBeLessThan(1e-5 * (1 + Math.abs(loss)));
    expect(mismatch([low!, high!], [clipFractionLow, clipFractionHigh], 1e-5)).toBeNull();
    let [kl, entropy] = [0, 0];
    for (const [cell, { site }] of rows.cells.entries()) {
      if (site < 0) continue;
      const d = logprobs[cell]! - rows.refLogprobs[cell]!;
      kl += (Math.exp(-d) - 1 + d) / rows.numTokens;
      const row = rows.logits.subarray(site * vocabularySize, (site + 1) * vocabularySize);
      entropy += categoricalEntropy(row, vocabularySize).entropies[0]! / rows.numTokens;
    }
    expect(mismatch([refKl!, part(summary, replica).at(-1)!], [kl, entropy], 1e-5)).toBeNull();
  }
});
