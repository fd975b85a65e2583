import fc from 'fast-check';
import type { FileTranscript, FileTurn } from '../../config/transcriptSchema';
import { isWellFormed } from './isWellFormed';

const id = fc.constantFrom('global', 'agentWise', 'solver', 'verifier', 'x9');
const count = fc.nat(0xffff);
const token = fc.oneof(
  fc.constantFrom('?', 'k1', 'v3', '<pad>', ' ', '', '\n', '"'),
  fc.string({ unit: 'grapheme', maxLength: 4 }).filter(isWellFormed),
);

const anyTurn: fc.Arbitrary<FileTurn> = fc
  .record({
    agent: id,
    turnIndex: count,
    invocation: fc.option(count),
    promptTokens: fc.array(token, { maxLength: 4 }),
    actions: fc.array(fc.tuple(token, fc.double()), { maxLength: 4 }),
    isValid: fc.boolean(),
    penalty: fc.double(),
    reward: fc.double(),
    advantage: fc.double(),
    isLearned: fc.boolean(),
  })
  .map(({ actions, ...turn }) =>
    Object.assign(turn, {
      actionTokens: actions.map(([text]) => text),
      rolloutLogprobs: actions.map(([, logprob]) => logprob),
    }),
  );

const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);

/** Of a failure with these turns, each of which may have read of any before it. */
function anyBlame(turns: readonly FileTurn[]): fc.Arbitrary<FileTranscript['blame']> {
  const blamed = turns.map(({ promptTokens: { length: maxLength } }, place) => {
    const each = <T>(entry: fc.Arbitrary<T>) =>
      fc.array(entry, { minLength: maxLength, maxLength });
    return fc.record({
      share,
      origins: each(fc.integer({ min: -1, max: place - 1 })),
      influence: each(share),
      handedOn: each(share),
    });
  });
  const method = fc.constantFrom('gradNorm' as const, 'occlusion' as const);
  return fc.option(fc.record({ method, turns: fc.tuple(...blamed) }));
}

/** Episodes with every kind of number and token that the trainer could tell. */
export const anyTranscript: fc.Arbitrary<FileTranscript> = fc
  .record({
    arm: id,
    seed: fc.nat(0xffffffff),
    iteration: count,
    task: count,
    taskStart: fc.string({ unit: 'grapheme' }).filter(isWellFormed),
    rollout: count,
    turns: fc.array(anyTurn, { maxLength: 4 }),
    teamReward: fc.double(),
    isSolved: fc.boolean(),
    spikingAgents: fc.array(id, { maxLength: 2 }),
  })
  .chain((episode) =>
    anyBlame(episode.turns).map((blame) => Object.assign({}, episode, { blame })),
  );
