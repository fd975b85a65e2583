import type { WorldOptions } from './registry';

/** A scripted episode; `playthroughs.test.ts` keeps what it looks like in `<kind>/transcripts/<name>.txt`. */
export interface Scenario {
  /** File name without `.txt`. */
  readonly name: string;
  readonly title: string;
  readonly options: WorldOptions;
  /** The first task whose opening prompt contains this text. */
  readonly opening: string;
  /** One entry a turn: token names, or `expert`. */
  readonly script: readonly string[];
}

const routed = {
  kind: 'routeSearchAnswer',
  numKeys: 8,
  numValues: 8,
  answerLength: 1,
  searchShare: 0.8,
  maxTurns: 4,
  invalidPenalty: 0.01,
} as const;
const retried = {
  kind: 'solveVerify',
  modulus: 10,
  maxRounds: 2,
  actOnce: false,
  invalidPenalty: 0.1,
} as const;
const planned = {
  kind: 'planExecute',
  numSlots: 3,
  maxSubtasks: 2,
  toolTurns: 3,
  numKeys: 4,
  numValues: 4,
  singleAgent: false,
  invalidPenalty: 0.01,
} as const;

const expert = (numTurns: number): string[] => Array<string>(numTurns).fill('expert');

export const scenarios: readonly Scenario[] = [
  {
    name: 'hardExpert',
    title: 'A hard question, played by the expert',
    options: routed,
    opening: 'HARD KEY_3',
    script: expert(4),
  },
  {
    name: 'easyExpert',
    title: 'An easy question, played by the expert; the last key wraps around',
    options: routed,
    opening: 'EASY KEY_7',
    script: expert(2),
  },
  {
    name: 'easySearched',
    title: 'A search also finds the answer of an easy question',
    options: routed,
    opening: 'EASY KEY_2',
    script: ['SEARCH', 'KEY_2', 'ANSWER', 'VALUE_3'],
  },
  {
    name: 'nullSearch',
    title: 'A wrong query finds nothing and the answer is a guess',
    options: routed,
    opening: 'HARD KEY_5',
    script: ['SEARCH', 'KEY_4', 'ANSWER', 'expert'],
  },
  {
    name: 'lastSearchCounts',
    title: 'Each search replaces the result of the one before',
    options: { ...routed, maxTurns: 8 },
    opening: 'HARD KEY_1',
    script: ['SEARCH', 'KEY_1', 'SEARCH', 'KEY_0', 'SEARCH', 'KEY_1', 'ANSWER', 'expert'],
  },
  {
    name: 'timeOut',
    title: 'Two searches use up the turns',
    options: routed,
    opening: 'HARD KEY_5',
    script: ['SEARCH', 'KEY_4', 'SEARCH', 'KEY_5'],
  },
  {
    name: 'lastTurnIsRouting',
    title: 'With an odd limit the router is asked although no answer can follow',
    options: { ...routed, maxTurns: 3 },
    opening: 'HARD KEY_5',
    script: ['SEARCH', 'KEY_5', 'ANSWER'],
  },
  {
    name: 'invalidRouter',
    title: 'A routing that the world cannot read ends the episode',
    options: routed,
    opening: 'HARD',
    script: ['VALUE_0'],
  },
  {
    name: 'invalidSearch',
    title: 'A query that is no key finds nothing and costs the penalty',
    options: routed,
    opening: 'HARD KEY_3',
    script: ['SEARCH', 'VALUE_3', 'ANSWER', 'expert'],
  },
  {
    name: 'invalidAnswer',
    title: 'An answer with a token that is no value is not right and costs the penalty',
    options: { ...routed, answerLength: 2 },
    opening: 'EASY KEY_2',
    script: ['ANSWER', 'VALUE_3 KEY_4'],
  },
  {
    name: 'longAnswer',
    title: 'Three answer tokens; the search returns as many',
    options: { ...routed, answerLength: 3, searchShare: 1 },
    opening: 'HARD KEY_6',
    script: expert(4),
  },
  {
    name: 'expert',
    title: 'One digit, played by the expert',
    options: retried,
    opening: '7 +',
    script: expert(2),
  },
  {
    name: 'rejectedThenRight',
    title: 'A wrong attempt is sent back; the second one stands without a verifier call',
    options: retried,
    opening: '3 + 4 =',
    script: ['6', 'expert', 'expert'],
  },
  {
    name: 'rightThenSpoiled',
    title: 'A wrong rejection: the last attempt stands, also when the one before was right',
    options: retried,
    opening: '3 + 4 =',
    script: ['7', 'REJECT', '8'],
  },
  {
    name: 'unreadableAttempt',
    title: 'An attempt that is no number is shown as BAD and costs the penalty',
    options: retried,
    opening: '3 + 4 =',
    script: ['ACCEPT', 'expert', 'expert'],
  },
  {
    name: 'unreadableVerdict',
    title: 'A verdict that the world cannot read counts as ACCEPT and costs the penalty',
    options: retried,
    opening: '3 + 4 =',
    script: ['expert', '7'],
  },
  {
    name: 'twoDigits',
    title: 'Modulus 97: two digits with leading zeros, played by the expert',
    options: { ...retried, modulus: 97 },
    opening: '> 0',
    script: expert(2),
  },
  {
    name: 'numberTooLarge',
    title: 'Modulus 97: the numbers 97 to 99 are no results',
    options: { ...retried, modulus: 97, maxRounds: 3 },
    opening: '9',
    script: ['9 7', 'REJECT', '9 6', 'REJECT', '9 9'],
  },
  {
    name: 'onceAccepted',
    title: 'Every agent acts exactly once: right and accepted',
    options: { ...retried, actOnce: true },
    opening: '3 + 4 =',
    script: expert(2),
  },
  {
    name: 'onceRejected',
    title: 'Every agent acts exactly once: a rejected attempt earns nothing',
    options: { ...retried, actOnce: true },
    opening: '3 + 4 =',
    script: ['7', 'REJECT'],
  },
  {
    name: 'twoSubtasks',
    title: 'Two hidden slots, played by the expert: both executors look up, then both report',
    options: planned,
    opening: 'KEY_1 VALUE_2 KEY_3',
    script: expert(6),
  },
  {
    name: 'nothingHidden',
    title: 'Nothing is hidden: the planner makes no sub-call and copies',
    options: planned,
    opening: 'VALUE_1 VALUE_0 VALUE_2',
    script: expert(2),
  },
  {
    name: 'unequalCalls',
    title: 'One executor guesses at once, the other looks up twice before it reports',
    options: planned,
    opening: 'KEY_1 VALUE_2 KEY_3',
    script: ['KEY_1 SKIP KEY_3', 'VALUE_0', 'KEY_2', 'expert', 'expert', 'expert'],
  },
  {
    name: 'failedCalls',
    title: 'An unreadable tool turn and one without a report in time both bring back NULL',
    options: planned,
    opening: 'KEY_3 KEY_0 VALUE_1',
    script: ['KEY_3 KEY_0 SKIP', 'PLAN', 'KEY_0', 'KEY_0', 'KEY_0', 'expert'],
  },
  {
    name: 'wrongQuestion',
    title: 'A right report on the wrong question satisfies the oracle, not the task',
    options: planned,
    opening: 'KEY_1 VALUE_3 VALUE_2',
    script: ['KEY_2 SKIP SKIP', 'expert', 'expert', 'expert'],
  },
  {
    name: 'tooManyCalls',
    title: 'A plan with more sub-calls than allowed is a format error',
    options: planned,
    opening: 'KEY_1 VALUE_2 KEY_3',
    script: ['KEY_1 KEY_1 KEY_3'],
  },
  {
    name: 'unreadablePlan',
    title: 'A plan with a token that is neither key nor SKIP is a format error',
    options: planned,
    opening: 'KEY_2',
    script: ['ANSWER SKIP SKIP'],
  },
  {
    name: 'unreadableAnswer',
    title: 'An answer with a key in it earns the planner nothing and the executor its report',
    options: planned,
    opening: 'KEY_0 VALUE_2 VALUE_1',
    script: ['KEY_0 SKIP SKIP', 'expert', 'expert', 'KEY_0 VALUE_2 VALUE_1'],
  },
  {
    name: 'singleAgent',
    title: 'The planner does the tool turns itself, one sub-task after the other',
    options: { ...planned, singleAgent: true },
    opening: 'KEY_1 VALUE_2 KEY_3',
    script: expert(6),
  },
  {
    name: 'singleAgentUnreadable',
    title: 'An unreadable tool turn of a single agent ends the episode',
    options: { ...planned, singleAgent: true },
    opening: 'KEY_1 VALUE_2 KEY_3',
    script: ['KEY_1 SKIP KEY_3', 'KEY_1', 'SKIP'],
  },
];
