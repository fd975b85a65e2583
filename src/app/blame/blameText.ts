import type { DiagnosticsSpec } from '../../config/experimentSpec';
import type { EpisodeBlame, Transcript } from '../../protocol/trainerApi';
import { percentText } from '../spikes/spikeText';
import type { BlameLink, MeanBlame } from './blameLayout';

/** Blame in words. Pure. */

const methodNames = { gradNorm: 'gradient norms', occlusion: 'occlusion' } as const;

/** What is drawn, and what it is not. */
export function blameCaption({ method }: EpisodeBlame): string {
  return `Blame of the failure by ${methodNames[method]}: it starts at the last turn; a turn keeps what it would not have written again, and hands the rest to the messages that it read, by their influence. Lines are as thick as the influence, and what was read is tinted by it. A turn that is wrong and sure of it passes its blame on.`;
}

/** `turn 2 (search)`. */
function turnName({ turns }: Pick<Transcript, 'turns'>, place: number): string {
  return `turn ${place + 1} (${turns[place]?.agent ?? '?'})`;
}

export function linkText(episode: Pick<Transcript, 'turns'>, link: BlameLink): string {
  const { from, to, influence, handedOn } = link;
  return `What ${turnName(episode, from)} wrote has ${percentText(influence)} of the influence on ${turnName(episode, to)}, which hands ${percentText(handedOn)} of the blame to it.`;
}

/** What a turn read of others, for a table; `links`: its own. */
export function readText(episode: Pick<Transcript, 'turns'>, links: readonly BlameLink[]): string {
  if (links.length === 0) return 'no message';
  return links
    .map(({ from, influence }) => `${turnName(episode, from)} ${percentText(influence)}`)
    .join(', ');
}

/** One token of a prompt: `from turn 2 (search), 40.0 % of the influence`. */
export function promptTokenText(
  episode: Pick<Transcript, 'turns'>,
  origin: number,
  influence: number,
): string {
  const source = origin < 0 ? 'of the task' : `from ${turnName(episode, origin)}`;
  return `${source}, ${percentText(influence)} of the influence on what was written`;
}

/** `Mean blame of 7 episodes of iteration 40, Dr. MAS: router 12.0 %, search 60.0 %, answer 28.0 %`. */
export function meanText(
  { numEpisodes, shares }: MeanBlame,
  { iteration, arm }: Pick<Transcript, 'iteration' | 'arm'>,
): string {
  const episodes = numEpisodes === 1 ? '1 blamed episode' : `${numEpisodes} blamed episodes`;
  const agents = shares.map(({ agent, share }) => `${agent} ${percentText(share)}`).join(', ');
  return `Mean over ${episodes} of iteration ${iteration}, ${arm}: ${agents}`;
}

/** Why an episode has no blame; null where there is no failure to trace. */
export function missingText(
  { isSolved }: Pick<Transcript, 'isSolved'>,
  { blame }: DiagnosticsSpec,
): string | null {
  if (isSolved) return null;
  return blame === 'off'
    ? 'Whom the failure can be traced to is not measured: switch on Blame under Diagnostics and run again.'
    : 'Blame was not measured here: it is of whole episodes of the plain sample, in the iterations that are measured.';
}
