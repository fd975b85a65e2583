import type { EstimatorOptions } from '../groupAdvantages';
import type { StepScores } from '../stepScores';
import {
  casesOf,
  fileOf,
  toList,
  toNumber,
  toNumbers,
  toRecord,
  toText,
  type Case,
  type Json,
} from './cases';

/*
 * Vectors of an independent float64 implementation, from the papers' short names (`traj`, `eps`) to the glossary's.
 * The files are unchanged; only `load.ts` and `loadLosses.ts` know their layout.
 */

/** Numbers names 0, 1, … in order of first appearance. */
function idsOf(names: readonly string[]): { ids: Int32Array; distinct: string[] } {
  const distinct = [...new Set(names)];
  return { distinct, ids: Int32Array.from(names, (name) => distinct.indexOf(name)) };
}

function singletonOf(json: Json | undefined): EstimatorOptions['singleton'] {
  const text = toText(json, 'singleton');
  if (text !== 'zero' && text !== 'raw')
    throw new TypeError(`singleton is ${text}: expected zero or raw.`);
  return text;
}

function ddofOf(value: number): 0 | 1 {
  if (value !== 0 && value !== 1) throw new RangeError(`ddof is ${value}: expected 0 or 1.`);
  return value;
}

/** One step of one agent per trajectory. */
function singleStepScores(rewards: Float64Array, taskIds: Int32Array): StepScores {
  return {
    rewards,
    taskIds,
    trajectoryIds: Int32Array.from(rewards, (_reward, index) => index),
    agentIds: new Int32Array(rewards.length),
  };
}

interface GrpoCase extends Case {
  readonly scores: StepScores;
  readonly options: Pick<EstimatorOptions, 'ddof' | 'epsilon' | 'scale' | 'singleton'>;
  readonly advantages: Float64Array;
  /** Per group, in order of first appearance. */
  readonly means: Float64Array;
  readonly stds: Float64Array;
  readonly numSamples: Float64Array;
}

/** Group-relative advantages of single-step trajectories. */
export function loadGrpo(): GrpoCase[] {
  return casesOf('grpo_global').map(({ id, tolerance, input, expected }) => {
    const { ids, distinct } = idsOf(toList(input['groups'], `${id}.groups`).map(String));
    const options = toRecord(input['options'], `${id}.options`);
    const groups = toRecord(expected['groups'], `${id}.groups`);
    const column = (field: string): Float64Array =>
      Float64Array.from(distinct, (group) =>
        toNumber(toRecord(groups[group], `${id}.${group}`)[field], `${id}.${group}.${field}`),
      );
    return {
      id,
      tolerance,
      scores: singleStepScores(toNumbers(input['rewards'], `${id}.rewards`), ids),
      options: {
        ddof: ddofOf(toNumber(options['ddof'], `${id}.ddof`)),
        epsilon: toNumber(options['eps'], `${id}.eps`),
        scale: options['use_std'] === true ? 'std' : 'none',
        singleton: singletonOf(options['singleton']),
      },
      advantages: toNumbers(expected['advantages'], `${id}.advantages`),
      means: column('mean'),
      stds: column('std'),
      numSamples: column('n'),
    };
  });
}

interface AdvantageBound {
  readonly groupSize: number;
  /** Largest |A| with ddof 1. */
  readonly sample: number;
  /** Largest |A| with ddof 0. */
  readonly population: number;
}

/** Samuelson's bound on |A| for some group sizes. */
export function loadAdvantageBounds(): AdvantageBound[] {
  const invariants = toRecord(fileOf('grpo_global')['invariants'], 'invariants');
  return toList(invariants['max_abs_advantage'], 'max_abs_advantage').map((json, index) => {
    const bound = toRecord(json, `max_abs_advantage.${index}`);
    return {
      groupSize: toNumber(bound['n'], 'n'),
      sample: toNumber(bound['bessel'], 'bessel'),
      population: toNumber(bound['population'], 'population'),
    };
  });
}

interface NamedSteps {
  readonly scores: StepScores;
  readonly tasks: string[];
  readonly agents: string[];
}

/** Multi-agent steps with the names behind their ids. */
export function stepsOf(json: Json | undefined, path: string): NamedSteps {
  const steps = toList(json, path).map((step, index) => toRecord(step, `${path}.${index}`));
  const names = (field: string): ReturnType<typeof idsOf> =>
    idsOf(steps.map((step) => toText(step[field], `${path}.${field}`)));
  const tasks = names('prompt');
  const agents = names('agent');
  return {
    tasks: tasks.distinct,
    agents: agents.distinct,
    scores: {
      rewards: Float64Array.from(steps, (step) => toNumber(step['reward'], `${path}.reward`)),
      taskIds: tasks.ids,
      trajectoryIds: names('traj').ids,
      agentIds: agents.ids,
    },
  };
}

