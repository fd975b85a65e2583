import * as z from 'zod/mini';
import { fitsTurns } from '../config/blameSchema';
import { firstIssues, toSpecIssues } from '../config/issueMessages';
import type { SpecIssue } from '../config/specIssue';
import {
  maxTranscriptTurns,
  transcriptFields,
  transcriptTurnSchema,
  type FileTranscript,
  type FileTurn,
} from '../config/transcriptSchema';
import { adpTrajectorySchema, adpVersion, type AdpTrajectory } from './adpSchema';
import { jsonLines, parseJsonLines } from './jsonLines';
import { issuesUnder, refusal, type Parsed } from './parsed';
import { sortingReplacer, stableReplacer } from './stableReplacer';

/**
 * Episodes as ADP trajectories, one for each agent of an episode: what the agent read is a `text_observation` of the environment, what
 * it wrote a `message_action` with the step's reward. Tokens are joined by spaces there.
 *
 * The other fields of an episode have no place of their own in ADP 1.2.0. They stand in `details.marlbook`, from which the episodes
 * come back exactly; a program that knows ADP only will not see them.
 */
export const outsideAdp = {
  agent: 'A trajectory has one actor without a name; the name is part of the id.',
  promptTokens: 'Content is text: where one token ends and the next begins is lost.',
  actionTokens: 'Content is text: where one token ends and the next begins is lost.',
  turnIndex: 'The order of turns among agents.',
  invocation: 'Which call of a sub-agent a turn belongs to.',
  rolloutLogprobs: 'Log-probabilities of tokens.',
  isValid: 'Whether the world could read the action.',
  penalty: 'A step’s own cost apart from its reward.',
  advantage: 'What the update multiplied the step with.',
  isLearned: 'Whether the update learned from the step.',
  reward: 'A number only where it is finite: JSON has no NaN and no Infinity.',
  arm: 'Of the group that estimators compare.',
  seed: 'Of the group that estimators compare.',
  iteration: 'Of the group that estimators compare.',
  task: 'Of the group that estimators compare.',
  rollout: 'Of the group that estimators compare.',
  taskStart: 'What is hidden from the agents.',
  teamReward: 'Rewards belong to steps, not to a team.',
  isSolved: 'Outcome of the episode.',
  spikingAgents: 'Why the episode was told.',
  blame: 'Which turns its failure is traced to.',
} as const satisfies Record<keyof FileTurn | Exclude<keyof FileTranscript, 'turns'>, string>;

const placedSchema = z.strictObject({
  place: z.int().check(z.minimum(0), z.maximum(maxTranscriptTurns - 1)),
  turn: transcriptTurnSchema,
});

/** Our part of `details`. */
const ownSchema = z.strictObject({
  version: z.literal(1),
  runId: z.string().check(z.maxLength(128)),
  /** Number of the episode in the export. */
  episode: z.int().check(z.minimum(0)),
  head: z.omit(transcriptFields, { turns: true }),
  /** Of all agents together: without it nobody could tell that the trajectory of the last one is missing. */
  numTurns: z.int().check(z.minimum(0), z.maximum(maxTranscriptTurns)),
  /** Of this agent, with their places among the turns of all agents. */
  turns: z.array(placedSchema).check(z.maxLength(maxTranscriptTurns)),
});

type Own = z.output<typeof ownSchema>;
type Placed = Own['turns'][number];

/** @param runId the same in all trajectories of a run, e.g. the hash of its specification */
export function toAdp(transcripts: readonly FileTranscript[], runId: string): AdpTrajectory[] {
  return transcripts.flatMap(({ turns, ...head }, episode) => {
    const placed = turns.map((turn, place) => ({ place, turn }));
    const byAgent = groupBy(placed, ({ turn }) => turn.agent);
    // An episode in which nobody acted is still one.
    const parts = placed.length === 0 ? [['none', placed] as const] : [...byAgent];
    return parts.map(([agent, own]) =>
      trajectoryOf(agent, {
        version: 1,
        runId,
        episode,
        head,
        numTurns: placed.length,
        turns: own,
      }),
    );
  });
}

