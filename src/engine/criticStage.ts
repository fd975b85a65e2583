import type { CriticApi, CriticInputs } from '../protocol/criticApi';
import type { ExperimentPlan, ReplicaPlan } from './cohorts';
import { criticScores, criticSequences } from './criticSteps';
import type { Taken } from './learning';
import type { CriticObservation } from './teamValues';

/** Asks the critics for values, and teaches them what came. */

interface Critics {
  readonly plan: ExperimentPlan;
  readonly critics: readonly CriticApi[];
}

/** What a replica's critic said of a batch, and what it is to learn. */
export interface CriticBatch {
  /** [S] */
  readonly advantages: Float64Array;
  readonly numNonFinite: number;
  readonly explainedVariance: number;
  /** [S] × sequences. */
  readonly sequences: readonly (readonly Int32Array[])[];
  /** [S] before the update. Unit: reward. */
  readonly values: Float64Array;
  /** [S] targets; NaN = not to be learned. Unit: reward. */
  readonly returns: Float64Array;
}

/** Some of a replica's steps on their way to its critic. */
interface Shipment {
  readonly slot: number;
  readonly sequences: readonly (readonly Int32Array[])[];
}

/** Packs the steps of several replicas of one critic, one after another. */
function packInputs(shipments: readonly Shipment[]): CriticInputs {
  const rows: { slot: number; step: number; tokens: Int32Array }[] = [];
  let numSteps = 0;
  for (const { slot, sequences } of shipments)
    for (const own of sequences) {
      for (const tokens of own) rows.push({ slot, step: numSteps, tokens });
      numSteps += 1;
    }
  const width = rows.reduce((widest, { tokens }) => Math.max(widest, tokens.length), 1);
  const tokens = new Int32Array(rows.length * width);
  for (const [row, own] of rows.entries()) tokens.set(own.tokens, row * width);
  return {
    replicas: Int32Array.from(rows, ({ slot }) => slot),
    steps: Int32Array.from(rows, ({ step }) => step),
    numSteps,
    tokens,
    lengths: Int32Array.from(rows, (row) => row.tokens.length),
    width,
  };
}

/** Entries that have a critic, by critic. */
function byCritic<T extends { readonly replica: ReplicaPlan }>(
  entries: readonly T[],
): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const entry of entries) {
    if (entry.replica.critic === null) continue;
    const { cohort } = entry.replica.critic;
    const own = groups.get(cohort) ?? [];
    groups.set(cohort, own);
    own.push(entry);
  }
  return groups;
}

/** [S] log π(action) − log μ(action); 0 where nothing was recomputed. Unit: nats. */
function logRatiosOf({ steps, trainerLogprobs }: Taken): Float64Array {
  return Float64Array.from(steps.turns, ({ rolloutLogprobs }, step) =>
    trainerLogprobs === null
      ? 0
      : rolloutLogprobs.reduce(
          (sum, logprob, token) => sum + trainerLogprobs[step]![token]! - logprob,
          0,
        ),
  );
}

function scored(
  taken: Taken,
  sequences: CriticBatch['sequences'],
  values: Float64Array,
): CriticBatch {
  const { estimator } = taken.replica.training;
  if (!('critic' in estimator)) throw new Error(`${estimator.kind} has no critic.`);
  const scores = criticScores(taken.steps, values, logRatiosOf(taken), estimator);
  return { ...scores, sequences, values };
}

/** What the critics say of each part, in the order of `parts`; null for a replica without one. Critics answer at the same time. */
export async function askCritics(
  { critics }: Critics,
  parts: readonly Taken[],
): Promise<(CriticBatch | null)[]> {
  const answers = new Map<Taken, CriticBatch>();
  const asked = Array.from(byCritic(parts), async ([critic, own]) => {
    const shipments = own.map(({ replica, steps }) => {
      const { estimator } = replica.training;
      const reads = 'critic' in estimator ? estimator.critic : 'own';
      return { slot: replica.critic!.slot, sequences: criticSequences(steps, reads) };
    });
    const values = Float64Array.from(await critics[critic]!.values(packInputs(shipments)));
    let next = 0;
    for (const [index, taken] of own.entries()) {
      const { sequences } = shipments[index]!;
      next += sequences.length;
      answers.set(taken, scored(taken, sequences, values.slice(next - sequences.length, next)));
    }
  });
  await Promise.all(asked);
  return parts.map((part) => answers.get(part) ?? null);
}

/** Teaches the critics their targets; steps without a finite one are left out. By replica index. */
export async function updateCritics(
  { critics }: Critics,
  batches: readonly { readonly replica: ReplicaPlan; readonly critic: CriticBatch | null }[],
): Promise<Map<number, CriticObservation>> {
  const observations = new Map<number, CriticObservation>();
  const updates = Array.from(byCritic(batches), async ([critic, own]) => {
    const known = own.flatMap(({ replica, critic: batch }) => {
      if (batch === null) return [];
      const steps = [...batch.returns.keys()].filter((step) => !Number.isNaN(batch.returns[step]!));
      return steps.length > 0 ? [{ replica, batch, steps }] : [];
    });
    if (known.length === 0) return;
    const inputs = packInputs(
      known.map(({ replica, batch, steps }) => ({
        slot: replica.critic!.slot,
        sequences: steps.map((step) => batch.sequences[step]!),
      })),
    );
    const all = (of: (batch: CriticBatch) => Float64Array): Float32Array =>
      Float32Array.from(known.flatMap(({ batch, steps }) => steps.map((step) => of(batch)[step]!)));
    const targets = {
      oldValues: all(({ values }) => values),
      returns: all(({ returns }) => returns),
    };
    const stats = await critics[critic]!.update(inputs, targets);
    for (const { replica, batch } of known) {
      const update = stats.find((entry) => entry.replica === replica.critic!.slot);
      const { explainedVariance } = batch;
      if (update) observations.set(replica.index, { explainedVariance, update });
    }
  });
  await Promise.all(updates);
  return observations;
}
