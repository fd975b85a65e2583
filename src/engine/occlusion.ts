import type { ExperimentPlan } from './cohorts';
import type { Turn } from './experience';
import { scoreTurns } from './policyScores';
import type { PolicyApi } from '../protocol/policyApi';

/**
 * Influence by occlusion: how far log π of what a turn wrote moves when a message in its prompt is replaced. Needs scores alone, and
 * leaves the prompt a prompt: the replacement is what stood in the same places when the agent was asked another time.
 */

/** Other messages that one is replaced with, at most. */
const maxReplacements = 4;

/** A turn to look at, and others to take replacements from. */
export interface OccludedTurn {
  readonly replica: number;
  readonly turn: Turn;
  /** In the order in which they are asked for; those of other agents are passed over. */
  readonly others: readonly Turn[];
}

/** Places of a prompt that one turn wrote, or none (the task), with the prompts in which they are replaced. */
interface Occlusion {
  readonly places: readonly number[];
  readonly prompts: readonly Int32Array[];
}

/** [origins] the first few other messages that `others` have in the places of each. */
export function occlusionsOf({ turn, others }: Omit<OccludedTurn, 'replica'>): Occlusion[] {
  const { agent, promptTokens, origins } = turn;
  const alike = others.filter(
    (other) => other.agent === agent && other.promptTokens.length === promptTokens.length,
  );
  return [...new Set(origins)].map((origin) => {
    const places = [...origins.keys()].filter((place) => origins[place] === origin);
    const seen = new Set([places.map((place) => promptTokens[place]).join()]);
    const prompts: Int32Array[] = [];
    for (const other of alike) {
      if (prompts.length === maxReplacements) break;
      const message = places.map((place) => other.promptTokens[place]!);
      if (seen.has(message.join())) continue;
      seen.add(message.join());
      const prompt = promptTokens.slice();
      for (const [i, place] of places.entries()) prompt[place] = message[i]!;
      prompts.push(prompt);
    }
    return { places, prompts };
  });
}

function sum(values: Float32Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * [turns] × [prompt length] w = mean |log π(action | prompt) − log π(action | prompt with the message replaced)| over the replacements,
 * spread evenly over the tokens of the message; 0 where the agent was never asked with another one. Unit: nats. Under the present weights.
 */
export async function occlusionWeights(
  doors: { readonly plan: ExperimentPlan; readonly policies: readonly PolicyApi[] },
  turns: readonly OccludedTurn[],
): Promise<Float64Array[]> {
  const occlusions = turns.map(occlusionsOf);
  const asked = turns.flatMap(({ replica, turn }, index) => [
    { replica, turn },
    ...occlusions[index]!.flatMap(({ prompts }) =>
      prompts.map((promptTokens) => ({ replica, turn: { ...turn, promptTokens } })),
    ),
  ]);
  if (asked.length === 0) return [];
  const logprobs = (await scoreTurns(doors, asked, 'current')).map(sum);
  let next = 0;
  return turns.map(({ turn }, index) => {
    const weights = new Float64Array(turn.promptTokens.length);
    const plain = logprobs[next++]!;
    for (const { places, prompts } of occlusions[index]!) {
      let change = 0;
      for (const _ of prompts) change += Math.abs(logprobs[next++]! - plain) / prompts.length;
      for (const place of places) weights[place] = change / places.length;
    }
    return weights;
  });
}
