import type { EstimatorSpec } from '../../config/experimentSpec';
import { formatNumber, formatTick } from '../../metrics/format';
import type { GroupRecord } from '../../protocol/trainerApi';
import type { GroupView } from './groupView';
import { keptIterations, nearestIteration } from './keptGroups';
import { comparesGroups, type Conventions } from './normalizers';

/** What the microscope says in words. */

/** Which group: what a notebook cell stores. */
export interface MicroscopeChoice {
  readonly arm: string;
  readonly seed: number;
  readonly iteration: number;
  /** Number of the task among those of the iteration, from 0. */
  readonly taskGroup: number;
}

/** Why nothing is on show, and what is nearest to it. */
export interface Missing {
  readonly text: string;
  /** A choice that can be shown instead; null without any. */
  readonly instead: MicroscopeChoice | null;
}

/** `groups`: oldest first. For a choice whose record, or whose task in it, is not kept. */
export function missingGroup(groups: readonly GroupRecord[], choice: MicroscopeChoice): Missing {
  const { arm, seed, iteration } = choice;
  const kept = keptIterations(groups, choice);
  const nearest = nearestIteration(kept, iteration);
  if (nearest === null) {
    const newest = groups.at(-1);
    return {
      text: `Nothing of arm ${arm}, seed ${seed} is kept: it has not run, or it was left out when iterations sent more than they may.`,
      instead: newest
        ? { ...choice, arm: newest.arm, seed: newest.seed, iteration: newest.iteration }
        : null,
    };
  }
  if (nearest === iteration)
    return {
      text: `Iteration ${iteration} of arm ${arm}, seed ${seed} has no step of task ${choice.taskGroup}.`,
      instead: { ...choice, taskGroup: 0 },
    };
  const latest = kept.at(-1)!;
  const reason =
    iteration > latest
      ? `the newest one of this arm and seed is ${latest}`
      : 'the page keeps the last 20, every 10th before them, and those in which an agent spiked';
  return {
    text: `Iteration ${iteration} is not kept: ${reason}.`,
    instead: { ...choice, iteration: nearest },
  };
}

/** What the button that leads there says. */
export function insteadText({ arm, seed, iteration, taskGroup }: MicroscopeChoice): string {
  return `Show ${arm}, seed ${seed}, iteration ${iteration}, task ${taskGroup}`;
}

/** The conventions that the columns follow, and whose they are. */
export function conventionsText(conventions: Conventions, estimator: EstimatorSpec): string {
  const { ddof, epsilon, minStd, singleton } = conventions;
  const parts = [
    ddof === 1 ? 'Sample std (n − 1)' : 'Population std (n)',
    `ε = ${formatTick(epsilon)}`,
    `a std below ${formatTick(minStd)} gives 0`,
    singleton === 'zero' ? 'a group of one gets 0' : 'a group of one keeps its raw score',
  ];
  return `${parts.join(', ')}: ${ownerOf(estimator)}.`;
}

function ownerOf(estimator: EstimatorSpec): string {
  if ('singleton' in estimator) return 'as the arm sets them';
  return 'ddof' in estimator
    ? 'as the arm sets them, the last one by default'
    : 'defaults, since the arm’s estimator has none of its own';
}

function equalText(view: GroupView): string | null {
  const scores = new Set(view.steps.map(({ score }) => score));
  const [score] = scores;
  if (scores.size > 1 || score === undefined || view.rollouts.length === 1) return null;
  return `All scores of this group equal ${formatNumber(score)}: nothing tells its steps apart, and no normalizer here gives them anything to learn from.`;
}

function aloneText({ rollouts, conventions }: GroupView): string | null {
  if (rollouts.length > 1) return null;
  const given =
    conventions.singleton === 'raw'
      ? 'a statistic over one sample leaves the raw score'
      : 'a statistic over one sample leaves 0';
  return `One rollout only: there is no other to compare it with, so ${given}.`;
}

function absentText({ agents }: GroupView): string | null {
  const absent = agents.filter(({ numSamples }) => numSamples === 0).map(({ agent }) => agent);
  if (absent.length === 0) return null;
  return `No step of ${absent.join(', ')} in this group: there is nothing to normalize.`;
}

/** What is particular about a group, one sentence each. */
export function notesOn(view: GroupView, estimator: EstimatorSpec): string[] {
  const ungrouped = comparesGroups(estimator)
    ? null
    : `The arm’s estimator (${estimator.kind}) compares with no group: the advantages in use do not come from these statistics. The other columns show what normalizers would have given on the same scores.`;
  return [ungrouped, aloneText(view), equalText(view), absentText(view)].filter(
    (note) => note !== null,
  );
}

/** Scores of an agent in one rollout: `1`, `1 ×3` for equal ones, `1, 0.99`. */
export function scoresText(scores: readonly number[]): string {
  const [first] = scores;
  if (first === undefined) return '–';
  const isEqual = scores.every((score) => score === first);
  if (isEqual)
    return scores.length === 1 ? formatNumber(first) : `${formatNumber(first)} ×${scores.length}`;
  return scores.map(formatNumber).join(', ');
}

/** A number that may not be defined. */
export function definedText(value: number): string {
  return Number.isNaN(value) ? '–' : formatNumber(value);
}
