import { useMemo } from 'react';
import { agentIdsOf, type ExperimentSpec } from '../config/experimentSpec';
import { replicasOf } from '../config/overrides';
import { presets } from '../config/presets';
import type { RunScope } from '../metrics/runSeries';
import { useRun } from './runStore';
import { useSpec } from './specStore';

/** The arms, seeds and agents that a run of `spec` logs, in the order of tables and charts. */
export function runScope(spec: ExperimentSpec): RunScope {
  const agents = replicasOf(spec).flatMap(({ training }) => agentIdsOf[training.environment.kind]);
  return {
    arms: spec.arms.map(({ name }) => name),
    seeds: spec.seeds,
    agents: [...new Set(agents)],
  };
}

/** The specification that the results belong to: what has run, or what would run, or the preset while the form is invalid. */
export function useShownSpec(): ExperimentSpec {
  const ran = useRun((state) => state.spec);
  const parsed = useSpec((state) => state.parsed);
  const presetId = useSpec((state) => state.presetId);
  return ran ?? (parsed.ok ? parsed.spec : presets[presetId].spec);
}

/** The scope of the shown specification; the same object as long as the specification is. */
export function useShownScope(): RunScope {
  const spec = useShownSpec();
  return useMemo(() => runScope(spec), [spec]);
}
