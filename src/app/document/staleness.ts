import { useMemo } from 'react';
import { create } from 'zustand';
import type { ExperimentSpec } from '../../config/experimentSpec';
import { staleCells, type StaleCells } from '../../notebook/staleness';
import { allDesks, watchRuns } from '../desks';
import { usePresent } from './documentStore';

type LastRuns = ReadonlyMap<string, ExperimentSpec>;

/** What each experiment last ran with; experiments that have not run are absent. */
const useLastRuns = create<{ readonly runs: LastRuns }>(() => ({ runs: new Map() }));

/** Takes stock again: a run has begun or was cleared, or other experiments are on the page. */
export function noteLastRuns(): void {
  const runs = new Map(
    allDesks().flatMap(({ id, run }) => {
      const { spec } = run.getState();
      return spec === null ? [] : [[id, spec] as const];
    }),
  );
  useLastRuns.setState({ runs });
}

watchRuns((run, before) => {
  if (run.spec !== before.spec) noteLastRuns();
});

/** Which cells no longer speak of what the notebook says, and why. */
export function useStaleCells(): StaleCells {
  const notebook = usePresent();
  const runs = useLastRuns((state) => state.runs);
  return useMemo(() => staleCells(notebook, runs), [notebook, runs]);
}
