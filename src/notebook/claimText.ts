import { formatNumber } from '../metrics/format';
import type { ClaimStatement } from './claimCell';
import { relationSigns } from './claimVerdict';
import { quantityText } from './referenceText';

/**
 * `success of agentWise, last, ≥ success of global, last, in at least 4 of 5 seeds`
 * @param numSeeds of the run; 0 while there is none
 */
export function statementText(statement: ClaimStatement, numSeeds: number): string {
  const { left, relation, right, inAtLeast } = statement;
  const other = right.kind === 'constant' ? formatNumber(right.value) : quantityText(right);
  const sides = `${quantityText(left)}, ${relationSigns[relation]} ${other}`;
  return `${sides}, ${seedsText(inAtLeast, numSeeds)}`;
}

function seedsText(inAtLeast: number | undefined, numSeeds: number): string {
  if (inAtLeast === undefined) return 'over all seeds';
  const of = numSeeds === 0 ? '' : ` of ${numSeeds}`;
  return `in at least ${inAtLeast}${of} ${inAtLeast === 1 && numSeeds < 2 ? 'seed' : 'seeds'}`;
}
