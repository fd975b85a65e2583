import { describe, expect, test } from 'vitest';
import type { ExperimentSpec } from '../config/experimentSpec';
import type { Intervention, SteeringCommand } from '../config/interventionSchema';
import type { LoggedIntervention } from '../config/loggedIntervention';
import { parseSpec } from '../config/parseSpec';
import { withIntervention } from '../config/steerSpec';
import type { PolicyApi } from '../protocol/policyApi';
import type { Acknowledgement, TrainerEvent } from '../protocol/trainerApi';
import {
  localPolicy,
  rowsOf,
  stillEnvironment,
  tinyPolicies,
  tinySpec,
} from './testing/runInProcess';
import { createTrainer } from './trainer';

const base = tinySpec({ iterations: 6, evaluation: { every: 6, tasks: 4, greedy: false } });
const [first, second] = base.arms.map(({ name }) => name);

interface SteeredRun {
  readonly events: readonly TrainerEvent[];
  readonly rows: string;
  readonly log: readonly LoggedIntervention[];
  readonly answers: readonly Acknowledgement[];
}

/** A run with commands given as soon as an iteration was told: what comes then takes effect two iterations later at the latest. */
async function steered(
  spec: ExperimentSpec,
  commands: Readonly<Record<number, readonly SteeringCommand[]>> = {},
  environment = stillEnvironment,
): Promise<SteeredRun> {
  const events: TrainerEvent[] = [];
  const trainer = createTrainer(environment);
  const answers: Promise<Acknowledgement>[] = [];
  await trainer.start(spec, (event) => {
    events.push(event);
    if (event.kind !== 'iteration') return;
    for (const command of commands[event.iteration] ?? []) answers.push(trainer.intervene(command));
  });
  return {
    events,
    rows: JSON.stringify(rowsOf(events)),
    log: events.flatMap((event) => (event.kind === 'intervened' ? [event.intervention] : [])),
    answers: await Promise.all(answers),
  };
}

/** The rows before an iteration. */
function until({ events }: SteeredRun, end: number): string {
  return JSON.stringify(rowsOf(events).filter(({ iteration }) => iteration < end));
}

function ofArm({ events }: SteeredRun, name: string): string {
  return JSON.stringify(rowsOf(events).filter(({ arm }) => arm === name));
}

function replayOf(spec: ExperimentSpec, log: readonly LoggedIntervention[]): ExperimentSpec {
  const interventions = log.map(({ iteration, arm, path, value }): Intervention => ({
    iteration,
    arm,
    path,
    value,
  }));
  const parsed = parseSpec(JSON.parse(JSON.stringify({ ...spec, interventions })));
  if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
  return parsed.spec;
}

const rate: SteeringCommand = { arm: null, path: 'policies.*.optimizer.learningRate', value: 0.02 };

const penalised = tinySpec({
  ...base,
  loss: { ...base.loss, refKlCoef: 0.01 },
});
const shared = tinySpec({
  ...base,
  agents: { router: { policy: 'all' }, search: { policy: 'all' }, answer: { policy: 'all' } },
  policies: tinyPolicies(['all']),
});

