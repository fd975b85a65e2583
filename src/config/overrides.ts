import {
  commonLoss,
  defaultEnvironments,
  defaultEstimators,
  defaultFailureTags,
  defaultGroups,
  defaultLosses,
  defaultOptimizers,
  defaultPulses,
} from './defaults';
import {
  agentIdsOf,
  type ExperimentSpec,
  type OverrideValue,
  type TrainingSpec,
} from './experimentSpec';
import { parseTraining, trainingOf } from './parseTraining';
import { isPlainObject, joinPath, replaceAt, valueAt, type PlainObject } from './dataPath';

type Overrides = Readonly<Record<string, OverrideValue>>;

/** One (arm, seed) of an experiment. */
export interface Replica {
  /** 0-based, arm-major: all seeds of the first arm, then of the second, … */
  readonly index: number;
  readonly arm: string;
  readonly seed: number;
  /** The base with the arm's overrides. Replicas of one arm share the object. */
  readonly training: TrainingSpec;
}

/** A setting in which two specifications differ; undefined where one of them has no such setting. */
export interface SpecDifference {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * The training part of `spec` with other values at some paths, as plain data: give it to `parseTraining`.
 *
 * A path must exist and lead to a single setting. Those that choose a kind replace more than themselves, before all others apply:
 * they bring the defaults of that kind, but keep what `unions` lists; `environment.kind` brings the default settings of that world and
 * gives its agents the existing policies in order (the last one also to the agents left over).
 * Throws RangeError on a path from `unknownOverridePaths`.
 */
export function applyOverrides(spec: TrainingSpec, overrides: Overrides): PlainObject {
  const [unknownPath] = unknownOverridePaths(spec, overrides);
  if (unknownPath !== undefined)
    throw new RangeError(
      `${unknownPath} leads to no single setting of a training: an override replaces one that exists, e.g. estimator.scope.`,
    );
  return withOverrides({ ...trainingOf(spec) }, overrides);
}

/** As `applyOverrides`, for a specification that is being edited and not valid now. Throws RangeError on a path that does not exist. */
export function withOverrides(data: PlainObject, overrides: Overrides): PlainObject {
  return Object.entries(overrides).reduce<PlainObject>(
    (edited, [path, value]) => replaceAt(edited, path, value),
    withKindsSwitched(data, overrides),
  );
}

/** The overrides whose path leads to no single setting of a training. */
export function unknownOverridePaths(spec: TrainingSpec, overrides: Overrides): readonly string[] {
  const data = withKindsSwitched({ ...trainingOf(spec) }, overrides);
  return Object.keys(overrides).filter((path) => !isSetting(valueAt(data, path)));
}

function isSetting(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'object' || value === null);
}

function withKindsSwitched(data: PlainObject, overrides: Overrides): PlainObject {
  return Object.entries(overrides).reduce<PlainObject>(
    (switched, [path, value]) => switchKind(switched, path, value),
    data,
  );
}

/** A group of settings whose members depend on its kind. */
interface Union {
  /** Path of the setting that chooses the kind. */
  readonly path: RegExp;
  readonly defaults: Readonly<Record<string, object>>;
  /** Settings that keep their value where the new kind has them too. */
  readonly kept: readonly string[];
  /** One of them that is not carried to or from a certain kind. */
  readonly notKept?: { readonly name: string; readonly kind: string };
}

const unions: readonly Union[] = [
  { path: /^loss\.kind$/, defaults: defaultLosses, kept: Object.keys(commonLoss) },
  {
    path: /^estimator\.kind$/,
    defaults: defaultEstimators,
    kept: ['ddof', 'epsilon', 'minStd', 'singleton', 'critic', 'valueLearningRate', 'valueEpochs'],
  },
  {
    path: /^groups\.sampling$/,
    defaults: defaultGroups,
    kept: ['tasksPerIteration', 'groupSize', 'staleIterations'],
    // Branches of a full tree multiply from turn to turn: as many as rollouts side by side would be too many.
    notKept: { name: 'groupSize', kind: 'expand' },
  },
  { path: /^pulses\.kind$/, defaults: defaultPulses, kept: Object.keys(defaultPulses.entropy) },
  { path: /^failureTags\.kind$/, defaults: defaultFailureTags, kept: [] },
  {
    path: /^policies\.[^.]+\.optimizer\.kind$/,
    defaults: defaultOptimizers,
    kept: ['maxGradNorm'],
  },
];

