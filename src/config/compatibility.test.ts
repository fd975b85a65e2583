import { describe, expect, test } from 'vitest';
import { compatibilityIssues } from './compatibility';
import type { OverrideValue } from './experimentSpec';
import { fieldAt } from './fields';
import { applyOverrides } from './overrides';
import { parseTraining, trainingOf } from './parseTraining';
import { parseSpec, type SpecIssue } from './parseSpec';
import { presets, type PresetId } from './presets';

type Overrides = Readonly<Record<string, OverrideValue>>;

function issuesWith(overrides: Overrides, preset: PresetId): readonly SpecIssue[] {
  const parsed = parseTraining(applyOverrides(presets[preset].spec, overrides));
  return parsed.ok ? [] : parsed.issues;
}

interface Case {
  readonly title: string;
  readonly preset?: PresetId;
  readonly overrides: Overrides;
  /** Setting at which the reason stands. */
  readonly path: string;
  /** What the message must say: what came, and a way out. */
  readonly says: readonly string[];
  /** One more override that makes the same training valid. */
  readonly mended: Overrides;
}

const tree = { 'groups.sampling': 'tree' };
const byTurn = { 'estimator.scope': 'taskAgentTurn', 'estimator.unit': 'step' };
const corrected = { 'loss.oldLogprobs': 'trainer', 'loss.samplerCorrection': 'tokenTruncate' };