describe('a run that is steered live is the run of the specification that it became, to the last bit', () => {
  test.each<[string, ExperimentSpec, SteeringCommand]>([
    ['the learning rate of all policies', base, rate],
    [
      'the learning rate of one policy in one arm',
      base,
      { arm: second!, path: 'policies.search.optimizer.learningRate', value: 0.03 },
    ],
    [
      'the clip of the gradient',
      base,
      { arm: null, path: 'policies.*.optimizer.maxGradNorm', value: 1e-3 },
    ],
    [
      'the clip of the ratio',
      tinySpec({ ...base, loss: { ...base.loss, numUpdateEpochs: 3 } }),
      { arm: null, path: 'loss.clipHigh', value: 1e-6 },
    ],
    ['the KL penalty', penalised, { arm: first!, path: 'loss.refKlCoef', value: 5 }],
    ['the KL penalty off', penalised, { arm: null, path: 'loss.refKlCoef', value: 0 }],
    ['the entropy bonus', base, { arm: null, path: 'loss.entropyCoef', value: 0.7 }],
    ['what is compared', base, { arm: first!, path: 'estimator.scope', value: 'taskAgent' }],
    ['the estimator', base, { arm: first!, path: 'estimator.kind', value: 'movingBaseline' }],
    ['the loss', base, { arm: null, path: 'loss.kind', value: 'sapo' }],
    ['a policy that rests', base, { arm: null, path: 'policies.search.isFrozen', value: true }],
    ['the update epochs', base, { arm: null, path: 'loss.numUpdateEpochs', value: 3 }],
    [
      'a policy that agents share',
      shared,
      { arm: second!, path: 'policies.all.optimizer.learningRate', value: 0.03 },
    ],
    [
      'rollouts that are stale',
      tinySpec({ ...base, groups: { ...base.groups, staleIterations: 1 } }),
      rate,
    ],
  ])('%s', async (_what, spec, command) => {
    const live = await steered(spec, { 2: [command] });
    expect(live.log).toHaveLength(1);
    expect(live.log[0]).toMatchObject({ ...command, by: 'user' });
    expect(live.answers).toEqual([{ ok: true, intervention: live.log[0] }]);
    const replay = await steered(replayOf(spec, live.log));
    expect(replay.rows).toBe(live.rows);
    expect(replay.log).toEqual(live.log.map((one) => ({ ...one, by: 'spec' })));
    // It did something: from its iteration on the run is another.
    const plain = await steered(spec);
    const { iteration } = live.log[0]!;
    expect(until(live, iteration)).toBe(until(plain, iteration));
    expect(live.rows).not.toBe(plain.rows);
  });
});

test('what one arm is told leaves the others as they would have been', async () => {
  const plain = await steered(base);
  const live = await steered(base, { 1: [{ ...rate, arm: first! }] });
  expect(ofArm(live, second!)).toBe(ofArm(plain, second!));
  expect(ofArm(live, first!)).not.toBe(ofArm(plain, first!));
});

test('rates on the charts are those after the change, times the schedule', async () => {
  const policies = Object.fromEntries(
    Object.entries(base.policies).map(([id, policy]) => [
      id,
      { ...policy, schedule: { ...policy.schedule, kind: 'linear' as const, finalFraction: 0.5 } },
    ]),
  );
  const spec = tinySpec({ ...base, policies });
  const { events } = await steered(withIntervention(spec, { ...rate, iteration: 4 }));
  const rates = rowsOf(events)
    .filter(({ arm, agent }) => arm === first && agent === 'router')
    .map(({ values }) => values.learningRate);
  const start = base.policies['router']!.optimizer.learningRate;
  expect(rates[2]! / start).toBeCloseTo(rates[3]! / 0.02 + 0.1, 9);
  expect(rates.at(-1)).toBeCloseTo(0.01, 12);
});

test('a policy that is frozen stays as it is, and learns again when it is let', async () => {
  const frozen = { arm: null, path: 'policies.search.isFrozen' };
  const spec = replayOf(base, [
    { ...frozen, iteration: 2, value: true, was: [], by: 'user' },
    { ...frozen, iteration: 5, value: false, was: [], by: 'user' },
  ]);
  const { events, log } = await steered(spec);
  const learned = rowsOf(events)
    .filter(({ arm, agent, values }) => arm === first && agent === 'search' && values.numTurns! > 0)
    .map(({ iteration, values }) => [iteration, values.gradNorm !== undefined]);
  expect(learned.filter(([, has]) => has === true).map(([iteration]) => iteration)).not.toContain(
    3,
  );
  expect(learned).toContainEqual([5, true]);
  expect(learned).toContainEqual([3, false]);
  expect(log.map(({ was }) => was)).toEqual([[false], [true]]);
});

