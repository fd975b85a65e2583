import type { LossSpec, OptimizerSpec } from '../config/experimentSpec';
import type { OptimizerHyper } from '../kernels/optimizer/optimizer';
import type { LossHyper } from '../kernels/policyLoss/policyLoss';
import type { UpdateBatch } from '../protocol/policyApi';

/** From a replica's specification to the numbers that the kernels read. */

function ratioBounds(loss: LossSpec): Pick<LossHyper, 'kind' | 'low' | 'high' | 'dualClip'> {
  switch (loss.kind) {
    case 'clip':
      return { kind: 'clip', ...band(loss), dualClip: loss.dualClip };
    case 'gspo':
    case 'gspoToken':
      return { kind: loss.kind, ...band(loss), dualClip: null };
    case 'cispoAbsolute':
      return { kind: 'cispo', low: 0, high: loss.weightCap, dualClip: null };
    case 'cispoBand':
      return { kind: 'cispo', ...band(loss), dualClip: null };
    case 'sapo':
      return { kind: 'sapo', low: 0, high: 0, dualClip: null };
  }
}

function band({ clipLow, clipHigh }: { clipLow: number; clipHigh: number }) {
  return { low: 1 - clipLow, high: 1 + clipHigh };
}

/** `tokenShare`: the slice's part of the policy's action tokens, so that slices add up. */
export function lossHyperOf(
  objective: UpdateBatch['objective'],
  loss: LossSpec,
  tokenShare: number,
): LossHyper {
  const isSupervised = objective === 'supervised';
  const temperatures = loss.kind === 'sapo' ? loss : { tauPositive: 1, tauNegative: 1 };
  return {
    ...ratioBounds(loss),
    ...(isSupervised && { kind: 'supervised' }),
    tauPositive: temperatures.tauPositive,
    tauNegative: temperatures.tauNegative,
    klCoef: loss.refKlIn === 'loss' ? loss.refKlCoef : 0,
    klEstimator: loss.refKlEstimator,
    maxMeanLogRatio: loss.maxMeanLogRatio,
    entropyCoef: isSupervised ? 0 : loss.entropyCoef * tokenShare,
  };
}

export function optimizerHyperOf(
  spec: OptimizerSpec,
): Omit<OptimizerHyper, 'learningRate' | 'isActive'> {
  const { kind, maxGradNorm } = spec;
  if (spec.kind === 'sgd')
    return { kind, maxGradNorm, beta1: spec.momentum, beta2: 0, epsilon: 0, weightDecay: 0 };
  const { beta1, beta2, epsilon, weightDecay } = spec;
  return { kind, maxGradNorm, beta1, beta2, epsilon, weightDecay };
}
