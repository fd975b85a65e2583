import { formatNumber } from '../../metrics/format';
import type { GroupShare, SpikeCause } from './spikeCause';
import type { Spike } from './spikeList';

/** Spikes in words. */

/** How far it stands out; null is told as what it means. */
export function zText({ zScore }: Pick<Spike, 'zScore'>): string {
  return zScore === null ? '–' : formatNumber(zScore);
}

/** `×12.3`: the norm over the median before it. A dash where there is no such median. */
export function factorText({ norm, medianBefore }: Spike): string {
  const factor = norm / medianBefore;
  return Number.isFinite(factor) ? `×${formatNumber(factor)}` : '–';
}

export function spikeTitle({ agent, iteration, arm, seed }: Spike): string {
  return `${agent}, iteration ${iteration}, ${arm}, seed ${seed}`;
}

/** The numbers of a spike in one sentence. */
export function spikeSentence(spike: Spike): string {
  const { norm, medianBefore, zScore } = spike;
  if (!Number.isFinite(norm))
    return `The gradient norm is ${formatNumber(norm)}: not a finite number, which counts as a spike.`;
  const z = zScore === null ? '' : `, robust z-score of its logarithm ${formatNumber(zScore)}`;
  return `Gradient norm ${formatNumber(norm)}, ${factorText(spike)} the median ${formatNumber(medianBefore)} of the norms before it${z}.`;
}

/** `62.3 %` of 0..1. */
export function percentText(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** What the page lacks of the batch; null where its steps are there. */
export function missingBatch(
  { record, groups, episodes }: SpikeCause,
  spike: Spike,
): string | null {
  const { iteration, arm, seed, agent } = spike;
  if (record === null) {
    const rest =
      episodes.length === 0
        ? 'No episode of it is kept either.'
        : `${episodes.length} of its episodes are kept; which of them made the spike cannot be told.`;
    return `The steps of iteration ${iteration} (${arm}, seed ${seed}) are not kept: the run sent none for this replica, or the page has let them go to stay within its bounds. ${rest}`;
  }
  return groups.length === 0
    ? `The update of iteration ${iteration} learned from no step of ${agent}: its norm comes from other terms of the loss, or its policy from other agents.`
    : null;
}

/** What the page lacks of a group's episodes; null where all are there. */
export function missingEpisodes({ id, episodes, numRollouts }: GroupShare): string | null {
  if (episodes.length === numRollouts) return null;
  if (episodes.length === 0)
    return `No episode of task ${id} is kept: of ${numRollouts} rollouts none was told, or the page has let them go. Their scores and advantages are above.`;
  return `Kept as episodes: ${episodes.length} of the ${numRollouts} rollouts of task ${id}, the one with the largest share first. Scores and advantages of all are above.`;
}
