import type { Transcript, TranscriptTurn } from '../../../protocol/trainerApi';

/** Episodes by hand, for tests. */

export function madeUpTurn(changes: Partial<TranscriptTurn> = {}): TranscriptTurn {
  return {
    agent: 'solver',
    turnIndex: 0,
    invocation: null,
    promptTokens: ['ASK'],
    actionTokens: ['TELL'],
    rolloutLogprobs: [-0.5],
    isValid: true,
    penalty: 0,
    reward: 0,
    advantage: 0,
    isLearned: true,
    ...changes,
  };
}

/** `isSolved` follows from the reward. */
export function madeUpTranscript(changes: Partial<Transcript> = {}): Transcript {
  const teamReward = changes.teamReward ?? 0;
  return {
    arm: 'global',
    seed: 0,
    iteration: 1,
    task: 0,
    taskStart: 'K1 ASK',
    rollout: 0,
    turns: [madeUpTurn()],
    teamReward,
    isSolved: teamReward === 1,
    spikingAgents: [],
    blame: null,
    ...changes,
  };
}
