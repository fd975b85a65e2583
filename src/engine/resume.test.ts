import { describe, expect, test } from 'vitest';
import type { SavedReplica } from '../config/checkpointSchema';
import type { ExperimentSpec } from '../config/experimentSpec';
import { parseSpec } from '../config/parseSpec';
import type { MetricRow } from '../metrics/catalog';
import { parseRunCheckpoint, type RunCheckpoint } from '../protocol/runCheckpoint';
import type { TrainerEvent } from '../protocol/trainerApi';
import { resumableSpecs } from './testing/resumableSpecs';
import { checkpointsIn, eventsWith, rowsOf, tinySpec } from './testing/runInProcess';

/** Runs that are gone on with, beside the same runs undisturbed: equal to the last bit on the backend `cpu`. */

/** All that a run said of its iterations after `iteration`: rows, episodes, records, notices. */
function toldAfter(events: readonly TrainerEvent[], iteration: number): TrainerEvent[] {
  const start = events.findIndex(
    (event) => event.kind === 'iteration' && event.iteration > iteration,
  );
  return events.slice(start).filter(({ kind }) => kind !== 'throughput' && kind !== 'checkpoint');
}

function opened(bytes: ArrayBuffer): RunCheckpoint {
  const parsed = parseRunCheckpoint(bytes);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.checkpoint;
}

/** Goes on from `iteration`, and compares everything that is told and every later state with the run that was not interrupted. */
async function expectSameRun(
  spec: ExperimentSpec,
  whole: readonly TrainerEvent[],
  iteration: number,
): Promise<void> {
  const checkpoints = checkpointsIn(whole);
  const resumeFrom = checkpoints.get(iteration)!;
  const rest = await eventsWith(spec, { resumeFrom, checkpointEvery: 1 });
  expect(toldAfter(rest, 0)).toEqual(toldAfter(whole, iteration));
  const again = checkpointsIn(rest);
  expect([...again.keys()]).toEqual([...checkpoints.keys()].slice(iteration + 1));
  // Also of what no row shows.
  for (const [at, bytes] of again)
    expect(Buffer.compare(Buffer.from(bytes), Buffer.from(checkpoints.get(at)!))).toBe(0);
}

/** Undisturbed runs with a checkpoint an iteration, each made once. */
const wholeRuns = new Map<string, Promise<TrainerEvent[]>>();

function wholeRun(name: string): Promise<TrainerEvent[]> {
  const run = wholeRuns.get(name) ?? eventsWith(resumableSpecs[name]!, { checkpointEvery: 1 });
  wholeRuns.set(name, run);
  return run;
}

describe.each(Object.entries(resumableSpecs))('a run with %s', (name, spec) => {
  test('goes on from its checkpoints as if it had not been interrupted', async () => {
    expect(parseSpec(spec)).toMatchObject({ ok: true });
    const whole = await wholeRun(name);
    const { iterations } = spec;
    const all = Array.from({ length: iterations + 1 }, (_, iteration) => iteration);
    expect([...checkpointsIn(whole).keys()]).toEqual(all);
    expect(whole.at(-1)).toMatchObject({ kind: 'finished', reason: 'completed' });
    await expectSameRun(spec, whole, iterations >> 1);
    if (iterations > 3) await expectSameRun(spec, whole, iterations - 1);
  });
});

test('a run goes on from behind its warm start without a second one', async () => {
  const spec = tinySpec();
  const whole = await eventsWith(spec, { checkpointEvery: 1 });
  await expectSameRun(spec, whole, 0);
  const rest = await eventsWith(spec, { resumeFrom: checkpointsIn(whole).get(0)! });
  expect(rest.some((event) => event.kind === 'phase' && event.phase === 'warmStart')).toBe(false);
  expect(rowsOf(rest).some(({ iteration }) => iteration === 0)).toBe(false);
});

/** What the replicas of an arm hold in the checkpoints of a run. */
async function heldBy(name: string): Promise<(arm: string) => readonly SavedReplica[]> {
  const checkpoints = [...checkpointsIn(await wholeRun(name)).values()].map(opened);
  return (arm) => checkpoints.flatMap(({ replicas }) => replicas.filter((own) => own.arm === arm));
}