/**
 * `data` with the union member that goes with another kind, see `applyOverrides`. Any other path, a kind that does not
 * exist and the kind that is already set return `data` itself.
 */
export function switchKind(data: PlainObject, path: string, kind: unknown): PlainObject {
  const current = valueAt(data, path);
  if (typeof kind !== 'string' || current === undefined || current === kind) return data;
  if (path === 'environment.kind') return switchEnvironment(data, kind);
  const union = unions.find((entry) => entry.path.test(path));
  return union === undefined ? data : switchUnion(data, path, kind, union);
}

function switchUnion(data: PlainObject, path: string, kind: string, union: Union): PlainObject {
  const settings = Object.hasOwn(union.defaults, kind) ? union.defaults[kind] : undefined;
  if (settings === undefined) return data;
  const kinds = new Set([kind, valueAt(data, path)]);
  const [groupPath, kindName] = [path.replace(/\.[^.]+$/, ''), path.replace(/^.*\./, '')];
  const kept = Object.keys(settings)
    .filter((name) => name !== kindName && union.kept.includes(name))
    .filter((name) => name !== union.notKept?.name || !kinds.has(union.notKept.kind))
    .map((name) => [name, valueAt(data, `${groupPath}.${name}`)] as const)
    .filter(([, value]) => value !== undefined);
  return replaceAt(data, groupPath, { ...settings, ...Object.fromEntries(kept) });
}

function switchEnvironment(data: PlainObject, kind: string): PlainObject {
  if (!isKeyOf(defaultEnvironments, kind)) return data;
  const policyIds = policyIdsByAgent(data);
  const agents = Object.fromEntries(
    agentIdsOf[kind].map((agent, i) => [agent, { policy: policyIds[i] ?? policyIds.at(-1) }]),
  );
  return { ...data, environment: defaultEnvironments[kind], agents };
}

/** The policies of the agents, in the order of the agents: two agents that share one keep sharing it. */
function policyIdsByAgent(data: PlainObject): readonly unknown[] {
  const agents = valueAt(data, 'agents');
  return isPlainObject(agents)
    ? Object.values(agents).map((agent) => valueAt(agent, 'policy'))
    : [];
}

function isKeyOf<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

/**
 * The complete training of every arm, by its name.
 * Throws TypeError when an arm's overrides give no valid training; `parseSpec` returns only specifications whose arms do.
 */
export function armTrainings(spec: ExperimentSpec): ReadonlyMap<string, TrainingSpec> {
  return new Map(
    spec.arms.map(({ name, overrides }) => {
      const parsed = parseTraining(applyOverrides(spec, overrides));
      if (parsed.ok) return [name, parsed.training];
      const reasons = parsed.issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
      throw new TypeError(`Arm ${name} is no valid training (parse the spec first). ${reasons}`);
    }),
  );
}

/** Every (arm, seed) with its complete training, in arm-major order. Throws as `armTrainings`. */
export function replicasOf(spec: ExperimentSpec): readonly Replica[] {
  return [...armTrainings(spec)].flatMap(([arm, training], armIndex) =>
    spec.seeds.map((seed, seedIndex) => ({
      index: armIndex * spec.seeds.length + seedIndex,
      arm,
      seed,
      training,
    })),
  );
}

/**
 * The settings in which `spec` differs from `base` (`from` is the base's value), in the order of `base`, then what only `spec` has.
 * Lists of plain values (seeds) count as one setting. Takes two experiments, or two trainings.
 */
export function differencesOf(spec: TrainingSpec, base: TrainingSpec): readonly SpecDifference[] {
  const to = new Map(settingsOf(spec));
  const from = new Map(settingsOf(base));
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((path) => ({ path, from: from.get(path), to: to.get(path) }))
    .filter((difference) => JSON.stringify(difference.from) !== JSON.stringify(difference.to));
}

/** Path and value of every single setting, in document order. */
function settingsOf(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (!hasNamedParts(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, entry]) => settingsOf(entry, joinPath(path, key)));
}

function hasNamedParts(value: unknown): value is object {
  return isPlainObject(value) || (Array.isArray(value) && value.some(isPlainObject));
}
