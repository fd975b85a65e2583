import { isPlainObject, joinPath } from '../config/dataPath';
import type { ExperimentSpec, TrainingSpec } from '../config/experimentSpec';
import { fieldPathOf } from '../config/fields';
import { replicasOf } from '../config/overrides';
import { specHash } from '../config/specHash';
import { drMasAgents } from './drMasAgents';
import { drMasRules } from './drMasRules';
import type { DrMasContext, HydraOverride } from './drMasRule';

/** One run of an experiment as langfengQ/DrMAS would be told to train it. */
export interface DrMasConfig {
  /** In the order of our settings, each key once. */
  readonly overrides: readonly HydraOverride[];
  /** Settings of this run that have no counterpart, each with the reason. */
  readonly notCarried: readonly {
    readonly path: string;
    readonly value: unknown;
    readonly reason: string;
  }[];
}

/** Throws RangeError when the experiment has no such run. `spec` must be one that `parseSpec` gave. */
export function drMasConfig(spec: ExperimentSpec, arm: string, seed: number): DrMasConfig {
  const replica = replicasOf(spec).find((each) => each.arm === arm && each.seed === seed);
  if (replica === undefined)
    throw new RangeError(
      `The experiment has no run of ${arm} with seed ${seed}: name one of its arms and seeds.`,
    );
  const { training } = replica;
  const { iterations, evaluation, diagnostics, backend } = spec;
  const context = { training, evaluation };
  const overrides: HydraOverride[] = [['env.seed', seed], ...agentOverrides(training)];
  const notCarried: DrMasConfig['notCarried'][number][] = [];
  for (const [path, value] of leaves({
    ...training,
    iterations,
    evaluation,
    diagnostics,
    backend,
  })) {
    const said = sayOf(path, value, context);
    if (typeof said === 'string') notCarried.push({ path, value, reason: said });
    else overrides.push(...said);
  }
  return {
    overrides: [...new Map(overrides.map((entry) => [entry[0], entry])).values()],
    notCarried,
  };
}

function sayOf(
  path: string,
  value: unknown,
  context: DrMasContext,
): readonly HydraOverride[] | string {
  const field = fieldPathOf(path);
  return field === undefined
    ? 'Not in the field table: no rule for it.'
    : drMasRules[field](value, context);
}

function leaves(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (!isPlainObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, entry]) => leaves(entry, joinPath(path, key)));
}

/** Who acts, with which model, at which learning rate: lists over their agents. Nothing for a world that they do not have. */
function agentOverrides({ environment, agents, policies }: TrainingSpec): readonly HydraOverride[] {
  const names = drMasAgents[environment.kind];
  if (names === undefined) return [];
  const used = names.map(([agent]) => agents[agent]?.policy ?? agent);
  const rates = used.map((policy) => policies[policy]?.optimizer.learningRate ?? null);
  return [
    ['agent.agent_ids', JSON.stringify(names.map(([, theirs]) => theirs))],
    // Agents of one policy get one model.
    ['agent.model_ids', JSON.stringify(used.map((policy) => `MODEL_OF_${policy}`))],
    ['agent.model_sharing', new Set(used).size < used.length],
    ['actor_rollout_ref.model.path', 'null'],
    ['actor_rollout_ref.actor.optim.lr', 'null'],
    ['+agent.agent_specific_parameters.actor.optim.lr', JSON.stringify(rates)],
  ];
}

/**
 * The command that starts it, for a shell, with everything that was not carried in its comments. `MODEL_OF_…`, the data files and
 * what belongs to the machine (GPUs, micro-batches, rollout engine) are left to fill in.
 */
export function drMasCommand(spec: ExperimentSpec, arm: string, seed: number): string {
  const { overrides, notCarried } = drMasConfig(spec, arm, seed);
  const args = overrides.map(([key, value]) => `    ${key}=${shellWord(value)}`);
  return [
    `# langfengQ/DrMAS: ${arm}, seed ${seed} of experiment ${specHash(spec)}.`,
    '# Fill in: each MODEL_OF_…, TRAIN_DATA and VAL_DATA, and what belongs to your machine.',
    `# ${notCarried.length} settings have no counterpart there:`,
    ...notCarried.map(
      ({ path, value, reason }) => `#   ${path} = ${JSON.stringify(value)}: ${reason}`,
    ),
    ...steeringLines(spec),
    'python3 -m verl.trainer.main_ppo \\',
    [
      '    data.train_files=$TRAIN_DATA',
      '    data.val_files=$VAL_DATA',
      '    data.return_raw_chat=True',
      ...args,
    ].join(' \\\n'),
    '',
  ].join('\n');
}

/** Nothing there changes while a run goes on. */
function steeringLines({ interventions = [] }: ExperimentSpec): readonly string[] {
  return interventions.map(
    ({ iteration, arm, path, value }) =>
      `# Left out, from iteration ${iteration} on, ${arm === null ? 'in all arms' : `in arm ${arm}`}: ${path} = ${JSON.stringify(value)}`,
  );
}

/** Booleans as Python writes them; lists and names in single quotes, which nothing of ours contains. */
function shellWord(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = String(value);
  return /^[\w.-]+$/.test(text) ? text : `'${text}'`;
}
