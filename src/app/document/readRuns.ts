import { useMemo } from 'react';
import { create } from 'zustand';
import type { ExperimentSpec } from '../../config/experimentSpec';
import type { ClaimSource } from '../../notebook/claimEvidence';
import type { LiveSource } from '../../notebook/liveValues';
import { runLookup } from '../../notebook/runLookup';
import type { ExperimentRun } from '../../notebook/runSummaries';
import { allDesks, watchRuns } from '../desks';
import { usePresent } from './documentStore';
import { staleCellsOf, type StaleCells } from './staleness';

/** While a run goes on, what is read in sentences changes no faster than one can read. Unit: ms. */
const paceMs = 500;

/** What the cells know of the runs, by the id of their experiment; experiments that have not run are absent. */
interface ReadRuns {
  /** A new object when a run has logged something. */
  readonly runs: ReadonlyMap<string, ExperimentRun>;
  /** What each last ran with. A new object only when a run has begun or was cleared. */
  readonly specs: ReadonlyMap<string, ExperimentSpec>;
}

const useReadRuns = create<ReadRuns>(() => ({ runs: new Map(), specs: new Map() }));

/** Reads all runs anew. */
export function readRuns(): void {
  const runs = new Map(
    allDesks().flatMap(({ id, run }) => {
      const { spec, series } = run.getState();
      return spec === null ? [] : [[id, { spec, series }] as const];
    }),
  );
  const { specs: before } = useReadRuns.getState();
  const isSame =
    runs.size === before.size && [...runs].every(([id, { spec }]) => before.get(id) === spec);
  const specs = isSame ? before : new Map([...runs].map(([id, { spec }]) => [id, spec]));
  useReadRuns.setState({ runs, specs });
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

/** Which cells no longer speak of what the notebook says, and why. */
export function useStaleCells(): StaleCells {
  return staleCellsOf(
    usePresent(),
    useReadRuns(({ specs }) => specs),
  );
}

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