test('what the runs above carry is really there', async () => {
  const pulses = await heldBy('pulses on all, on the latest, and on low entropy');
  const numSuccesses = (arm: string): number[] =>
    pulses(arm).map(({ successes }) => successes.tasks.length / 2);
  expect(numSuccesses('all')).toEqual(numSuccesses('all').toSorted((a, b) => a - b));
  expect(numSuccesses('all').at(-1)).toBeGreaterThan(Math.max(...numSuccesses('latest')));
  for (const arm of ['all', 'latest', 'entropy']) {
    expect(Math.max(...numSuccesses(arm))).toBeGreaterThan(0);
    expect(pulses(arm).at(-1)!.pulses.numPulses).toBeGreaterThan(0);
  }
  const moving = await heldBy('moving baselines of roles and batch, two seeds');
  expect(moving('role').some(({ baselines }) => baselines[0] !== 0)).toBe(true);
  expect(moving('batch').some(({ baselines }) => baselines.at(-1) !== 0)).toBe(true);
  const trees = await heldBy('trees of both kinds that wait');
  for (const arm of ['tree', 'expand'])
    expect(trees(arm).some(({ waiting }) => waiting.turns.length > 0)).toBe(true);
  const tags = (await heldBy('failure tags'))('seal').at(-1)!;
  expect(new Set(tags.tags!.weights.values).size).toBeGreaterThan(1);
  expect(tags.agents.some(({ recentNorms }) => recentNorms.length > 0)).toBe(true);
  expect(tags.agents.some(({ baselineNorms }) => baselineNorms.length > 0)).toBe(true);
});

/** A run that is made longer, beside the run that was so long from the start. */
test('an extended run is the run that was so long from the start, but for the evaluation of its former last iteration', async () => {
  const name = 'a pipeline with importance weights and V-trace';
  const long = resumableSpecs[name]!;
  // Five iterations instead of three, rollouts that wait two: those of iterations 4 and 5 are not sampled in the short run.
  const short = { ...long, iterations: 3 };
  const whole = await wholeRun(name);
  const cut = await eventsWith(short, { checkpointEvery: 1 });
  const atEnd = rowsOf(cut).filter(({ iteration, agent }) => iteration === 3 && agent === 'team');
  expect(atEnd.every(({ values }) => 'evalSuccess' in values)).toBe(true);
  const resumeFrom = checkpointsIn(cut).get(1)!;
  const rest = await eventsWith(long, { resumeFrom, checkpointEvery: 1 });
  expect(toldAfter(rest, 0)).toEqual(toldAfter(whole, 1));
  // What is known of the iterations before is the same as well: the specification alone differs.
  expect(toldAfter(cut, 0).slice(0, 1)).toEqual(toldAfter(whole, 0).slice(0, 1));
  const tooLate = await eventsWith(long, { resumeFrom: checkpointsIn(cut).get(2)! });
  expect(tooLate).toEqual([
    { kind: 'failed', iteration: 0, message: expect.stringContaining('iteration 1 or earlier') },
  ]);
});

test('a run that has ended is extended from its last checkpoint', async () => {
  const long = tinySpec({ iterations: 5 });
  const short = { ...long, iterations: 3 };
  const whole = await eventsWith(long, { checkpointEvery: 5 });
  const cut = await eventsWith(short, { checkpointEvery: 5 });
  expect([...checkpointsIn(cut).keys()]).toEqual([0, 3]);
  const rest = await eventsWith(long, { resumeFrom: checkpointsIn(cut).get(3)! });
  expect(rowsOf(rest)).toEqual(rowsOf(whole).filter(({ iteration }) => iteration > 3));
  // Of iteration 3 the evaluation alone differs, which only a last iteration has there.
  expect(rowsAt(3, cut)).not.toEqual(rowsAt(3, whole));
  expect(rowsAt(3, cut).map(withoutEvaluation)).toEqual(rowsAt(3, whole));
});

function rowsAt(wanted: number, events: readonly TrainerEvent[]): MetricRow[] {
  return rowsOf(events).filter(({ iteration }) => iteration === wanted);
}

function withoutEvaluation({ values, ...row }: MetricRow): MetricRow {
  const kept = Object.entries(values).filter(([name]) => name !== 'evalSuccess');
  return { ...row, values: Object.fromEntries(kept) };
}
