import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { teamId } from '../../metrics/runSeries';
import { isMetricKey, levelMismatch } from '../../notebook/names';
import { experimentCells, type Notebook } from '../../notebook/notebook';
import { agentsOf } from '../../notebook/references';
import { armStatisticMeanings, metricStatisticMeanings } from '../../notebook/referenceText';
import { armStatistics, metricStatistics } from '../../notebook/statistics';

/** A name that can stand where the caret is. */
export interface Completion {
  readonly name: string;
  /** What it is, in a few words. */
  readonly meaning: string;
  /** What is put behind it: a dot where another name follows, braces where the reference is whole. */
  readonly after: '.' | '}}';
}

export interface Completions {
  /** What is replaced. Unit: UTF-16 code units. */
  readonly from: number;
  readonly to: number;
  /** One at least: those that begin as what is typed first, then those that hold it. */
  readonly options: readonly Completion[];
}

/** Experiments, arms, agents, metrics and statistics for the reference that the caret is in; null outside of one, or where nothing fits. */
export function completionsAt(
  source: string,
  caret: number,
  notebook: Notebook,
): Completions | null {
  const line = source.slice(source.lastIndexOf('\n', caret - 1) + 1, caret);
  const inside = /(?<!\\)\{\{[ \t]*([A-Za-z0-9.]*)$/.exec(line)?.[1];
  if (inside === undefined) return null;
  const names = inside.split('.');
  const typed = names.at(-1) ?? '';
  const options = matching(namesAfter(names.slice(0, -1), notebook), typed);
  if (options.length === 0) return null;
  const rest = /^[A-Za-z0-9]*/.exec(source.slice(caret))?.[0] ?? '';
  return { from: caret - typed.length, to: caret + rest.length, options };
}

function matching(options: readonly Completion[], typed: string): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const places = options.map(
    (option) => [option, option.name.toLowerCase().indexOf(wanted)] as const,
  );
  return [
    ...places.filter(([, place]) => place === 0),
    ...places.filter(([, place]) => place > 0),
  ].map(([option]) => option);
}

function namesAfter(before: readonly string[], notebook: Notebook): readonly Completion[] {
  const [experiment, arm, agent, metric] = before;
  const cells = experimentCells(notebook);
  if (experiment === undefined)
    return cells.map(({ id, spec }) => ({ name: id, meaning: spec.title, after: '.' }));
  const spec = cells.find(({ id }) => id === experiment)?.spec;
  if (spec === undefined) return [];
  if (arm === undefined)
    return spec.arms.map(({ name }) => ({ name, meaning: `arm of ${experiment}`, after: '.' }));
  if (agent === undefined) return [...numbersOfArm(), ...owners(agentsOf(spec))];
  if (metric === undefined) return metricsOf(agent);
  return before.length === 4 && isMetricKey(metric) ? numbersOfMetric() : [];
}

function numbersOfArm(): readonly Completion[] {
  return armStatistics.map((name) => ({ name, meaning: armStatisticMeanings[name], after: '}}' }));
}

function owners(agents: readonly string[]): readonly Completion[] {
  return [
    { name: teamId, meaning: 'metrics of the whole team', after: '.' },
    ...agents.map((name): Completion => ({ name, meaning: 'metrics of this agent', after: '.' })),
  ];
}

const metricKeys: readonly MetricKey[] = Object.keys(metricCatalog).filter(isMetricKey);

function metricsOf(agent: string): readonly Completion[] {
  return metricKeys
    .filter((metric) => levelMismatch(metric, agent) === null)
    .map((name) => ({ name, meaning: metricCatalog[name].label, after: '.' }));
}

function numbersOfMetric(): readonly Completion[] {
  return metricStatistics.map((name) => ({
    name,
    meaning: metricStatisticMeanings[name],
    after: '}}',
  }));
}

/** The text with a completion taken, and where the caret stands then: behind what was put in, and behind braces that were there. */
export function withCompletion(
  source: string,
  { from, to }: Completions,
  { name, after }: Completion,
): { readonly source: string; readonly caret: number } {
  const rest = source.slice(to);
  const isThere = rest.startsWith(after);
  const caret = from + name.length + after.length;
  return { source: `${source.slice(0, from)}${name}${isThere ? '' : after}${rest}`, caret };
}
