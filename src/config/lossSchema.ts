import * as z from 'zod/mini';
import { choice, number } from './schemaParts';

const common = {
  aggregation: choice('loss.aggregation', ['tokenMean', 'sequenceMean', 'constantLength']),
  balance: choice('loss.balance', ['none', 'agentFrequency', 'rollout']),
  entropyCoef: number('loss.entropyCoef'),
  refKlCoef: number('loss.refKlCoef'),
  refKlEstimator: choice('loss.refKlEstimator', ['k1', 'k2', 'k3', 'k3ValueK2Gradient']),
  refKlIn: choice('loss.refKlIn', ['loss', 'reward']),
  oldLogprobs: choice('loss.oldLogprobs', ['sampler', 'trainer']),
  samplerCorrection: choice('loss.samplerCorrection', [
    'none',
    'tokenTruncate',
    'tokenMask',
    'sequenceTruncate',
    'sequenceMask',
  ]),
  samplerWeightLow: number('loss.samplerWeightLow'),
  samplerWeightHigh: number('loss.samplerWeightHigh'),
  maxMeanLogRatio: z.nullable(number('loss.maxMeanLogRatio')),
  dynamicSampling: z.boolean(),
  overlongTurns: number('loss.overlongTurns'),
  overlongPenalty: number('loss.overlongPenalty'),
  numUpdateEpochs: number('loss.numUpdateEpochs'),
  numMinibatches: number('loss.numMinibatches'),
};

const ratioBand = { clipLow: number('loss.clipLow'), clipHigh: number('loss.clipHigh') };

/** What the policies minimise. */
export const lossSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('clip'),
    ...ratioBand,
    dualClip: z.nullable(number('loss.dualClip')),
    ...common,
  }),
  z.strictObject({ kind: z.literal('gspo'), ...ratioBand, ...common }),
  z.strictObject({ kind: z.literal('gspoToken'), ...ratioBand, ...common }),
  z.strictObject({
    kind: z.literal('cispoAbsolute'),
    weightCap: number('loss.weightCap'),
    ...common,
  }),
  z.strictObject({ kind: z.literal('cispoBand'), ...ratioBand, ...common }),
  z.strictObject({
    kind: z.literal('sapo'),
    tauPositive: number('loss.tauPositive'),
    tauNegative: number('loss.tauNegative'),
    ...common,
  }),
]);