const refused: readonly Case[] = [
  {
    title: 'alignment in a world without sub-agents',
    overrides: { 'estimator.scope': 'taskAgent', 'estimator.alignment': 'weighted' },
    path: 'estimator.alignment',
    says: ['“weight d/d_k” came', '“as they are”', '“Plan, execute”'],
    mended: { 'estimator.alignment': 'none' },
  },
  ...['task', 'batch', 'taskAgentMeanOnly', 'taskAgentStdOnly'].map((scope) => ({
    title: `alignment over ${scope}`,
    preset: 'plan-execute' as const,
    overrides: { 'estimator.scope': scope },
    path: 'estimator.alignment',
    says: ['“duplicate or drop to d” came', '“task × agent (Dr. MAS)”'],
    mended: { 'estimator.alignment': 'none' },
  })),
  {
    title: 'a trajectory as sample of a turn',
    overrides: { 'estimator.scope': 'taskAgentTurn' },
    path: 'estimator.unit',
    says: ['“trajectory” came', '“step”'],
    mended: { 'estimator.unit': 'step' },
  },
  {
    title: 'hierarchical GRPO without a sub-agent',
    overrides: { 'estimator.kind': 'hierarchical' },
    path: 'estimator.kind',
    says: ['“hierarchical GRPO” came', '“Plan, execute”'],
    mended: { 'environment.kind': 'planExecute' },
  },
  ...['gae', 'vtrace'].flatMap((kind) =>
    ['state', 'sum'].map((critic) => ({
      title: `${kind} with a critic of ${critic} where rewards differ`,
      preset: 'plan-execute' as const,
      overrides: { 'estimator.kind': kind, 'estimator.critic': critic },
      path: 'estimator.critic',
      says: ['different rewards', '“own prompt (IPPO)”'],
      mended: { 'estimator.critic': 'own' },
    })),
  ),
  ...['rollout', 'turnReturn', 'gigpo', 'movingBaseline', 'gae', 'vtrace'].map((kind) => ({
    title: `a tree with ${kind}`,
    overrides: { 'estimator.kind': kind, ...tree },
    path: 'groups.sampling',
    says: ['“tree, best branch continues” came', '“parallel episodes”'],
    mended: { 'groups.sampling': 'parallel' },
  })),
  {
    title: 'a tree with groups of whole tasks',
    overrides: tree,
    path: 'groups.sampling',
    says: ['“task × agent × turn (AT-GRPO)”'],
    mended: byTurn,
  },
  ...['group', 'rollout', 'turnReturn', 'gigpo'].map((kind) => ({
    title: `a single rollout with ${kind}`,
    overrides: { 'estimator.kind': kind, 'groups.groupSize': 1 },
    path: 'groups.groupSize',
    says: ['1 came', 'advantage 0', '2 or more'],
    mended: { 'groups.groupSize': 2 },
  })),
  {
    title: 'a single rollout with hierarchical GRPO',
    preset: 'plan-execute',
    overrides: { 'estimator.kind': 'hierarchical', 'groups.groupSize': 1 },
    path: 'groups.groupSize',
    says: ['1 came'],
    mended: { 'estimator.kind': 'movingBaseline' },
  },
  {
    title: 'dropping groups without signal where none can have any',
    overrides: {
      'estimator.singleton': 'raw',
      'groups.groupSize': 1,
      'loss.dynamicSampling': true,
    },
    path: 'loss.dynamicSampling',
    says: ['every task would be dropped'],
    mended: { 'loss.dynamicSampling': false },
  },
  {
    title: 'a correction where the ratio is against the sampler',
    overrides: { 'loss.samplerCorrection': 'sequenceMask' },
    path: 'loss.samplerCorrection',
    says: ['“mask, per turn (TRL)” came', '“recomputed”'],
    mended: { 'loss.oldLogprobs': 'trainer' },
  },
  {
    title: 'a correction on top of V-trace',
    overrides: { 'estimator.kind': 'vtrace', ...corrected },
    path: 'loss.samplerCorrection',
    says: ['twice', '“none”'],
    mended: { 'loss.samplerCorrection': 'none' },
  },
  {
    title: 'dropped groups in a tree with one trunk',
    overrides: { ...tree, ...byTurn, 'loss.dynamicSampling': true },
    path: 'loss.dynamicSampling',
    says: ['On came', 'every group would be dropped', '“parallel episodes”'],
    mended: { 'loss.dynamicSampling': false },
  },
  {
    title: 'a full tree with too many leaves',
    overrides: {
      'groups.sampling': 'expand',
      'groups.groupSize': 9,
      'estimator.scope': 'taskAgentTurn',
      'estimator.unit': 'step',
    },
    path: 'groups.groupSize',
    // 16 · 9⁴
    says: ['9 came', '104976 leaves', '65536'],
    mended: { 'groups.groupSize': 8 },
  },
  {
    title: 'a gradient asked of a reward',
    overrides: {
      'loss.refKlCoef': 0.01,
      'loss.refKlIn': 'reward',
      'loss.refKlEstimator': 'k3ValueK2Gradient',
    },
    path: 'loss.refKlEstimator',
    says: ['no gradient', '“k3 (GRPO)”', '“k1”'],
    mended: { 'loss.refKlEstimator': 'k3' },
  },
  {
    title: 'rollouts that count equally in a mean of turns',
    overrides: { 'loss.balance': 'rollout', 'loss.aggregation': 'sequenceMean' },
    path: 'loss.balance',
    says: ['“rollouts equally (LightningRL)” came', '“token mean”'],
    mended: { 'loss.aggregation': 'tokenMean' },
  },
  {
    title: 'more overlong turns than turns',
    overrides: { 'environment.maxTurns': 4, 'loss.overlongTurns': 5 },
    path: 'loss.overlongTurns',
    says: ['5 came', 'at most 4 turns'],
    mended: { 'loss.overlongTurns': 4 },
  },
  {
    title: 'more minibatches than rollouts',
    overrides: {
      'groups.tasksPerIteration': 2,
      'groups.groupSize': 3,
      'loss.numMinibatches': 7,
    },
    path: 'loss.numMinibatches',
    says: ['7 came', '2 tasks × group size 3 = 6 rollouts'],
    mended: { 'loss.numMinibatches': 6 },
  },
  {
    title: 'bounds of the failure tags in the wrong order',
    overrides: { 'failureTags.kind': 'seal', 'failureTags.minScale': 3 },
    path: 'failureTags.minScale',
    says: ['3 came', 'largest factor 2'],
    mended: { 'failureTags.maxScale': 3 },
  },
];

