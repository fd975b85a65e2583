import { describe, expect, test } from 'vitest';
import type { TrainerEvent } from '../protocol/trainerApi';
import { parseSpec } from '../config/parseSpec';
import { resumableSpecs } from './testing/resumableSpecs';
import { checkpointsIn, eventsWith } from './testing/runInProcess';

/** Runs that are gone on with, beside the same runs undisturbed: equal to the last bit on the backend `cpu`. */

/** All that a run said of its iterations after `iteration`: rows, episodes, records, notices. */
function toldAfter(events: readonly TrainerEvent[], iteration: number): TrainerEvent[] {
  const start = events.findIndex(
    (event) => event.kind === 'iteration' && event.iteration > iteration,
  );
  return events.slice(start).filter(({ kind }) => kind !== 'throughput' && kind !== 'checkpoint');
}

describe.each(Object.entries(resumableSpecs))('a run with %s', (_, spec) => {
  test('goes on from any of its checkpoints as if it had not been interrupted', async () => {
    expect(parseSpec(spec)).toMatchObject({ ok: true });
    const whole = await eventsWith(spec, { checkpointEvery: 1 });
    const checkpoints = checkpointsIn(whole);
    const { iterations } = spec;
    expect([...checkpoints.keys()]).toEqual(Array.from({ length: iterations + 1 }, (__, i) => i));
    expect(whole.at(-1)).toMatchObject({ kind: 'finished', reason: 'completed' });
    for (const iteration of new Set([0, 1, iterations >> 1, iterations - 1])) {
      const resumeFrom = checkpoints.get(iteration)!;
      const rest = await eventsWith(spec, { resumeFrom, checkpointEvery: 1 });
      expect(toldAfter(rest, 0)).toEqual(toldAfter(whole, iteration));
      // The same state again, to the last bit: also of what no row shows.
      const again = checkpointsIn(rest);
      expect([...again.keys()]).toEqual([...checkpoints.keys()].slice(iteration + 1));
      for (const [at, bytes] of again)
        expect(Buffer.compare(Buffer.from(bytes), Buffer.from(checkpoints.get(at)!))).toBe(0);
    }
  });
});
