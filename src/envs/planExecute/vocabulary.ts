/** What the size of the vocabulary depends on. */
interface VocabularySizes {
  readonly toolTurns: number;
  readonly numKeys: number;
  readonly numValues: number;
}

const fixedTokens = [
  'PAD',
  '<planner>',
  '<executor>',
  'PLAN',
  'TOOL',
  'ANSWER',
  'SKIP',
  'NONE',
  'NULL',
] as const;

function idOf(token: (typeof fixedTokens)[number]): number {
  return fixedTokens.indexOf(token);
}

export interface PlanVocabulary {
  readonly tokens: readonly string[];
  /** `<planner>`: the roles of the agents follow each other from here, in the order of the agents. */
  readonly firstRole: number;
  /** The planner is asked for its sub-calls. */
  readonly plan: number;
  /** A sub-task is worked on. */
  readonly tool: number;
  /** The planner is asked for its answer. */
  readonly answer: number;
  /** No sub-call for this slot. */
  readonly skip: number;
  /** No lookup so far. */
  readonly none: number;
  /** The sub-call brought nothing back. */
  readonly null: number;
  readonly firstTurn: number;
  readonly firstKey: number;
  readonly firstValue: number;
  isKey(token: number): boolean;
  isValue(token: number): boolean;
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}_${i}`);
}

/** The tokens of a world with these sizes and where each kind begins. */
export function createPlanVocabulary(sizes: VocabularySizes): PlanVocabulary {
  const firstTurn = fixedTokens.length;
  const firstKey = firstTurn + sizes.toolTurns;
  const firstValue = firstKey + sizes.numKeys;
  const end = firstValue + sizes.numValues;
  return {
    tokens: [
      ...fixedTokens,
      ...numbered('TURN', sizes.toolTurns),
      ...numbered('KEY', sizes.numKeys),
      ...numbered('VALUE', sizes.numValues),
    ],
    firstRole: idOf('<planner>'),
    plan: idOf('PLAN'),
    tool: idOf('TOOL'),
    answer: idOf('ANSWER'),
    skip: idOf('SKIP'),
    none: idOf('NONE'),
    null: idOf('NULL'),
    firstTurn,
    firstKey,
    firstValue,
    isKey: (token) => token >= firstKey && token < firstValue,
    isValue: (token) => token >= firstValue && token < end,
  };
}
