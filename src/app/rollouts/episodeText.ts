import { formatNumber } from '../../metrics/format';
import type { Transcript, TranscriptTurn } from '../../protocol/trainerApi';

/** Episodes, turns and tokens in words and tints. */

/** With its sign, so that a column says at a glance which way a step was pushed: +0.71, −0.71, 0. */
export function formatSigned(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

/** From here on a token has the full tint: probability 5 %. Unit: nats. */
export const fullTintNats = -3;

/** 0 (certain) … 1 (3 nats or more of surprise): how strongly a token is tinted. */
export function tintShare(logprob: number): number {
  return Number.isNaN(logprob) ? 0 : Math.min(1, Math.max(0, logprob / fullTintNats));
}

/** What a token cost its writer: its log-probability, and the same as a probability. */
export function logprobText(logprob: number): string {
  return `log-probability ${formatNumber(logprob)} nats, probability ${formatNumber(Math.exp(logprob))}`;
}

export function outcomeText({ isSolved }: Pick<Transcript, 'isSolved'>): string {
  return isSolved ? 'solved' : 'failed';
}

/** One line that tells an episode from all others of the run. */
export function episodeTitle({ arm, seed, iteration, task, rollout }: Transcript): string {
  return `${arm}, seed ${seed}, iteration ${iteration}, task ${task}, rollout ${rollout}`;
}

/** What a turn was, as a screen reader says it at every step. `place`: 0-based among `numTurns`. */
export function turnSentence(turn: TranscriptTurn, place: number, numTurns: number): string {
  const numbers = `reward ${formatSigned(turn.reward)}, advantage ${formatSigned(turn.advantage)}`;
  const action = turn.actionTokens.join(' ');
  return `Turn ${place + 1} of ${numTurns}: ${turn.agent} writes ${action}; ${numbers}.`;
}

/** `3 newer iterations`. */
export function newerText(numNewer: number): string {
  return numNewer === 1 ? '1 newer iteration' : `${numNewer} newer iterations`;
}
