import type { AnchoredSteps, GigpoOptions } from '../gigpo';
import type { RoleRewards } from '../movingBaseline';
import {
  casesOf,
  toList,
  toNumber,
  toNumbers,
  toRecord,
  toText,
  type Case,
  type Json,
} from './cases';

/*
 * Vectors of an independent float64 implementation for estimators with machinery of their own, from the papers' short names to the
 * glossary's. The files are unchanged; only the loaders know their layout.
 */

type RawCase = ReturnType<typeof casesOf>[number];

/** Numbers names 0, 1, … in order of first appearance. */
function numbered(names: readonly string[]): { ids: Int32Array; distinct: string[] } {
  const distinct = [...new Set(names)];
  return { distinct, ids: Int32Array.from(names, (name) => distinct.indexOf(name)) };
}

function caseOf(name: string, id: string): RawCase {
  const found = casesOf(name).find((raw) => raw.id === id);
  if (found === undefined) throw new RangeError(`${name}.json lost its case ${id}.`);
  return found;
}

/** A list of lists of numbers. */
function toRows(json: Json | undefined, path: string): Float64Array[] {
  return toList(json, path).map((row, index) => toNumbers(row, `${path}.${index}`));
}

interface GigpoCase extends Case {
  readonly steps: AnchoredSteps;
  readonly options: GigpoOptions;
  /** [numTrajectories] */
  readonly episodeAdvantages: Float64Array;
  /** [S] */
  readonly returns: Float64Array;
  readonly stepAdvantages: Float64Array;
  readonly advantages: Float64Array;
  readonly anchorGroupSizes: Int32Array;
}

function modeOf(json: Json | undefined): GigpoOptions['mode'] {
  const text = toText(json, 'mode');
  if (text === 'mean_norm') return 'meanNorm';
  if (text === 'mean_std_norm') return 'meanStdNorm';
  throw new TypeError(`mode is ${text}: expected mean_norm or mean_std_norm.`);
}

/** Episode and anchor-state advantages of one agent's steps; minStd 0 because the vectors divide by ε alone where the std is 0. */
export function loadGigpo(): GigpoCase[] {
  return casesOf('gigpo').map(({ id, tolerance, input, expected }) => {
    const rows = toList(input['trajs'], `${id}.trajs`).flatMap((json, trajectory) => {
      const record = toRecord(json, `${id}.trajs.${trajectory}`);
      return toList(record['steps'], `${id}.steps`).map((step) => {
        const [anchor, reward] = toList(step, `${id}.steps`);
        return {
          trajectory,
          prompt: toText(record['prompt'], `${id}.prompt`),
          anchor: toText(anchor, `${id}.anchor`),
          reward: toNumber(reward, `${id}.reward`),
        };
      });
    });
    const sizes = toRecord(expected['group_sizes'], `${id}.group_sizes`);
    return {
      id,
      tolerance,
      steps: {
        rewards: Float64Array.from(rows, ({ reward }) => reward),
        taskIds: numbered(rows.map(({ prompt }) => prompt)).ids,
        trajectoryIds: Int32Array.from(rows, ({ trajectory }) => trajectory),
        agentIds: new Int32Array(rows.length),
        anchors: numbered(rows.map(({ anchor }) => anchor)).ids,
      },
      options: {
        scope: 'task',
        mode: modeOf(input['mode']),
        gamma: toNumber(input['gamma'], `${id}.gamma`),
        stepWeight: toNumber(input['w'], `${id}.w`),
        ddof: toNumber(input['ddof'], `${id}.ddof`) === 0 ? 0 : 1,
        epsilon: toNumber(input['eps'], `${id}.eps`),
        minStd: 0,
      },
      episodeAdvantages: toNumbers(expected['episode_adv'], `${id}.episode_adv`),
      returns: toNumbers(expected['step_returns'], `${id}.step_returns`),
      stepAdvantages: toNumbers(expected['step_adv'], `${id}.step_adv`),
      advantages: toNumbers(expected['advantages'], `${id}.advantages`),
      anchorGroupSizes: Int32Array.from(rows, ({ prompt, anchor }) =>
        toNumber(sizes[`${prompt}|${anchor}`], `${id}.group_sizes`),
      ),
    };
  });
}

interface RewardComposition {
  /** [format, correct], each 0 or 1. */
  readonly main: readonly Float64Array[];
  readonly mainRewards: Float64Array;
  /** [format, main correct, oracle] */
  readonly sub: readonly Float64Array[];
  readonly subRewards: Float64Array;
}

/** What main trajectories and invocations earn in M-GRPO. */
export function loadRewardComposition(): RewardComposition & Case {
  const { id, tolerance, input, expected } = caseOf('mgrpo', 'reward_composition');
  return {
    id,
    tolerance,
    main: toRows(input['main'], 'main'),
    mainRewards: toNumbers(expected['main'], 'main'),
    sub: toRows(input['sub'], 'sub'),
    subRewards: toNumbers(expected['sub'], 'sub'),
  };
}

interface SubAdvantages {
  /** [M] how often each invocation counts. */
  readonly weights: Float64Array;
  readonly mean: number;
  readonly std: number;
  /** [M] */
  readonly advantages: Float64Array;
}

