import * as z from 'zod/mini';
import { seedSchema, type ExperimentSpec } from '../config/experimentSpec';
import { fields } from '../config/fields';
import { claimCell } from './claimCell';
import { armNameSchema, cellIdSchema, metricSchema } from './names';
import { comparisonStatistics } from './statistics';

/** Longest source of a text cell. Unit: UTF-16 code units. */
export const maxTextLength = 50_000;

/** Most lines that a legend can tell apart would be far fewer; this bounds what a file can ask for. */
const maxListed = 32;

function listed<T extends z.ZodMiniType>(entry: T): z.ZodMiniArray<T> {
  return z.array(entry).check(
    z.minLength(1),
    z.maxLength(maxListed),
    z.refine(
      (entries: readonly unknown[]) => new Set(entries).size === entries.length,
      'every entry may come once',
    ),
  );
}

/** `all` follows the experiment when its world changes; a list does not. */
const agents = z.union([z.literal('all'), listed(armNameSchema)], {
  error: 'all, or a list of different agents',
});

/** 0 = measured before the first update. */
const iteration = z.int().check(z.minimum(0), z.maximum(fields.iterations.max));

const textCell = z.strictObject({
  id: cellIdSchema,
  kind: z.literal('text'),
  /** Markdown with live values `{{cell.arm.statistic}}`. */
  source: z.string().check(z.maxLength(maxTextLength)),
});

/** The frame of an experiment cell: its specification has a parser of its own, which knows documents of every age. */
export const experimentFrameSchema = z.strictObject({
  id: cellIdSchema,
  kind: z.literal('experiment'),
  spec: z.optional(z.unknown()),
});

/** Every other kind shows or judges the runs of one experiment cell. */
const shownExperiment = { experiment: cellIdSchema } as const;

const chartCell = z.strictObject({
  id: cellIdSchema,
  kind: z.literal('chart'),
  ...shownExperiment,
  metrics: listed(metricSchema),
  agents,
  x: z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('iteration') }),
      z.strictObject({ kind: z.literal('environmentSteps') }),
      z.strictObject({ kind: z.literal('tokens') }),
      z.strictObject({ kind: z.literal('wallTime') }),
      z.strictObject({ kind: z.literal('metric'), metric: metricSchema }),
    ],
    { error: 'one of iteration, environmentSteps, tokens, wallTime, metric' },
  ),
  yScale: z.enum(['linear', 'log', 'symlog']),
  /** Weight of the past in the debiased moving average; 0 = none. */
  smoothing: z.number().check(z.minimum(0), z.maximum(0.999)),
  /** What is drawn around the line of several seeds; `seeds`: each seed as a thin line. */
  band: z.enum(['minMax', 'std', 'stderr', 'bootstrap', 'seeds']),
  /** Clips the axis, never the data. */
  hasOutlierClip: z.boolean(),
  /** Arm whose value at the same seed is subtracted; null = values as they are. */
  pairedBaseline: z.nullable(armNameSchema),
  /** Of the plots. Unit: CSS pixels. */
  height: z.int().check(z.minimum(120), z.maximum(1200)),
  /** Share of the column that the cell takes where there is room: cells that fit stand side by side. */
  width: z.enum(['full', 'twoThirds', 'half', 'third']),
});

const comparisonCell = z.strictObject({
  id: cellIdSchema,
  kind: z.literal('comparison'),
  ...shownExperiment,
  /** null = how the arms did at a glance: success, collapses, and each agent's norms. */
  metric: z.nullable(metricSchema),
  /** Which agents have rows; says nothing for a metric of the team. */
  agents,
  /** null = the first arm. */
  baseline: z.nullable(armNameSchema),
  statistics: listed(z.enum(comparisonStatistics)),
});

const microscopeCell = z.strictObject({
  id: cellIdSchema,
  kind: z.literal('microscope'),
  ...shownExperiment,
  iteration,
  /** 0-based, among the tasks of the iteration. */
  taskGroup: z.int().check(z.minimum(0), z.maximum(fields['groups.tasksPerIteration'].max - 1)),
  arm: armNameSchema,
  seed: seedSchema,
});

const rolloutsCell = z.strictObject({
  id: cellIdSchema,
  kind: z.literal('rollouts'),
  ...shownExperiment,
  outcome: z.enum(['any', 'solved', 'failed']),
  /** Took at least one turn; null = any. */
  agent: z.nullable(armNameSchema),
  arm: z.nullable(armNameSchema),
  seed: z.nullable(seedSchema),
  iteration: z.union([z.literal('latest'), z.literal('any'), iteration], {
    error: 'latest, any, or the number of an iteration',
  }),
});

export type TextCell = z.infer<typeof textCell>;
export type ExperimentCell = Omit<z.infer<typeof experimentFrameSchema>, 'spec'> & {
  spec: ExperimentSpec;
};
export type ChartCell = z.infer<typeof chartCell>;
export type ComparisonCell = z.infer<typeof comparisonCell>;
export type MicroscopeCell = z.infer<typeof microscopeCell>;
export type RolloutsCell = z.infer<typeof rolloutsCell>;
export type ClaimCell = z.infer<typeof claimCell>;

/** A cell that names one experiment cell and shows nothing without it. */
export type DependentCell = ChartCell | ComparisonCell | MicroscopeCell | RolloutsCell | ClaimCell;
export type NotebookCell = TextCell | ExperimentCell | DependentCell;
export type CellKind = NotebookCell['kind'];

/** All kinds whose schema says everything. */
export const plainCellSchema = z.discriminatedUnion('kind', [
  textCell,
  chartCell,
  comparisonCell,
  microscopeCell,
  rolloutsCell,
  claimCell,
]);

/** In the order in which the page offers them. */
export const cellKinds: readonly CellKind[] = [
  'text',
  'experiment',
  'chart',
  'comparison',
  'microscope',
  'rollouts',
  'claim',
];