describe('refused together', () => {
  test.each(refused)('$title', ({ preset = 'route-search-answer', overrides, path, ...wanted }) => {
    const issues = issuesWith(overrides, preset);
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    for (const words of wanted.says) expect(issues[0]?.message).toContain(words);
    expect(issuesWith({ ...overrides, ...wanted.mended }, preset)).toEqual([]);
  });
});

function pathsWith(overrides: Overrides, preset: PresetId): string[] {
  return issuesWith(overrides, preset).map(({ path }) => path);
}

const frozen = (...ids: string[]): Overrides =>
  Object.fromEntries(ids.map((id) => [`policies.${id}.isFrozen`, true]));

test('a team in which nobody learns is refused at every policy that acts, and so is a pulse for it', () => {
  const all = frozen('router', 'search', 'answer');
  expect(pathsWith(all, 'route-search-answer')).toEqual(Object.keys(all));
  expect(pathsWith({ ...all, 'pulses.kind': 'period' }, 'route-search-answer')).toEqual([
    ...Object.keys(all),
    'pulses.kind',
  ]);
  expect(pathsWith(frozen('router', 'search'), 'route-search-answer')).toEqual([]);
  // An executor that is never called learns nothing either.
  expect(
    pathsWith({ 'environment.singleAgent': true, ...frozen('planner') }, 'plan-execute'),
  ).toEqual(['policies.planner.isFrozen']);
  expect(pathsWith(frozen('planner'), 'plan-execute')).toEqual([]);
});

test.each([
  ['the baseline without a team, over M-GRPO', 'plan-execute', { 'environment.singleAgent': true }],
  [
    'AT-GRPO in a tree with parallel calls',
    'plan-execute',
    { ...tree, ...byTurn, 'estimator.alignment': 'none' },
  ],
  [
    'a single rollout that keeps its raw reward',
    'solve-verify',
    { 'groups.groupSize': 1, 'estimator.singleton': 'raw' },
  ],
  [
    'a single rollout against the batch',
    'solve-verify',
    { 'groups.groupSize': 1, 'estimator.scope': 'batch' },
  ],
  [
    'a single rollout whitened over the batch',
    'solve-verify',
    { 'groups.groupSize': 1, 'estimator.scale': 'batchStd' },
  ],
  [
    'a single rollout without a baseline',
    'solve-verify',
    { 'groups.groupSize': 1, 'estimator.center': 'none', 'estimator.scale': 'none' },
  ],
  [
    'a single rollout with a critic',
    'solve-verify',
    { 'groups.groupSize': 1, 'estimator.kind': 'gae' },
  ],
  [
    'V-trace over stale rollouts with a loss without a ratio',
    'solve-verify',
    {
      'groups.staleIterations': 2,
      'estimator.kind': 'vtrace',
      'loss.kind': 'cispoBand',
      'loss.clipLow': 0,
      'loss.clipHigh': 0,
    },
  ],
  [
    'a KL estimator of the loss while the penalty is off',
    'solve-verify',
    { 'loss.refKlIn': 'reward', 'loss.refKlEstimator': 'k3ValueK2Gradient' },
  ],
] as const)('allowed: %s', (_title, preset, overrides) => {
  expect(issuesWith(overrides, preset)).toEqual([]);
});

test.each(Object.entries(presets))(
  '%s and all of its arms agree with themselves',
  (_id, { spec }) => {
    expect(compatibilityIssues(trainingOf(spec))).toEqual([]);
    expect(parseSpec(spec).ok).toBe(true);
  },
);

test('reasons name options as the form prints them', () => {
  const field = fieldAt('estimator.alignment');
  const label = field?.kind === 'choice' ? field.options['fifo'] : undefined;
  const [issue] = issuesWith({ 'estimator.alignment': 'fifo' }, 'solve-verify');
  expect(issue?.message).toContain(`“${label}”`);
});
