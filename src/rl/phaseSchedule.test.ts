import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  initialPhase,
  nextPhase,
  type PhaseObservation,
  type PhaseState,
  type PulseSchedule,
} from './phaseSchedule';

const byEntropy: PulseSchedule = {
  trigger: { kind: 'entropy', hMin: 0.5 },
  sftSteps: 2,
  minRlIterations: 3,
};
const byPeriod: PulseSchedule = {
  trigger: { kind: 'period', numIterations: 3 },
  sftSteps: 2,
  minRlIterations: 1,
};

/** Phases in the order in which their work is done: the first, and one more after each observation. */
function phases(schedule: PulseSchedule, observations: readonly PhaseObservation[]): string {
  const states = [initialPhase];
  for (const observation of observations)
    states.push(nextPhase(states.at(-1)!, observation, schedule));
  return states.map(({ phase }) => (phase === 'rl' ? 'R' : 's')).join('');
}

/** One step of the schedule, as something that may throw. */
function scheduled(schedule: PulseSchedule): () => unknown {
  return () => nextPhase(initialPhase, { entropy: 1, numSuccesses: 1 }, schedule);
}

function seen(entropy: number | null, numSuccesses = 1): PhaseObservation {
  return { entropy, numSuccesses };
}

function repeated(observation: PhaseObservation, times: number): PhaseObservation[] {
  return Array.from({ length: times }, () => observation);
}

test('entropy below hMin starts a pulse of the given length, then reinforcement learning resumes', () => {
  const run = [seen(1), seen(0.8), seen(0.6), seen(0.4), seen(0.4), seen(0.9), seen(1)];
  expect(phases(byEntropy, run)).toBe('RRRRssRR');
});

test('an entropy exactly at hMin, not measured, or not a number does not fire', () => {
  for (const entropy of [0.5, null, NaN])
    expect(phases(byEntropy, repeated(seen(entropy), 6))).toBe('RRRRRRR');
});

test('a pulse that does not help is followed by reinforcement learning before the next', () => {
  expect(phases(byEntropy, repeated(seen(0.1), 10))).toBe('RRRssRRRssR');
});

test('a period counts iterations of reinforcement learning only, whatever the entropy', () => {
  expect(phases(byPeriod, repeated(seen(9), 10))).toBe('RRRssRRRssR');
});

test('without a success to learn from the pulse waits for one', () => {
  const run = [...repeated(seen(0.1, 0), 5), seen(0.1, 1), seen(0.1, 1)];
  expect(phases(byEntropy, run)).toBe('RRRRRRss');
  expect(phases(byPeriod, run)).toBe('RRRRRRss');
});

test('the pulses are counted when they begin', () => {
  const due: PhaseState = { phase: 'rl', numIterations: 2, numPulses: 4 };
  const pulse = nextPhase(due, seen(0.1), byEntropy);
  expect(pulse).toEqual({ phase: 'sft', remainingSteps: 2, numPulses: 5 });
  expect(nextPhase(pulse, seen(0.1), byEntropy)).toEqual({ ...pulse, remainingSteps: 1 });
});

test('every pulse has its full length and every pause at least the smallest, on any series', () => {
  const entropies = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 });
  fc.assert(
    fc.property(entropies, fc.integer({ min: 1, max: 4 }), (run, length) => {
      const schedule = { ...byEntropy, sftSteps: length };
      const line = phases(
        schedule,
        run.map((entropy) => seen(entropy)),
      );
      // The last piece may be cut by the end of the series.
      for (const pulse of line.match(/s+(?=R)/g) ?? []) expect(pulse).toHaveLength(length);
      for (const pause of line.match(/R+(?=s)/g) ?? [])
        expect(pause.length).toBeGreaterThanOrEqual(schedule.minRlIterations);
    }),
  );
});

test('impossible schedules are refused', () => {
  expect(scheduled({ ...byEntropy, sftSteps: 0 })).toThrow('sftSteps is 0');
  expect(scheduled({ ...byEntropy, minRlIterations: 1.5 })).toThrow('minRlIterations is 1.5');
  expect(scheduled({ ...byEntropy, trigger: { kind: 'entropy', hMin: NaN } })).toThrow(
    'hMin is NaN',
  );
  expect(scheduled({ ...byPeriod, trigger: { kind: 'period', numIterations: 0 } })).toThrow(
    'numIterations is 0',
  );
});