interface AlignmentCase extends Case {
  /** [G] × [d_k] */
  readonly invocationRewards: readonly Float64Array[];
  readonly alignTo: number;
  readonly ddof: 0 | 1;
  /** [G] × [d] which invocations the sub-samples are; none of a rollout without. */
  readonly drawn: readonly Float64Array[];
  /** Every invocation once, with weight d/d_k: with the population std, whatever `ddof`. */
  readonly weighted: SubAdvantages;
  /** Every invocation once. */
  readonly unaligned: SubAdvantages;
}

function subAdvantages(json: Json | undefined, path: string): SubAdvantages {
  const record = toRecord(json, path);
  const advantages = toNumbers(record['adv'], `${path}.adv`);
  const weights = record['weights'];
  return {
    weights:
      weights === undefined
        ? new Float64Array(advantages.length).fill(1)
        : toNumbers(weights, `${path}.weights`),
    mean: toNumber(record['mean'], `${path}.mean`),
    std: toNumber(record['std'], `${path}.std`),
    advantages,
  };
}

/** Sub-trajectories of one task before and after M-GRPO's alignment. */
export function loadAlignments(): AlignmentCase[] {
  return casesOf('mgrpo')
    .filter(({ id }) => id.startsWith('align_dup_drop'))
    .map(({ id, tolerance, input, expected }) => ({
      id,
      tolerance,
      invocationRewards: toRows(input['sub_rewards'], `${id}.sub_rewards`),
      alignTo: toNumber(input['d'], `${id}.d`),
      ddof: toNumber(input['ddof'], `${id}.ddof`) === 0 ? 0 : 1,
      drawn: toRows(expected['aligned_indices'], `${id}.aligned_indices`),
      weighted: subAdvantages(expected['weighted'], `${id}.weighted`),
      unaligned: subAdvantages(expected['unaligned'], `${id}.unaligned`),
    }));
}

/** A task on which no rollout called the sub-agent. */
export function loadNeverCalled(): { numInvocations: number[]; alignTo: number; numSubs: number } {
  const { input, expected } = caseOf('mgrpo', 'sub_never_called');
  return {
    numInvocations: toRows(input['sub_rewards'], 'sub_rewards').map(({ length }) => length),
    alignTo: toNumber(input['d'], 'd'),
    numSubs: toNumbers(expected['sub_adv'], 'sub_adv').length,
  };
}

interface TrajectoryRatioCase extends Case {
  /** [B] × [turns] log π of each step of a trajectory. Unit: nats. */
  readonly logprobs: readonly Float64Array[];
  readonly oldLogprobs: readonly Float64Array[];
  /** [B] */
  readonly advantages: Float64Array;
  readonly clip: number;
  /** [B] */
  readonly ratios: Float64Array;
  readonly loss: number;
}

/** M-GRPO's objective with one ratio per trajectory, a product without a root. */
export function loadTrajectoryRatio(): TrajectoryRatioCase {
  const { id, tolerance, input, expected } = caseOf('mgrpo', 'trajectory_ratio');
  return {
    id,
    tolerance,
    logprobs: toRows(input['logp'], 'logp'),
    oldLogprobs: toRows(input['old_logp'], 'old_logp'),
    advantages: toNumbers(input['advantages'], 'advantages'),
    clip: toNumber(input['clip'], 'clip'),
    ratios: toNumbers(expected['ratio'], 'ratio'),
    loss: toNumber(expected['loss'], 'loss'),
  };
}

interface RoleBaselineCase extends Case {
  readonly rewards: RoleRewards;
  readonly decay: number;
  readonly numAgents: number;
  /** [S] */
  readonly advantages: Float64Array;
  /** [numAgents] after the last entry. */
  readonly baselines: Float64Array;
}

/** Advantages against each role's own moving average. */
export function loadRoleBaseline(): RoleBaselineCase {
  const { id, tolerance, input, expected } = caseOf('extras', 'role_ema_baseline');
  const entries = toList(input['seq'], 'seq').map((entry) => toList(entry, 'seq'));
  const roles = numbered(entries.map(([role]) => toText(role, 'role')));
  const baselines = toRecord(expected['baselines'], 'baselines');
  return {
    id,
    tolerance,
    rewards: {
      rewards: Float64Array.from(entries, ([, reward]) => toNumber(reward, 'reward')),
      agentIds: roles.ids,
    },
    decay: toNumber(input['decay'], 'decay'),
    numAgents: roles.distinct.length,
    advantages: toNumbers(expected['advantages'], 'advantages'),
    baselines: Float64Array.from(roles.distinct, (role) => toNumber(baselines[role], role)),
  };
}

interface JointTurnsCase extends Case {
  /** [G × turns] joint reward of each turn, joint sample by joint sample. */
  readonly rewards: Float64Array;
  readonly numTurns: number;
  readonly gamma: number;
  readonly returns: Float64Array;
  readonly advantages: Float64Array;
}

/** MAGRPO: per turn, the joint return against the mean of the joint samples. */
export function loadJointTurns(): JointTurnsCase {
  const { id, tolerance, input, expected } = caseOf('extras', 'magrpo');
  return {
    id,
    tolerance,
    rewards: toNumbers(input['rewards'], 'rewards'),
    numTurns: toRows(input['rewards'], 'rewards')[0]!.length,
    gamma: toNumber(input['gamma'], 'gamma'),
    returns: toNumbers(expected['returns'], 'returns'),
    advantages: toNumbers(expected['advantages'], 'advantages'),
  };
}
