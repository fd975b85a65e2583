import { useMemo } from 'react';
import { create } from 'zustand';
import type { LiveSource } from '../../notebook/liveValues';
import { runLookup } from '../../notebook/runLookup';
import type { ExperimentRun } from '../../notebook/runSummaries';
import type { ClaimSource } from '../../notebook/claimEvidence';
import { allDesks, watchRuns } from '../desks';
import { usePresent } from './documentStore';
import { useStaleCells } from './staleness';

type ReadRuns = ReadonlyMap<string, ExperimentRun>;

/** While a run goes on, what is read in sentences changes no faster than one can read. Unit: ms. */
const paceMs = 500;

/** The runs that texts and claims speak of: id of an experiment → its newest run. New objects when there is something new. */
const useReadRuns = create<{ readonly runs: ReadRuns }>(() => ({ runs: new Map() }));

/** Reads all runs anew. */
export function readRuns(): void {
  const runs = new Map(
    allDesks().flatMap(({ id, run }) => {
      const { spec, series, revision } = run.getState();
      return spec === null || revision === 0 ? [] : [[id, { spec, series }] as const];
    }),
  );
  useReadRuns.setState({ runs });
}

let waiting: ReturnType<typeof setTimeout> | undefined;

watchRuns((run, before) => {
  if (run.phase !== before.phase || run.spec !== before.spec) readRuns();
  else if (run.revision !== before.revision && waiting === undefined)
    waiting = setTimeout(() => {
      waiting = undefined;
      readRuns();
    }, paceMs);
});

/** What claims are judged by, now. */
export function useClaimSource(): ClaimSource {
  const notebook = usePresent();
  const runs = useReadRuns((state) => state.runs);
  const staleExperiments = useStaleCells();
  return useMemo(() => ({ notebook, runs, staleExperiments }), [notebook, runs, staleExperiments]);
}

/** What live values stand for, now. */
export function useLiveSource(): LiveSource {
  const { notebook, runs, staleExperiments } = useClaimSource();
  return useMemo(
    () => ({ lookup: runLookup(notebook, runs), staleExperiments }),
    [notebook, runs, staleExperiments],
  );
}
