import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { crc32 } from '../config/crc32';
import {
  checkpointSchema,
  type CheckpointDocument,
  type SavedCritic,
  type SavedPolicy,
  type SavedReplica,
} from '../config/checkpointSchema';
import { defaultLosses } from '../config/defaults';
import type { ExperimentSpec } from '../config/experimentSpec';
import { parseSpec } from '../config/parseSpec';
import { canonicalJson, specHash } from '../config/specHash';
import { parseLlamaCheckpoint, writeLlamaCheckpoint } from '../interop/llamaCheckpoint';
import { parameterSpecs } from '../agents/parameters';
import { parseArrayFile, writeArrayFile } from '../protocol/arrayFile';
import { policyWeights } from '../protocol/policyWeights';
import { parseRunCheckpoint } from '../protocol/runCheckpoint';
import { planExperiment } from './cohorts';
import { resumedFrom } from './runCheckpoints';
import { loadedSpec as spec } from './testing/resumableSpecs';
import { checkpointsIn, eventsWith } from './testing/runInProcess';

/** Checkpoints of a run that carries everything, whole and in the hands of somebody who means harm. */

const plan = planExperiment(spec);
let bytes = new ArrayBuffer();

beforeAll(async () => {
  bytes = checkpointsIn(await eventsWith(spec, { checkpointEvery: 1 })).get(2)!;
});

/** Nothing but what tests change. */
type Editable<T> = { -readonly [K in keyof T]: T[K] };

type Tree = Editable<Omit<CheckpointDocument, 'replicas' | 'policies' | 'critics'>> & {
  replicas: Editable<SavedReplica>[];
  policies: Editable<SavedPolicy>[];
  critics: Editable<SavedCritic>[];
};

/** What the file says after a change to what it holds, checksum and all. */
function changed(change: (tree: Tree) => void): ArrayBuffer {
  const file = parseArrayFile(bytes);
  if (!file.ok) throw new Error(file.reason);
  const parsed = checkpointSchema.parse(file.tree);
  const tree: Tree = {
    ...parsed,
    policies: parsed.policies.map((policy) => Object.assign({}, policy)),
    critics: parsed.critics.map((critic) => Object.assign({}, critic)),
    replicas: parsed.replicas.map((replica) => Object.assign({}, replica)),
  };
  change(tree);
  return writeArrayFile(tree);
}

