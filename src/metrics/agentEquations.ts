import type { agentMetrics } from './agentMetrics';
import { countOf, difference, quotient, whole, withAll, type Step } from './equation';
import { formatNumber } from './format';
import {
  clipFractionSteps,
  clipSideSteps,
  entropySteps,
  gradCosineSteps,
  gradNormMaxSteps,
  gradNormSteps,
  learningRateSteps,
  refKlSteps,
  sampleSizeSteps,
  typicalChange,
  updateSkippedSteps,
} from './gradientEquations';
import type { Ingredients } from './ingredients';
import { measuredEquations } from './measuredEquations';

/** Every metric of an agent with this moment's numbers put in; empty where its parts are not logged. */

function secondMomentSteps({ own, team, facts }: Ingredients): readonly Step[] {
  const { groupSize: size, grpoDdof } = facts;
  const isExact = grpoDdof !== null && team.nonFiniteRewards === 0;
  const parts = [isExact ? own.advSecondMomentPredicted : undefined] as const;
  return [
    withAll(parts, ([predicted]) =>
      grpoDdof === 0
        ? {
            symbols: 'as predicted',
            numbers: formatNumber(predicted),
            result: predicted,
            gives: 'derived',
            says: 'but for ε beside σ',
          }
        : {
            symbols: 'predicted × (G − 1)/G',
            numbers: `${formatNumber(predicted)} × ${size - 1}/${size}`,
            result: (predicted * (size - 1)) / size,
            gives: 'derived',
            says: 'by the sample variance (n − 1), but for ε beside σ',
          },
    ),
    isExact
      ? null
      : quotient(own.advSecondMoment, own.advSecondMomentPredicted, {
          symbols: 'measured/predicted',
          says: 'what this estimator leaves of global normalization’s',
        }),
  ];
}

/** How near the factor is to Samuelson's bound. */
function boundSteps({ value, facts }: Ingredients): readonly Step[] {
  if (!facts.hasSharedReward) return [];
  const bound = facts.groupSize - 1;
  return [
    `Bound: group size − 1 = ${facts.groupSize} − 1 = ${bound}.`,
    bound === 0
      ? null
      : withAll([value], ([factor]) => ({
          symbols: 'factor/bound',
          numbers: `${formatNumber(factor)}/${bound}`,
          result: factor / bound,
          gives: 'derived',
          says: 'share of the worst case',
        })),
  ];
}

function percentileSteps({ own, facts }: Ingredients): readonly Step[] {
  const turns = own.numTurns;
  if (!facts.isEachTurnOnce || turns === undefined) return [];
  const place = Math.ceil(0.99 * turns);
  if (place === turns)
    return [
      withAll([own.advAbsMax], ([largest]) => ({
        symbols: `the largest of fewer than 100 steps`,
        numbers: formatNumber(largest),
        result: largest,
        gives: 'value',
        says: '',
      })),
    ];
  return [`The ${whole(place)}th smallest of ${whole(turns)}; ${turns - place} lie above it.`];
}

function largestAdvantageSteps({ value, facts }: Ingredients): readonly Step[] {
  const { groupSize: size, grpoDdof } = facts;
  if (grpoDdof === null || size < 2) return [];
  const [text, bound] =
    grpoDdof === 1
      ? [`(n − 1)/√n = ${size - 1}/√${size}`, (size - 1) / Math.sqrt(size)]
      : [`√(n − 1) = √${size - 1}`, Math.sqrt(size - 1)];
  return [
    `Bound for n = ${size}: ${text} = ${formatNumber(bound)}.`,
    quotient(value, bound, {
      symbols: 'largest/bound',
      says: 'share of what one success among n gets',
    }),
  ];
}

function rewardMeanSteps({ value, own }: Ingredients): readonly Step[] {
  return [
    withAll([value, own.numTurns], ([mean, turns]) => ({
      symbols: 'μₖ × turns',
      numbers: `${formatNumber(mean)} × ${whole(turns)}`,
      result: mean * turns,
      gives: 'derived',
      says: 'all its steps together',
    })),
  ];
}

