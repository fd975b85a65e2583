/** What the size of the vocabulary depends on. */
interface VocabularySizes {
  readonly maxTurns: number;
  readonly numKeys: number;
  readonly numValues: number;
}

const fixedTokens = [
  'PAD',
  '<router>',
  '<search>',
  '<answer>',
  'EASY',
  'HARD',
  'SEARCH',
  'ANSWER',
  'NONE',
  'NULL',
] as const;

function idOf(token: (typeof fixedTokens)[number]): number {
  return fixedTokens.indexOf(token);
}

export interface RouteVocabulary {
  readonly tokens: readonly string[];
  /** `<router>`: the roles of the agents follow each other from here, in the order of the agents. */
  readonly firstRole: number;
  readonly easy: number;
  readonly hard: number;
  readonly search: number;
  readonly answer: number;
  /** No search so far. */
  readonly none: number;
  /** The last search found nothing. */
  readonly null: number;
  readonly firstTurn: number;
  readonly firstKey: number;
  readonly firstValue: number;
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}_${i}`);
}

/** The tokens of a world with these sizes and where each kind begins. */
export function createRouteVocabulary(sizes: VocabularySizes): RouteVocabulary {
  const firstTurn = fixedTokens.length;
  const firstKey = firstTurn + sizes.maxTurns;
  return {
    tokens: [
      ...fixedTokens,
      ...numbered('TURN', sizes.maxTurns),
      ...numbered('KEY', sizes.numKeys),
      ...numbered('VALUE', sizes.numValues),
    ],
    firstRole: idOf('<router>'),
    easy: idOf('EASY'),
    hard: idOf('HARD'),
    search: idOf('SEARCH'),
    answer: idOf('ANSWER'),
    none: idOf('NONE'),
    null: idOf('NULL'),
    firstTurn,
    firstKey,
    firstValue: firstKey + sizes.numKeys,
  };
}