function refusalOrNull(file: ArrayBuffer, wanted: ExperimentSpec = spec): string | null {
  try {
    resumedFrom(wanted, wanted === spec ? plan : planExperiment(wanted), file);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

function refusalOf(file: ArrayBuffer, wanted?: ExperimentSpec): string {
  return refusalOrNull(file, wanted) ?? 'It was not refused.';
}

test('a checkpoint holds every part that a run can carry', () => {
  expect(parseSpec(spec)).toMatchObject({ ok: true });
  const parsed = parseRunCheckpoint(bytes);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { policies, critics, replicas, iteration } = parsed.checkpoint;
  expect(iteration).toBe(2);
  expect(policies.map(({ policyId }) => policyId)).toEqual(['router', 'search', 'answer']);
  for (const { numbers } of policies) {
    expect(numbers.reference).not.toBeNull();
    expect(numbers.moments2.some((moment) => moment > 0)).toBe(true);
  }
  expect(critics).toHaveLength(1);
  expect(critics[0]!.replicas).toEqual([{ arm: 'mappo', seed: 0 }]);
  for (const { successes, waiting, tags, pulses } of replicas) {
    expect(successes.rollouts.tokens.length).toBeGreaterThan(0);
    expect(waiting.tokens.length).toBeGreaterThan(0);
    expect(tags).not.toBeNull();
    expect(pulses.numPulses).toBe(1);
  }
  expect(resumedFrom(spec, plan, bytes)).toMatchObject({ iteration: 2 });
});

const hostile: Readonly<Record<string, readonly [(tree: Tree) => void, RegExp]>> = {
  'a part too many': [(tree) => Object.assign(tree, { extra: 1 }), /extra/],
  'a part too few': [(tree) => Reflect.deleteProperty(tree, 'critics'), /critics/],
  'a specification that is none': [(tree) => (tree.spec = '{"version":1}'), /not valid/],
  'a specification that is no JSON': [(tree) => (tree.spec = '{'), /no JSON/],
  'another hash': [(tree) => (tree.specHash = '0123456789abcdef'), /has the hash/],
  'an iteration beyond the last': [(tree) => (tree.iteration = 9), /behind iteration 9 of 3/],
  'another iteration': [(tree) => (tree.iteration = 1), /replicas\.0\.waiting: .*expected 2/],
  'a policy less': [(tree) => tree.policies.pop(), /policies: their architectures/],
  'another policy': [(tree) => (tree.policies[0]!.policyId = 'other'), /policies: their/],
  'another seed of a policy': [
    (tree) =>
      (tree.policies[0]!.replicas = [
        { arm: 'mappo', seed: 1 },
        { arm: 'grpo', seed: 0 },
      ]),
    /policies: their/,
  ],
  'weights that are too few': [
    (tree) =>
      (tree.policies[0]!.numbers = {
        ...tree.policies[0]!.numbers,
        weights: tree.policies[0]!.numbers.weights.slice(1),
      }),
    /policies\.0 \(router\): \d+ weights came/,
  ],
  'weights of another type': [
    (tree) => Object.assign(tree.policies[0]!.numbers, { weights: new Int32Array(2) }),
    /policies\.0\.numbers\.weights/,
  ],
  'a second moment below 0': [
    (tree) => (tree.policies[1]!.numbers.moments2[3] = -1),
    /policies\.1 \(search\): a second moment/,
  ],
  'half a step': [(tree) => (tree.policies[1]!.numbers.counts[0] = 1.5), /whole counts of steps/],
  'no reference where one is needed': [
    (tree) => Object.assign(tree.policies[0]!.numbers, { reference: null }),
    /policies\.0: reference/,
  ],
  'a critic less': [(tree) => tree.critics.pop(), /critics: their/],
  'a critic that is too small': [
    (tree) =>
      (tree.critics[0]!.numbers = {
        weights: new Float32Array(2),
        moments1: new Float32Array(2),
        moments2: new Float32Array(2),
        counts: new Float32Array(1),
      }),
    /critics\.0: 2 weights came/,
  ],
  'a replica less': [(tree) => tree.replicas.pop(), /replicas: 1 came, expected 2/],
  'replicas in another order': [
    (tree) => (tree.replicas = tree.replicas.toReversed()),
    /replicas\.0: grpo, seed 0 came/,
  ],
  'a baseline too many': [
    (tree) => (tree.replicas[0]!.baselines = new Float64Array(9)),
    /replicas\.0\.baselines: 9 came/,
  ],
  'no tags': [(tree) => (tree.replicas[1]!.tags = null), /replicas\.1\.tags: failure tags are on/],
  'an agent less': [
    (tree) => (tree.replicas[0]!.agents = tree.replicas[0]!.agents.slice(1)),
    /replicas\.0\.agents: 2 came, expected 3/,
  ],
  'a norm below 0': [
    (tree) =>
      (tree.replicas[0]!.agents = tree.replicas[0]!.agents.map((agent) =>
        Object.assign(agent, { recentNorms: Float64Array.of(-1) }),
      )),
    /agents\.0\.recentNorms/,
  ],
  'a share above 1': [
    (tree) => (tree.replicas[0]!.agents[0]!.peak[0] = 1.5),
    /agents\.0: peak: expected one share/,
  ],
  'a token that nobody knows': [
    (tree) => (tree.replicas[0]!.waiting.tokens[0] = 1000),
    /replicas\.0\.waiting\.tokens: 1000 came, expected 0 to/,
  ],
  'a token too few': [
    (tree) =>
      (tree.replicas[0]!.waiting = {
        ...tree.replicas[0]!.waiting,
        tokens: tree.replicas[0]!.waiting.tokens.slice(1),
      }),
    /replicas\.0\.waiting\.tokens/,
  ],
  'a log-probability too many': [
    (tree) =>
      (tree.replicas[0]!.waiting = {
        ...tree.replicas[0]!.waiting,
        logprobs: new Float32Array(tree.replicas[0]!.waiting.logprobs.length + 1),
      }),
    /replicas\.0\.waiting: there is more/,
  ],
  'a batch of another iteration': [
    (tree) => (tree.replicas[0]!.waiting.trajectories[0] = 2),
    /replicas\.0\.waiting: rollouts for the iterations 2, 3 came, expected 3/,
  ],
  'half a row': [
    (tree) =>
      (tree.replicas[0]!.waiting = {
        ...tree.replicas[0]!.waiting,
        turns: tree.replicas[0]!.waiting.turns.slice(1),
      }),
    /replicas\.0\.waiting\.turns: \d+ numbers are no rows/,
  ],
  'an endless episode': [
    (tree) => (tree.replicas[0]!.waiting.trajectories[2] = 1e9),
    /numTurns is 1000000000/,
  ],
  'a task of no rollouts': [
    (tree) => (tree.replicas[0]!.successes.tasks[1] = 0),
    /replicas\.0\.successes: a task of 0 rollouts/,
  ],
  'a task of too many rollouts': [
    (tree) => (tree.replicas[0]!.successes.tasks[1] = 1e6),
    /replicas\.0\.successes: a task of 1000000 rollouts/,
  ],
};

test.each(Object.entries(hostile))('%s is refused with the place', (_, [change, reason]) => {
  const message = refusalOf(changed(change));
  expect(message).toMatch(reason);
  expect(message).toMatch(/^The checkpoint .*Take another checkpoint, or start the run anew\.$/);
});

/** One policy's learning rate falls from the first iteration on, or rises over the first three. */
function scheduled(kind: 'linear' | 'constant', iterations: number): ExperimentSpec {
  const search = spec.policies['search']!;
  const warmupIterations = kind === 'linear' ? 0 : 3;
  const schedule = { kind, warmupIterations, finalFraction: 0 };
  return { ...spec, iterations, policies: { ...spec.policies, search: { ...search, schedule } } };
}

/** As if the run had been that of `other`. */
function checkpointOf(other: ExperimentSpec): ArrayBuffer {
  return changed((tree) => {
    tree.spec = canonicalJson(other);
    tree.specHash = specHash(other);
  });
}

describe('a checkpoint of another experiment', () => {
  test('is refused with the first setting that differs', () => {
    const other = { ...spec, loss: { ...defaultLosses.gspo, refKlCoef: 0.1 } };
    expect(refusalOf(bytes, other)).toMatch(
      /of another experiment: loss\.kind is "clip" there and "gspo" here, and \d+ more settings differ/,
    );
    expect(refusalOf(bytes, { ...spec, seeds: [7] })).toMatch(/seeds/);
  });

  test('fewer iterations, and none that are left, are refused', () => {
    expect(refusalOf(bytes, { ...spec, iterations: 2 })).toMatch(/ask for 3 or more/);
    const atEnd = changed((tree) => (tree.iteration = 3));
    expect(refusalOf(atEnd)).toMatch(/the last of this run: raise the number of iterations/);
  });

  test('a decay that was meant for fewer iterations cannot be stretched afterwards; a warm-up can', () => {
    const decaying = refusalOf(checkpointOf(scheduled('linear', 4)), scheduled('linear', 8));
    expect(decaying).toMatch(/learning rate of policy search was scheduled for 4 iterations/);
    expect(() =>
      resumedFrom(scheduled('constant', 8), plan, checkpointOf(scheduled('constant', 4))),
    ).not.toThrow();
  });
});

test('five hundred signed files with changed bytes are refused in one sentence or read; nothing else is thrown', () => {
  let numRefused = 0;
  const edit = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 9 }));
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const file = new Uint8Array(bytes.slice(0));
      const end = file.length - 4;
      // Most of the file is weights, in which most changes are only other weights: every second edit goes to the header.
      for (const [index, [at, patch]] of edits.entries())
        file.set(patch, 12 + (at % (index % 2 === 0 ? 6000 : end - 12 - patch.length)));
      new DataView(file.buffer).setUint32(end, crc32(file.subarray(0, end)), true);
      expect(policyWeights(file.buffer)).toHaveProperty('ok');
      const refusal = refusalOrNull(file.buffer);
      if (refusal !== null) numRefused++;
      expect(refusal ?? 'The checkpoint fits.').toMatch(/^The (checkpoint|run) .*\.$/s);
    }),
    { numRuns: 500 },
  );
  expect(numRefused).toBeGreaterThan(250);
});

