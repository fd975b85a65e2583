import { describe, expect, test } from 'vitest';
import type { ArchitectureSpec } from '../../config/experimentSpec';
import type { ScoreTurns, UpdateStats } from '../../protocol/policyApi';
import { logSoftmax } from '../../rl/entropy';
import { drawWeights, plainLogits, type PlainWeights } from '../golden/plainModel';
import { smallArchitecture, smallCohort, toUpdateBatch } from '../golden/smallCohort';
import { parameterSpecs } from '../parameters';
import type { PolicyEngine } from '../policyEngine';
import { hyper, turnsOf } from './contractTurns';

/** What every policy keeps to about the influence of a prompt's tokens. */

type Current = () => PolicyEngine;

interface WrittenTurn {
  readonly replica?: number;
  readonly prompt: readonly number[];
  readonly action: readonly number[];
}

/** Equal turns, turns that differ in their last token alone, and two that are one sequence cut in different places. */
export const influencedTurns: readonly WrittenTurn[] = [
  { prompt: [1, 2, 3], action: [2] },
  { prompt: [4], action: [0, 3] },
  { prompt: [1, 2, 3], action: [5] },
  { prompt: [0, 5], action: [5, 1, 1] },
  { prompt: [1, 2, 3], action: [2] },
  { prompt: [1, 2], action: [3, 2] },
  { prompt: [2, 2, 6, 1, 0], action: [6, 6] },
];

export function toScoreTurns(turns: readonly WrittenTurn[]): ScoreTurns {
  const { replicas, promptTokens, promptLengths, promptWidth, ...rest } = toUpdateBatch(
    turns.map((turn) =>
      Object.assign({ oldLogprobs: turn.action.map(() => 0), advantage: 0 }, turn),
    ),
    'supervised',
  );
  const { actionTokens, actionLengths, actionWidth } = rest;
  const prompts = { replicas, promptTokens, promptLengths, promptWidth };
  return { ...prompts, actionTokens, actionLengths, actionWidth };
}

/** −Σ log π(action) in float64, with the embedding at `place` of the prompt moved by `step` along `axis`. */
function lossAt(
  architecture: ArchitectureSpec,
  weights: PlainWeights,
  { prompt, action }: WrittenTurn,
  moved: { place: number; axis: number; step: number },
): number {
  const { hiddenSize } = architecture;
  const { vocabularySize } = smallCohort;
  const sequence = [...prompt, ...action.slice(0, -1)];
  const name = 'model.embed_tokens.weight';
  const table = weights.get(name)!;
  // Every place gets a token of its own, so that one can be moved alone, and the rows of a tied head stay.
  const own = sequence.flatMap((token) => [
    ...table.subarray(token * hiddenSize, (token + 1) * hiddenSize),
  ]);
  own[moved.place * hiddenSize + moved.axis]! += moved.step;
  const places = sequence.map((_, place) => vocabularySize + place);
  const extended = new Map([...weights, [name, Float64Array.from([...table, ...own])]]);
  const all = plainLogits(architecture, extended, places);
  return action.reduce((loss, token, i) => {
    const logits = Float64Array.from(all[prompt.length - 1 + i]!.slice(0, vocabularySize));
    return loss - logSoftmax(logits, vocabularySize)[token]!;
  }, 0);
}

/** ‖∂L/∂e‖ by central differences. h = 1e-5: truncation h²·O(1) and cancellation 1e-16/h are far below float32. */
function differenceNorm(
  architecture: ArchitectureSpec,
  weights: PlainWeights,
  turn: WrittenTurn,
  place: number,
): number {
  const h = 1e-5;
  const slopes = Array.from({ length: architecture.hiddenSize }, (_, axis) => {
    const [up, down] = [h, -h].map((step) =>
      lossAt(architecture, weights, turn, { place, axis, step }),
    );
    return (up! - down!) / (2 * h);
  });
  return Math.hypot(...slopes);
}

const architectures: [string, ArchitectureSpec][] = [
  ['an untied head', smallArchitecture],
  ['a tied head and two layers', { ...smallArchitecture, tieEmbeddings: true, numLayers: 2 }],
];

function testDifferences(current: Current): void {
  test.each(architectures)(
    'with %s is the norm of the loss’s slopes at every place, by finite differences',
    async (_, architecture) => {
      await current().create({ ...smallCohort, architecture }, [hyper(1), hyper(2)]);
      const specs = parameterSpecs(architecture, smallCohort.vocabularySize);
      const drawn = [5, 6].map((seed) => drawWeights(specs, seed));
      const flat = drawn.flatMap((own) => specs.flatMap(({ name }) => Array.from(own.get(name)!)));
      const base = await current().checkpoint();
      await current().restore({ ...base, weights: Float32Array.from(flat) });
      // Replica 1 has a turn less, and so another shape.
      const turns = [0, 1].flatMap((replica) =>
        influencedTurns.slice(replica).map((turn) => Object.assign({ replica }, turn)),
      );
      const asked = toScoreTurns(turns);
      const { promptWidth } = asked;
      const influence = await current().promptInfluence(asked);
      expect(influence).toHaveLength(turns.length * promptWidth);
      for (const [row, turn] of turns.entries())
        for (let place = 0; place < promptWidth; place++) {
          const isPrompt = place < turn.prompt.length;
          const weights = drawn[turn.replica]!;
          const expected = isPrompt ? differenceNorm(architecture, weights, turn, place) : 0;
          expect(expected > 1e-4).toBe(isPrompt);
          // A float32 backward pass.
          const error = Math.abs(influence[row * promptWidth + place]! - expected);
          expect(error).toBeLessThanOrEqual(1e-4 * expected);
        }
    },
  );
}

function testRows(current: Current): void {
  test('of a turn does not depend on what it is asked with', async () => {
    await current().create(smallCohort, [hyper(1)]);
    const asked = toScoreTurns(influencedTurns);
    const together = await current().promptInfluence(asked);
    for (const [row, turn] of influencedTurns.entries()) {
      const own = await current().promptInfluence(toScoreTurns([turn]));
      const start = row * asked.promptWidth;
      for (const [place, value] of own.entries())
        expect(Math.abs(together[start + place]! - value)).toBeLessThan(1e-5 * (1e-3 + value));
    }
    expect(await current().promptInfluence(toScoreTurns([]))).toHaveLength(0);
  });
}

async function updatesOf(policy: PolicyEngine, isMeasured: boolean): Promise<UpdateStats[]> {
  await policy.create(smallCohort, [hyper(1)]);
  const stats: UpdateStats[] = [];
  for (let step = 0; step < 3; step++) {
    if (isMeasured) await policy.promptInfluence(toScoreTurns(influencedTurns));
    stats.push(await policy.update(toUpdateBatch(turnsOf(0, 2), 'policyGradient', [0.01])));
  }
  return stats;
}

function testNothingChanges(current: Current): void {
  test('is measured without a trace: later updates are the same to the last bit', async () => {
    const plain = await updatesOf(current(), false);
    expect(await updatesOf(current(), true)).toEqual(plain);
  });
}

export function describeInfluence(current: Current): void {
  describe('the influence of a prompt', () => {
    testDifferences(current);
    testRows(current);
    testNothingChanges(current);
  });
}
