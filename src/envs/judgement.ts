/**
 * What a turn did, in the eyes of a scripted oracle that sees what agents do not. `unreadable`: the world could not read the action;
 * `wrongCall`: readable, but it called or asked for the wrong thing, or judged wrongly; `wrongContent`: a readable and wrong query,
 * report or answer.
 */
export type TurnTag = 'pass' | 'unreadable' | 'wrongCall' | 'wrongContent';

export interface Judgement {
  readonly tag: TurnTag;
  /** 0..1: how much of what the turn should do it did; 1 exactly for `pass`. */
  readonly localReward: number;
}

export const passed: Judgement = { tag: 'pass', localReward: 1 };
export const unreadable: Judgement = { tag: 'unreadable', localReward: 0 };
export const wrongCall: Judgement = { tag: 'wrongCall', localReward: 0 };
export const wrongContent: Judgement = { tag: 'wrongContent', localReward: 0 };

/** `passed` if all tokens are the wanted ones, else the fault with the share of them that are. Both [L], L ≥ 1. */
export function judgeTokens(
  tokens: Int32Array,
  wanted: Int32Array,
  fault: Exclude<TurnTag, 'pass'>,
): Judgement {
  const numRight = tokens.filter((token, place) => token === wanted[place]).length;
  return numRight === wanted.length
    ? passed
    : { tag: fault, localReward: numRight / wanted.length };
}