test('an intervention at iteration 1 holds from the first update on, after the warm start', async () => {
  const spec = withIntervention(base, { ...rate, value: 0, iteration: 1 });
  const { events } = await steered(spec);
  const kls = rowsOf(events).flatMap(({ values }) => values.approxKl ?? []);
  expect(kls.length).toBeGreaterThan(0);
  expect(Math.max(...kls)).toBeLessThan(1e-9);
});

test('commands take effect in the order in which they came, and each is told what was there', async () => {
  const { answers, log } = await steered(base, { 1: [rate, { ...rate, value: 0.03 }] });
  expect(answers.map((answer) => answer.ok && answer.intervention.value)).toEqual([0.02, 0.03]);
  const start = base.policies['router']!.optimizer.learningRate;
  expect(log.map(({ was }) => was)).toEqual([[start], [0.02]]);
  expect(new Set(log.map(({ iteration }) => iteration)).size).toBe(1);
});

test.each<[string, SteeringCommand, string]>([
  ['a value that the form refuses', { ...rate, value: -1 }, 'expected a number from 0 to 10'],
  [
    'a setting of memory',
    { ...rate, path: 'groups.groupSize' },
    'cannot change while a run goes on',
  ],
  ['an arm that is not there', { ...rate, arm: 'nobody' }, 'nobody came'],
])('%s is refused, and the run is the same', async (_what, command, words) => {
  const plain = await steered(base);
  const { answers, log, rows } = await steered(base, { 1: [command] });
  expect(log).toEqual([]);
  expect(answers).toHaveLength(1);
  expect(answers[0]!.ok || answers[0]!.reason).toContain(words);
  expect(rows).toBe(plain.rows);
});

test('what comes too late is refused with the end of the run', async () => {
  const { answers, events } = await steered(base, { 6: [rate] });
  expect(answers[0]!.ok || answers[0]!.reason).toContain('The run ended before');
  expect(events.at(-1)).toMatchObject({ kind: 'finished' });
  const trainer = createTrainer(stillEnvironment);
  const answer = await trainer.intervene(rate);
  expect(answer.ok || answer.reason).toContain('Nothing runs');
});

test('while a run is paused a command waits, and takes effect in the iteration that a step lets pass', async () => {
  const trainer = createTrainer(stillEnvironment);
  const order: string[] = [];
  await trainer.start(tinySpec({ ...base, iterations: 3 }), (event) => {
    if (event.kind === 'intervened') order.push(`changed ${event.intervention.iteration}`);
    if (event.kind === 'iteration') {
      order.push(`iteration ${event.iteration}`);
      if (event.iteration === 1) void trainer.pause();
    }
    if (event.kind !== 'paused') return;
    order.push('paused');
    if (event.iteration !== 1) return void trainer.resume();
    void trainer.intervene(rate).then(() => order.push('answered'));
    void trainer.step();
  });
  expect(order.filter((one) => one !== 'answered')).toEqual([
    'iteration 0',
    'iteration 1',
    'paused',
    'changed 2',
    'iteration 2',
    'paused',
    'iteration 3',
  ]);
  expect(order).toContain('answered');
});

test('policies are told of a change once, and only those that it concerns', async () => {
  const told: string[] = [];
  const environment = {
    ...stillEnvironment,
    createPolicy: (policyId: string) => {
      const handle = localPolicy();
      const { api } = handle;
      const setHypers: PolicyApi['setHypers'] = (replicas) => {
        told.push(policyId);
        return api.setHypers(replicas);
      };
      return { ...handle, api: { ...api, setHypers } };
    },
  };
  await steered(base, {}, environment);
  expect(told).toEqual([]);
  const command = { arm: null, path: 'policies.search.optimizer.maxGradNorm', value: 0.5 };
  await steered(base, { 1: [command] }, environment);
  expect(told).toEqual(['search']);
  // An estimator is nothing to a policy.
  told.length = 0;
  await steered(base, { 1: [{ arm: null, path: 'estimator.epsilon', value: 0.1 }] }, environment);
  expect(told).toEqual([]);
});