test('the weights of every replica are found by the names of their parameters, and leave as a Llama checkpoint', () => {
  const read = policyWeights(bytes);
  if (!read.ok) throw new Error(read.reason);
  expect(read.iteration).toBe(2);
  expect(read.policies.map(({ policyId, arm, seed }) => `${policyId} ${arm} ${seed}`)).toEqual([
    'router mappo 0',
    'router grpo 0',
    'search mappo 0',
    'search grpo 0',
    'answer mappo 0',
    'answer grpo 0',
  ]);
  const resumed = resumedFrom(spec, plan, bytes);
  for (const [index, policy] of read.policies.entries()) {
    const { architecture, vocabularySize, parameters, weights } = policy;
    const specs = parameterSpecs(architecture, vocabularySize);
    expect(parameters.map(({ name, shape }) => ({ name, shape }))).toEqual(
      specs.map(({ name, shape }) => ({ name, shape })),
    );
    expect(Float32Array.from(parameters.flatMap(({ values }) => Array.from(values)))).toEqual(
      weights,
    );
    const [cohort, slot] = [index >> 1, index & 1];
    const size = weights.length;
    expect(weights).toEqual(
      resumed.policies[cohort]!.weights.slice(slot * size, (slot + 1) * size),
    );
    const files = writeLlamaCheckpoint(policy, {});
    expect(parseLlamaCheckpoint(files, policy)).toEqual({ ok: true, value: weights });
  }
  // Two arms that learn in different ways.
  expect(read.policies[0]!.weights).not.toEqual(read.policies[1]!.weights);
});

test('a damaged file gives no weights, and says why', () => {
  expect(policyWeights(bytes.slice(8))).toMatchObject({ ok: false });
});
