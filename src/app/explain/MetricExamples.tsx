import { useMemo } from 'react';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { replicasOf } from '../../config/overrides';
import { metricCatalog, type MetricKey } from '../../metrics/catalog';
import { teamId, type RunScope, type RunSeries } from '../../metrics/runSeries';
import { workedExample, type ExampleKey, type WorkedExample } from '../../metrics/workedExample';
import { useShownSpec } from '../runScope';
import { runFacts } from './runFacts';

interface MetricExamplesProps {
  readonly series: RunSeries;
  /** `series.revision` as of now. */
  readonly revision: number;
  readonly scope: RunScope;
  readonly metrics: readonly MetricKey[];
  /** Those that have panels, at least one. */
  readonly agents: readonly string[];
  /** Agent pointed at elsewhere on the page. */
  readonly emphasizedAgent: string | null;
}

/** The latest values of a chart's metrics, worked out with the numbers of the first arm and seed. */
export function MetricExamples(props: MetricExamplesProps) {
  const { series, revision, scope, metrics } = props;
  const spec = useShownSpec();
  const agent = shownAgent(props);
  const examples = useMemo(
    // The series is appended to in place: the revision tells that it has grown.
    () => (revision < 0 ? [] : examplesOf(spec, series, scope, { metrics, agent })),
    [spec, series, revision, scope, metrics, agent],
  );
  if (examples.length === 0)
    return <p className="muted">With the first iteration the formula stands here in numbers.</p>;
  return examples.map(({ of, example }) => <Example key={of.metric} of={of} example={example} />);
}

/** The one that is pointed at, if the chart shows it, else the first. */
function shownAgent({ agents, emphasizedAgent }: MetricExamplesProps): string {
  const isShown = emphasizedAgent !== null && agents.includes(emphasizedAgent);
  return isShown ? emphasizedAgent : (agents[0] ?? teamId);
}

interface KeyedExample {
  readonly of: ExampleKey;
  readonly example: WorkedExample;
}

interface Shown {
  readonly metrics: readonly MetricKey[];
  readonly agent: string;
}

function examplesOf(
  spec: ExperimentSpec,
  series: RunSeries,
  { arms }: RunScope,
  { metrics, agent }: Shown,
): readonly KeyedExample[] {
  const [replica] = replicasOf(spec);
  if (replica === undefined) return [];
  const { arm, seed, training } = replica;
  return metrics.flatMap((metric) => {
    const owner = metricCatalog[metric].level === 'team' ? teamId : agent;
    const of = { metric, arm, seed, agent: owner };
    const example = workedExample(series, of, runFacts(training, owner, spec), arms);
    return example === null ? [] : [{ of, example }];
  });
}

function Example({ of: { metric, arm, seed, agent }, example }: KeyedExample) {
  const { text, iteration, lines, history, arms, isHealthy } = example;
  return (
    <div className="example">
      <p>
        {metricCatalog[metric].label} <strong>{text}</strong>, {agent} in iteration {iteration}, arm{' '}
        {arm}, seed {seed}
        {isHealthy === false && <span className="example-outside"> outside the healthy range</span>}
      </p>
      {lines.map((line) => (
        <p key={line} className="formula">
          {line}
        </p>
      ))}
      <p className="muted">{history}</p>
      {arms.length > 0 && (
        <p className="muted">
          Other arms: {arms.map((other) => `${other.arm} ${other.text}`).join(', ')}.
        </p>
      )}
    </div>
  );
}
