import * as z from 'zod/mini';
import { nameSchema, seedSchema } from '../config/experimentSpec';
import { toSpecIssues } from '../config/issueMessages';
import { countSchema } from '../config/schemaParts';
import type { SpecIssue } from '../config/specIssue';
import type { GroupRecord } from '../protocol/trainerApi';
import { float64, uint16, uint8 } from './chunkRow';

const int16 = z.custom<Int16Array>((value) => value instanceof Int16Array, 'a column of int16');

/** `GroupRecord` of protocol/trainerApi, which says what the columns mean. */
const groupSchema = z.strictObject({
  arm: nameSchema,
  seed: seedSchema,
  iteration: countSchema,
  agents: z.readonly(z.array(nameSchema)),
  agentIds: uint8,
  tasks: uint16,
  rollouts: uint16,
  turnIndices: uint16,
  invocations: int16,
  scores: float64,
  advantages: float64,
  weights: z.nullable(float64),
  isLearned: uint8,
  spikingAgents: z.readonly(z.array(nameSchema)),
});

/** What can be read back: the type checker compares it with what is written, and `parseGroup` with what is told. */
export type StoredGroup = z.output<typeof groupSchema>;

export type ParsedGroup =
  | { readonly ok: true; readonly value: GroupRecord }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/** A stored group record, or what is wrong with it. Never throws. */
export function parseGroup(data: unknown): ParsedGroup {
  const parsed = groupSchema.safeParse(data);
  if (!parsed.success) return { ok: false, issues: toSpecIssues(parsed.error.issues, data) };
  const issues = columnIssues(parsed.data);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: parsed.data };
}

function columnIssues(group: GroupRecord): readonly SpecIssue[] {
  const { agents, agentIds, tasks, rollouts, turnIndices, invocations } = group;
  const { scores, advantages, weights, isLearned } = group;
  const columns = { tasks, rollouts, turnIndices, invocations, scores, advantages, isLearned };
  const all = Object.entries(weights === null ? columns : { ...columns, weights });
  const stranger = agentIds.find((id) => id >= agents.length);
  return [
    ...all
      .filter(([, { length }]) => length !== agentIds.length)
      .map(([path, { length }]) => ({
        path,
        message: `${length} numbers came, expected ${agentIds.length} (one a step).`,
      })),
    ...(stranger === undefined
      ? []
      : [
          {
            path: 'agentIds',
            message: `${stranger} came, expected the number of one of the ${agents.length} agents, from 0.`,
          },
        ]),
  ];
}
