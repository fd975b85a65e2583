import type { Ingredients } from './ingredients';
import { quotient, withAll, type Step } from './equation';
import { formatNumber } from './format';
import { medianOfSorted } from './median';
import { createSpikeWindow, isSpikeNext, spikeRule } from './spikes';

/** Metrics of the update with this moment's numbers put in. */

/** Above which value the norm would count as a spike now. */
function spikeLimit({ history }: Ingredients): Step {
  const window = createSpikeWindow();
  for (const norm of history.values.subarray(0, -1)) isSpikeNext(window, norm);
  if (window.sorted.length < spikeRule.minValues)
    return `Spikes are looked for once ${spikeRule.minValues} norms above 0 are known.`;
  return withAll([medianOfSorted(window.sorted)], ([level]) => ({
    symbols: `${spikeRule.factor} × median of the ${spikeRule.window} before`,
    numbers: `${spikeRule.factor} × ${formatNumber(level)}`,
    result: spikeRule.factor * level,
    gives: 'derived',
    says: 'above which a norm is a spike',
  }));
}

/** Added to the norm before the limit is divided by it, as `torch.nn.utils.clip_grad_norm_` does. */
const clipEpsilon = 1e-6;

export function gradNormSteps(given: Ingredients): readonly Step[] {
  const { value, facts } = given;
  const clip = withAll([value, facts.maxGradNorm], ([norm, limit]) => ({
    symbols: 'min(1, limit/(norm + 10⁻⁶))',
    numbers: `min(1, ${formatNumber(limit)}/${formatNumber(norm)})`,
    result: Math.min(1, limit / (norm + clipEpsilon)),
    gives: 'derived',
    says: 'the factor of the gradient clip',
  }));
  return [spikeLimit(given), clip];
}

export function gradNormMaxSteps({ own, value, facts }: Ingredients): readonly Step[] {
  if (facts.numOptimizerSteps === 1)
    return [
      withAll([own.gradNorm], ([norm]) => ({
        symbols: 'max over one update = the norm itself',
        numbers: formatNumber(norm),
        result: norm,
        gives: 'value',
        says: '',
      })),
    ];
  return [
    quotient(value, own.gradNorm, {
      symbols: 'largest/mean',
      says: 'how far one update stands out',
    }),
  ];
}

export function gradCosineSteps({ value }: Ingredients): readonly Step[] {
  return [
    withAll([value], ([cosine]) => ({
      symbols: 'arccos(cosine)',
      numbers: `arccos(${formatNumber(cosine)})`,
      // Rounding may leave a cosine a little beyond 1.
      result: (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI,
      gives: 'derived',
      says: 'degrees; 90 are unrelated directions',
    })),
  ];
}

export function updateSkippedSteps({ facts }: Ingredients): readonly Step[] {
  return [`Of at most ${facts.numOptimizerSteps} an iteration: minibatches × update epochs.`];
}

export function entropySteps({ value }: Ingredients): readonly Step[] {
  return [
    withAll([value], ([entropy]) => ({
      symbols: 'exp(entropy)',
      numbers: `exp(${formatNumber(entropy)})`,
      result: Math.exp(entropy),
      gives: 'derived',
      says: 'as many equally likely tokens would be as undecided',
    })),
  ];
}

/** k3 is d²/2 for small d: what a mean of it says of the size of d. */
export function typicalChange(subject: string) {
  return ({ value }: Ingredients): readonly Step[] => [
    withAll([value], ([kl]) => ({
      symbols: '√(2·KL)',
      numbers: `√(2 × ${formatNumber(kl)})`,
      result: Math.sqrt(2 * kl),
      gives: 'derived',
      says: `nats: root mean square of ${subject}, to second order`,
    })),
  ];
}

export function refKlSteps(given: Ingredients): readonly Step[] {
  const penalty = withAll([given.facts.refKlCoef, given.value], ([coef, kl]) => ({
    symbols: 'β × KL',
    numbers: `${formatNumber(coef)} × ${formatNumber(kl)}`,
    result: coef * kl,
    gives: 'derived',
    says: 'what the loss pays for it, per token',
  }));
  return [penalty, ...typicalChange('log π − log π_ref')(given)];
}

export function clipFractionSteps({ own }: Ingredients): readonly Step[] {
  return [
    withAll([own.clipFractionLow, own.clipFractionHigh], ([low, high]) => ({
      symbols: 'low + high',
      numbers: `${formatNumber(low)} + ${formatNumber(high)}`,
      result: low + high,
      gives: 'value',
      says: '',
    })),
  ];
}

/** Share of one side, and the bound that it names. */
export function clipSideSteps(side: 'low' | 'high') {
  return ({ value, own, facts }: Ingredients): readonly Step[] => {
    const bound = facts.ratioBand?.[side];
    const sign = side === 'low' ? 'ρ < 1 − clipLow' : 'ρ > 1 + clipHigh';
    const sentence =
      bound === undefined ? null : `Here ${sign} means ${sign.slice(0, 3)} ${formatNumber(bound)}.`;
    if (own.clipFraction === 0) return [sentence, 'No token was clipped in this iteration.'];
    const share = quotient(value, own.clipFraction, {
      symbols: `${side}/(low + high)`,
      says: 'its share of the clipped tokens',
    });
    return [sentence, share];
  };
}

export function sampleSizeSteps({ value, own }: Ingredients): readonly Step[] {
  return [
    withAll([value, own.numTurns], ([share, turns]) => ({
      symbols: 'share × turns',
      numbers: `${formatNumber(share)} × ${formatNumber(turns)}`,
      result: share * turns,
      gives: 'derived',
      says: 'so many turns’ worth of tokens count',
    })),
  ];
}

export function learningRateSteps({ iteration, facts }: Ingredients): readonly Step[] {
  return [
    withAll([facts.learningRate, facts.learningRateShareAt(iteration)], ([full, share]) => ({
      symbols: 'full rate × share of the schedule',
      numbers: `${formatNumber(full)} × ${formatNumber(share)}`,
      result: full * share,
      gives: 'value',
      says: '',
    })),
  ];
}
