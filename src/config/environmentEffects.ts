import { turnLimitOf } from './compatibility';
import {
  byOption,
  numberAt,
  numberOf,
  trajectoriesOf,
  whether,
  type Effect,
  type Given,
} from './effectGiven';
import { counted, effectNumber } from './effectNumber';
import type { environmentFields } from './environmentFields';
import type { EnvironmentSpec } from './experimentSpec';

/** What the settings of the worlds mean in numbers. */

const team: Effect = ({ spec, world }) => {
  const agents = Object.keys(spec.agents);
  return `${counted(agents.length, 'agent')} (${agents.join(', ')}); at most ${counted(turnLimitOf(spec.environment), 'turn')} an episode; prompts of up to ${counted(world.maxPromptTokens, 'token')}, actions of up to ${world.maxActionTokens}; a vocabulary of ${counted(world.vocabularySize, 'token')}.`;
};

const vocabulary = ({ world }: Given): string =>
  `The vocabulary has ${counted(world.vocabularySize, 'token')}.`;

const turnLimit: Effect = ({ spec }) => {
  const limit = turnLimitOf(spec.environment);
  return `An episode ends after ${counted(limit, 'turn')} at the latest, an iteration after at most ${effectNumber(trajectoriesOf(spec))} × ${limit} = ${counted(trajectoriesOf(spec) * limit, 'turn')}.`;
};

/** Tokens of an answer: of the world that has a length of its own, else one for each slot. */
function answerLengthOf({ spec }: Given): number {
  return numberAt(spec, 'environment.answerLength') ?? numberAt(spec, 'environment.numSlots') ?? 1;
}

function guess(given: Given, numValues: number): string {
  const length = answerLengthOf(given);
  const answers = numValues ** length;
  return `${numValues}^${length} = ${counted(answers, 'answer')}: one drawn at random is right with probability ${effectNumber(1 / answers)}.`;
}

export const environmentEffects = {
  'environment.kind': byOption<EnvironmentSpec['kind']>({
    routeSearchAnswer: team,
    solveVerify: team,
    planExecute: team,
  }),
  'environment.numKeys': (given) =>
    `A key named at random is the right one with probability 1/${numberOf(given)} = ${effectNumber(1 / numberOf(given))}. ${vocabulary(given)}`,
  'environment.numValues': (given) => guess(given, numberOf(given)),
  'environment.answerLength': (given) =>
    guess(given, numberAt(given.spec, 'environment.numValues') ?? 1),
  'environment.searchShare': (given) => {
    const { tasksPerIteration } = given.spec.groups;
    return `Of ${counted(tasksPerIteration, 'task')} an iteration ${effectNumber(numberOf(given) * tasksPerIteration)} on average hide their answer until a search.`;
  },
  'environment.maxTurns': turnLimit,
  'environment.invalidPenalty': (given) => {
    const limit = turnLimitOf(given.spec.environment);
    const worst = limit * numberOf(given);
    return numberOf(given) === 0
      ? 'An unreadable action costs nothing by itself.'
      : `An episode whose ${counted(limit, 'turn')} are all unreadable loses ${limit} × ${effectNumber(numberOf(given))} = ${effectNumber(worst)} in all; a solved one earns 1.`;
  },
  'environment.numSlots': (given) =>
    guess(given, numberAt(given.spec, 'environment.numValues') ?? 1),
  'environment.maxSubtasks': turnLimit,
  'environment.toolTurns': turnLimit,
  'environment.singleAgent': whether(
    ({ spec }) =>
      `${Object.keys(spec.agents)[0] ?? 'The first agent'} writes all turns, up to ${turnLimitOf(spec.environment)} an episode.`,
    ({ spec }) => `All ${counted(Object.keys(spec.agents).length, 'agent')} act.`,
  ),
  'environment.modulus': (given) => {
    const modulus = numberOf(given);
    return `${modulus} × ${modulus} = ${counted(modulus ** 2, 'question')}; a result named at random is right with probability ${effectNumber(1 / modulus)}.`;
  },
  'environment.maxRounds': ({ spec, value }) =>
    spec.environment.kind === 'solveVerify' && spec.environment.actOnce
      ? 'Not in use: every agent acts exactly once.'
      : `At most ${counted(numberOf({ value }), 'turn')} of the solver and ${numberOf({ value }) - 1} of the verifier: ${turnLimitOf(spec.environment)} an episode.`,
  'environment.actOnce': whether(
    () => 'Every episode has 2 turns, one of each agent.',
    ({ spec }) => `An episode has at most ${counted(turnLimitOf(spec.environment), 'turn')}.`,
  ),
} satisfies Record<keyof typeof environmentFields, Effect>;
