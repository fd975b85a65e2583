import * as z from 'zod/mini';

/** Blame of a failed episode in a file of any kind: `EpisodeBlame` of protocol/trainerApi. */

/** A share of one, with room for what sums of floats are off by. JSON can write −0: here that is 0. */
const share = z.number().check(
  z.minimum(0),
  z.maximum(1 + 1e-9),
  z.overwrite((value) => value + 0),
);
const shares = z.readonly(z.array(share).check(z.maxLength(1024)));
const origin = z.int().check(z.minimum(-1), z.maximum(1023));

const blamedTurn = z.strictObject({
  share,
  origins: z.readonly(z.array(origin).check(z.maxLength(1024))),
  influence: shares,
  handedOn: shares,
});

/** Null = not measured. */
export const blameSchema = z.nullable(
  z.strictObject({
    method: z.enum(['gradNorm', 'occlusion']),
    turns: z.readonly(z.array(blamedTurn).check(z.maxLength(1024))),
  }),
);

interface Blamed {
  readonly turns: readonly { readonly promptTokens: readonly string[] }[];
  readonly blame: z.output<typeof blameSchema>;
}

/** A page draws edges between turns, and tints tokens: each must have its number, and point backwards. */
export function fitsTurns({ turns, blame }: Blamed): boolean {
  if (blame === null) return true;
  if (blame.turns.length !== turns.length) return false;
  return blame.turns.every(({ origins, influence, handedOn }, place) => {
    const { length } = turns[place]!.promptTokens;
    const hasAll = [origins, influence, handedOn].every((values) => values.length === length);
    return hasAll && origins.every((from) => from < place);
  });
}

export const blameFits = z.refine<Blamed>(fitsTurns, {
  path: ['blame'],
  error: 'does not fit the turns: one entry a turn and a prompt token, of earlier turns',
});