function trajectoryOf(agent: string, own: Own): AdpTrajectory {
  return {
    schema_version: adpVersion,
    id: `${own.runId}/${own.episode}/${agent}`,
    content: own.turns.flatMap(({ turn }) => [
      {
        class_: 'text_observation',
        content: turn.promptTokens.join(' '),
        source: 'environment',
      } as const,
      {
        class_: 'message_action',
        content: turn.actionTokens.join(' '),
        // −0 is no other reward than 0, and JSON writes it so.
        ...(Number.isFinite(turn.reward) ? { reward: turn.reward + 0 } : {}),
      } as const,
    ]),
    details: { marlbook: JSON.parse(JSON.stringify(own, stableReplacer)) },
  };
}

/** Trajectories as JSON Lines, one a line. Numbers stay numbers there, as ADP has no texts in their place. */
export function adpLines(trajectories: readonly AdpTrajectory[]): string {
  return jsonLines(trajectories, sortingReplacer);
}

const limits = { maxBytes: 256 * 1024 * 1024, maxLines: 100_000 };

/** Trajectories of any origin. Never throws. */
export function parseAdpLines(bytes: Uint8Array): Parsed<readonly AdpTrajectory[]> {
  return parseJsonLines(bytes, adpTrajectorySchema, limits);
}

/**
 * The episodes that `toAdp` made trajectories of, exactly, run by run in their order. Trajectories of another origin have no tokens, log-probabilities
 * or groups and are refused by number, as are ours where text and details were changed apart, or an agent of an episode is missing.
 */
export function fromAdp(trajectories: readonly AdpTrajectory[]): Parsed<readonly FileTranscript[]> {
  const owns = trajectories.map((trajectory) => ownOf(trajectory));
  const faults = owns.flatMap((own, i) => (own.ok ? [] : issuesUnder(`${i}`, own.issues)));
  const parts = owns.flatMap((own) => (own.ok ? [own.value] : []));
  const episodes = [...groupBy(parts, ({ runId }) => runId).values()].flatMap(episodesOf);
  const issues = faults.length > 0 ? faults : episodes.flatMap(episodeIssues);
  if (issues.length > 0) return { ok: false, issues: firstIssues(issues) };
  const transcripts = episodes.flatMap((own) =>
    own.slice(0, 1).map(({ head }) => Object.assign({}, head, { turns: turnsOf(own) })),
  );
  return { ok: true, value: transcripts };
}

function ownOf(trajectory: AdpTrajectory): Parsed<Own> {
  const data = trajectory.details['marlbook'];
  const path = 'details.marlbook';
  if (data === undefined)
    return refusal(path, 'Is missing: the trajectory was not exported here, and has no tokens.');
  const parsed = ownSchema.safeParse(data);
  if (!parsed.success)
    return { ok: false, issues: issuesUnder(path, toSpecIssues(parsed.error.issues, data)) };
  const [first] = parsed.data.turns;
  const again = trajectoryOf(first?.turn.agent ?? 'none', parsed.data);
  return isSame([again.id, again.content], [trajectory.id, trajectory.content])
    ? { ok: true, value: parsed.data }
    : refusal('content', 'Says something else than details.marlbook: one was changed.');
}

function groupBy<T, K>(entries: readonly T[], keyOf: (entry: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, stableReplacer) === JSON.stringify(b, stableReplacer);
}

/** Of one run, in the order of its export. */
function episodesOf(parts: readonly Own[]): readonly (readonly Own[])[] {
  return [...groupBy(parts, ({ episode }) => episode)]
    .toSorted(([a], [b]) => a - b)
    .map(([, own]) => own);
}

function placesOf(parts: readonly Own[]): readonly Placed[] {
  return parts.flatMap(({ turns }) => turns).toSorted((a, b) => a.place - b.place);
}

function turnsOf(parts: readonly Own[]): readonly FileTurn[] {
  return placesOf(parts).map(({ turn }) => turn);
}

/** The agents of an episode must tell of the same one, and together of all its turns. */
function episodeIssues(parts: readonly Own[]): readonly SpecIssue[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { runId, episode, head, numTurns } = first;
  const path = `${runId}/${episode}`;
  if (parts.some((part) => part.numTurns !== numTurns || !isSame(part.head, head)))
    return [{ path, message: 'Its agents tell of different episodes: export it again.' }];
  const places = placesOf(parts);
  if (places.length !== numTurns || places.some(({ place }, i) => place !== i))
    return [
      {
        path,
        message: 'A turn is missing or there twice: bring all agents of the episode, each once.',
      },
    ];
  return fitsTurns({ turns: turnsOf(parts), blame: head.blame })
    ? []
    : [{ path, message: 'Its blame does not fit its turns: one was changed; export it again.' }];
}
