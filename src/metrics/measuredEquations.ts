import { difference, quotient, withAll, type Step } from './equation';
import { formatNumber } from './format';
import { gradCosineSteps } from './gradientEquations';
import type { gradientMetrics } from './gradientMetrics';
import type { Ingredients } from './ingredients';

/** What the diagnostics measure on top, with this moment's numbers put in. */

function inUseSteps({ own, facts }: Ingredients): readonly Step[] {
  return [
    withAll([facts.numOptimizerSteps === 1 ? own.gradNorm : undefined], ([norm]) => ({
      symbols: 'the gradient norm, as there is one optimizer step',
      numbers: formatNumber(norm),
      result: norm,
      gives: 'value',
      says: '',
    })),
  ];
}

/** How much longer than with the agent's own statistics. */
function againstAgentWise({ value, own }: Ingredients): readonly Step[] {
  return [
    quotient(value, own.gradNormAgentWise, {
      symbols: 'this norm/agent-wise norm',
      says: 'times as long on the same rollouts',
    }),
  ];
}

function agentWiseSteps({ value, own }: Ingredients): readonly Step[] {
  return [
    quotient(value, own.gradNormInUse, {
      symbols: 'this norm/norm in use',
      says: 'what Dr. MAS would make of the length',
    }),
  ];
}

function aboveNull(cosine: number | undefined, low: number | undefined): Step {
  return difference(cosine, low, {
    symbols: 'cosine − low end of the null',
    says: 'below 0 is conflict',
  });
}

const agentsAboveNull = ({ own }: Ingredients): Step =>
  aboveNull(own.conflictMin, own.conflictNullLow);
const spansAboveNull = ({ own }: Ingredients): Step =>
  aboveNull(own.spanConflict, own.spanConflictNullLow);

export const measuredEquations = {
  gradNormInUse: inUseSteps,
  gradNormGlobal: againstAgentWise,
  gradNormGlobalStep: againstAgentWise,
  gradNormAgentWise: agentWiseSteps,
  gradNormCentered: againstAgentWise,
  conflictMin: (given) => [...gradCosineSteps(given), agentsAboveNull(given)],
  conflictNullLow: (given) => [agentsAboveNull(given)],
  spanConflict: (given) => [...gradCosineSteps(given), spansAboveNull(given)],
  spanConflictNullLow: (given) => [spansAboveNull(given)],
  gradGini: (): readonly Step[] => [],
} satisfies Record<keyof typeof gradientMetrics, (given: Ingredients) => readonly Step[]>;
