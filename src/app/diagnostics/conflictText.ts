import { median } from '../../metrics/median';
import { formatNumber } from '../../metrics/format';
import type { GradientConflict, GradientPair } from '../../protocol/trainerApi';

/** What the matrices of gradient conflict say, in words. Pure. */

/** What the page knows. */
export interface ConflictView {
  /** Of the latest iteration; see `RunState.gradientPairs`. */
  readonly pairs: readonly GradientPair[];
  /** In the order of the experiment. */
  readonly arms: readonly string[];
  /** In the order of the world. */
  readonly agents: readonly string[];
  /** The run's setting `diagnostics.gradientConflict`. */
  readonly isOn: boolean;
  /** Last finished iteration of the run; 0 before the first. */
  readonly iteration: number;
}

/** `conflict` in all seeds, in some, in none and as close as chance allows, or closer; `unknown`: not compared with chance. */
type ConflictTone = 'conflict' | 'mixed' | 'within' | 'aligned' | 'unknown';

/** One pair of agents of one arm, over its seeds. */
export interface ConflictCell {
  /** Median over seeds; with one seed, its own. */
  readonly cosine: string;
  /** `null from 0.62, median 0.81`; empty where chance was not measured. */
  readonly band: string;
  readonly tone: ConflictTone;
  readonly word: string;
}

/** One arm's agents that share a policy with another. */
export interface ConflictMatrix {
  readonly arm: string;
  readonly caption: string;
  readonly agents: readonly string[];
  /** [agents][agents] null on the diagonal, and where two share no policy or have not learned. */
  readonly cells: readonly (readonly (ConflictCell | null)[])[];
}

function wordOf(conflicts: readonly GradientConflict[]): Pick<ConflictCell, 'tone' | 'word'> {
  const count = conflicts.filter(({ isConflict }) => isConflict).length;
  if (conflicts.length === 0) return { tone: 'unknown', word: 'not compared with chance' };
  if (count === conflicts.length) return { tone: 'conflict', word: 'conflict' };
  if (count > 0)
    return { tone: 'mixed', word: `conflict in ${count} of ${conflicts.length} seeds` };
  return median(conflicts.map(({ cosine, nullMedian }) => cosine - nullMedian)) >= 0
    ? { tone: 'aligned', word: 'aligned' }
    : { tone: 'within', word: 'within the null band' };
}

function cellOf(pairs: readonly GradientPair[]): ConflictCell | null {
  const conflicts = pairs.flatMap(({ conflict }) => conflict ?? []);
  const cosines =
    conflicts.length > 0
      ? conflicts.map(({ cosine }) => cosine)
      : pairs.flatMap(({ updateCosine }) => updateCosine ?? []);
  if (cosines.length === 0) return null;
  const middle = (of: (conflict: GradientConflict) => number): string =>
    formatNumber(median(conflicts.map(of)));
  const band =
    conflicts.length === 0
      ? ''
      : `null from ${middle(({ nullLow }) => nullLow)}, median ${middle(({ nullMedian }) => nullMedian)}`;
  return { cosine: formatNumber(median(cosines)), band, ...wordOf(conflicts) };
}

/** `iteration 40`, `iterations 30 to 40`, where they are known. */
function measuredAt(pairs: readonly GradientPair[]): string {
  const iterations = pairs.flatMap(({ conflict }) => conflict?.iteration ?? []);
  if (iterations.length === 0) return 'the latest update';
  const [first, last] = [Math.min(...iterations), Math.max(...iterations)];
  return first === last ? `iteration ${last}` : `iterations ${first} to ${last}`;
}

function captionOf(arm: string, pairs: readonly GradientPair[]): string {
  const numSeeds = new Set(pairs.map(({ seed }) => seed)).size;
  const seeds = numSeeds === 1 ? 'one seed' : `median of ${numSeeds} seeds`;
  return `${arm}: cosines of ${measuredAt(pairs)}, ${seeds}`;
}

/** The arms that have pairs, in the order of the experiment. */
export function conflictMatrices({
  pairs,
  arms,
  agents,
}: Pick<ConflictView, 'pairs' | 'arms' | 'agents'>): ConflictMatrix[] {
  return arms.flatMap((arm) => {
    const own = pairs.filter((pair) => pair.arm === arm);
    if (own.length === 0) return [];
    const involved = agents.filter((agent) => own.some(({ a, b }) => a === agent || b === agent));
    const cells = involved.map((row) =>
      involved.map((column) =>
        cellOf(
          own.filter(({ a, b }) => (a === row && b === column) || (a === column && b === row)),
        ),
      ),
    );
    return [{ arm, caption: captionOf(arm, own), agents: involved, cells }];
  });
}

const howToRead =
  'A cosine of two agents’ gradients under the weights they share: 1 pulls the same way, −1 against each other. Few turns make noisy gradients, so each is compared with chance: the same cosine between random halves of either agent’s own turns (the null). The null begins where its lowest 5 % end: below is conflict; at or above its median, aligned.';

/** The sentence above the matrices, or in their place. */
export function conflictLead({ pairs, isOn, iteration }: ConflictView): string {
  if (pairs.length > 0)
    return isOn
      ? howToRead
      : 'Cosines of the agents’ gradients in the latest update. To compare them with chance, switch on Conflict under Diagnostics and run again.';
  if (iteration === 0)
    return isOn
      ? 'Nothing is measured yet: cosines come with the first iteration.'
      : 'Gradient conflict is off. Switch it on under Diagnostics; where agents share a policy, the angles between their gradients then stand here.';
  return 'No two agents learn in one policy here, so none can pull it apart. Let agents share a policy under Team to compare them.';
}