function turnsSteps({ value, agents, facts }: Ingredients): readonly Step[] {
  const all = agents.reduce((sum, { numTurns = NaN }) => sum + numTurns, 0);
  return [
    withAll(
      [value, facts.hasWholeEpisodes ? facts.numTrajectories : null],
      ([turns, episodes]) => ({
        symbols: 'turns/(P·G)',
        numbers: `${whole(turns)}/${whole(episodes)}`,
        result: turns / episodes,
        gives: 'derived',
        says: 'per episode',
      }),
    ),
    withAll([value, agents.length > 1 ? all : null], ([turns, total]) => ({
      symbols: 'turns/turns of all',
      numbers: `${whole(turns)}/${whole(total)}`,
      result: turns / total,
      gives: 'derived',
      says: 'its share of the team’s',
    })),
  ];
}

/** Counts of turns instead of shares: they are whole, so the sum is exact. */
function passSteps({ own }: Ingredients): readonly Step[] {
  const { numTurns, unreadableRate, wrongCallRate, wrongContentRate } = own;
  return [
    withAll(
      [numTurns, unreadableRate, wrongCallRate, wrongContentRate],
      ([turns, ...failureRates]) => {
        const failures = failureRates.map((rate) => Math.round(rate * turns));
        return {
          symbols: '(turns − unreadable − wrong call − wrong content)/turns',
          numbers: `(${[turns, ...failures].map(whole).join(' − ')})/${whole(turns)}`,
          result: failures.reduce((rest, count) => rest - count, turns) / turns,
          gives: 'value',
          says: '',
        };
      },
    ),
  ];
}

/** A share of the agent's turns as counts. */
function ofTurns(counted: string) {
  return ({ value, own }: Ingredients): readonly Step[] => [
    countOf(value, own.numTurns, `${counted}/turns`),
  ];
}

/** The agent is in as many groups as there are tasks, at most. */
function groupSteps({ facts }: Ingredients): readonly Step[] {
  return [`Of at most ${facts.tasksPerIteration} tasks × the groups each is split into.`];
}

function failureScaleSteps({ facts: { tagScaleBounds } }: Ingredients): readonly Step[] {
  if (tagScaleBounds === null) return [];
  const { min, max } = tagScaleBounds;
  return [`Bounds: ${formatNumber(min)} to ${formatNumber(max)}.`];
}

function baselineSteps({ own, value }: Ingredients): readonly Step[] {
  return [
    difference(own.rewardMean, value, {
      symbols: 'μₖ − b',
      says: 'how far the iteration’s mean reward lies from it',
    }),
  ];
}

function collapseSteps({ own }: Ingredients): readonly Step[] {
  const { validActionRate, approxKl, gradNorm } = own;
  const signs = [
    ['valid actions', validActionRate],
    ['KL', approxKl],
    ['norm', gradNorm],
  ] as const;
  const known = signs.flatMap(([name, sign]) =>
    sign === undefined ? [] : [`${name} ${formatNumber(sign)}`],
  );
  return known.length === 0 ? [] : [`The three signs now: ${known.join(', ')}.`];
}

/** A mean over tasks of a ratio: its parts are not logged task by task, and the ratio of the means is not it. */
const noSteps = (): readonly Step[] => [];

export const agentEquations = {
  gradNorm: gradNormSteps,
  gradNormMax: gradNormMaxSteps,
  gradCosine: gradCosineSteps,
  updateSkipped: updateSkippedSteps,
  policyLoss: noSteps,
  entropy: entropySteps,
  approxKl: typicalChange('a token’s change of log π'),
  clipFraction: clipFractionSteps,
  clipFractionLow: clipSideSteps('low'),
  clipFractionHigh: clipSideSteps('high'),
  refKl: refKlSteps,
  samplerMismatch: typicalChange('the difference of log-probabilities'),
  effectiveSampleSize: sampleSizeSteps,
  advSecondMoment: secondMomentSteps,
  advSecondMomentPredicted: boundSteps,
  advInflationMax: boundSteps,
  meanGap: noSteps,
  varianceRatio: noSteps,
  advAbsP99: percentileSteps,
  advAbsMax: largestAdvantageSteps,
  rewardMean: rewardMeanSteps,
  rewardStd: noSteps,
  zeroStdGroupFraction: groupSteps,
  singletonFraction: groupSteps,
  numTurns: turnsSteps,
  validActionRate: ofTurns('valid'),
  passRate: passSteps,
  unreadableRate: ofTurns('unreadable'),
  wrongCallRate: ofTurns('wrong call'),
  wrongContentRate: ofTurns('wrong content'),
  failureScale: failureScaleSteps,
  roleBaseline: baselineSteps,
  collapsed: collapseSteps,
  learningRate: learningRateSteps,
  ...measuredEquations,
} satisfies Record<keyof typeof agentMetrics, (given: Ingredients) => readonly Step[]>;