const scopes: Record<string, EstimatorOptions['scope']> = {
  'mu,sigma': 'task',
  'muk,sigmak': 'taskAgent',
  'muk,sigma': 'taskAgentMeanOnly',
  'mu,sigmak': 'taskAgentStdOnly',
};

/** `muk,sigma|trajectory|ddof1`. The level speaks of the task's statistics only: both statistics per agent are per step. */
function estimatorOf(key: string): Pick<EstimatorOptions, 'scope' | 'unit' | 'ddof'> {
  const [mode, level, ddof] = key.split('|');
  const scope = scopes[mode ?? ''];
  if (scope === undefined) throw new TypeError(`${key} names no known pair of statistics.`);
  const unit = scope === 'taskAgent' || level === 'step' ? 'step' : 'trajectory';
  return { scope, unit, ddof: ddof === undefined ? 1 : ddofOf(Number(ddof.replace('ddof', ''))) };
}

interface ExpectedDiagnostic {
  readonly ddof: 0 | 1;
  readonly task: number;
  readonly agent: number;
  readonly numSteps: number;
  readonly agentMean: number;
  readonly agentStd: number;
  readonly taskMean: number;
  readonly taskStd: number;
  readonly meanGap: number;
  readonly varianceRatio: number;
  readonly inflation: number;
}

interface DrMasCase extends Case {
  readonly scores: StepScores;
  readonly options: Pick<EstimatorOptions, 'epsilon' | 'singleton'>;
  readonly advantages: {
    readonly estimator: Pick<EstimatorOptions, 'scope' | 'unit' | 'ddof'>;
    readonly expected: Float64Array;
  }[];
  readonly diagnostics: ExpectedDiagnostic[];
  readonly lossBalanceWeights: Float64Array;
}

function diagnosticsOf(json: Json | undefined, steps: NamedSteps): ExpectedDiagnostic[] {
  return Object.entries(toRecord(json, 'diagnostics')).flatMap(([ddof, pairs]) =>
    Object.entries(toRecord(pairs, ddof)).map(([pair, fields]) => {
      const [task = '', agent = ''] = pair.split('|');
      const record = toRecord(fields, pair);
      const number = (field: string): number => toNumber(record[field], `${pair}.${field}`);
      return {
        ddof: ddofOf(Number(ddof.replace('ddof', ''))),
        task: steps.tasks.indexOf(task),
        agent: steps.agents.indexOf(agent),
        numSteps: number('n'),
        agentMean: number('mu_k'),
        agentStd: number('sigma_k'),
        taskMean: number('mu'),
        taskStd: number('sigma'),
        meanGap: number('mean_gap'),
        varianceRatio: number('var_ratio'),
        inflation: number('inflation'),
      };
    }),
  );
}

/** Agent-wise advantages, the ablations of Table 3, diagnostics and loss weights. */
export function loadDrMas(): DrMasCase[] {
  return casesOf('drmas').map(({ id, tolerance, input, expected }) => {
    const steps = stepsOf(input['steps'], `${id}.steps`);
    return {
      id,
      tolerance,
      scores: steps.scores,
      options: {
        epsilon: toNumber(input['eps'], `${id}.eps`),
        singleton: singletonOf(input['singleton']),
      },
      advantages: Object.entries(toRecord(expected['advantages'], `${id}.advantages`)).map(
        ([key, values]) => ({
          estimator: estimatorOf(key),
          expected: toNumbers(values, `${id}.${key}`),
        }),
      ),
      diagnostics: diagnosticsOf(expected['diagnostics'], steps),
      lossBalanceWeights: toNumbers(expected['loss_balance_weights'], `${id}.weights`),
    };
  });
}

/** Leave-one-out advantages of one group. */
export function loadRloo(): (Case & { scores: StepScores; advantages: Float64Array })[] {
  return casesOf('rloo').map(({ id, tolerance, input, expected }) => {
    const rewards = toNumbers(input['rewards'], `${id}.rewards`);
    return {
      id,
      tolerance,
      scores: singleStepScores(rewards, new Int32Array(rewards.length)),
      advantages: toNumbers(expected['advantages'], `${id}.advantages`),
    };
  });
}

interface DrGrpoCase extends Case {
  readonly scores: StepScores;
  /** Divided by nothing. */
  readonly meanOnly: Float64Array;
  /** Divided by the std. */
  readonly standardized: Float64Array;
}

/** Dr. GRPO beside GRPO on one group of single-step trajectories. */
export function loadDrGrpo(): DrGrpoCase[] {
  return casesOf('drgrpo').map(({ id, tolerance, input, expected }) => {
    const rewards = toNumbers(input['rewards'], `${id}.rewards`);
    return {
      id,
      tolerance,
      scores: singleStepScores(rewards, new Int32Array(rewards.length)),
      meanOnly: toNumbers(expected['dr_grpo'] ?? expected['dr_grpo_advantages'], `${id}.dr_grpo`),
      standardized: toNumbers(expected['grpo'] ?? expected['grpo_advantages'], `${id}.grpo`),
    };
  });
}
