import type { SpecIssue } from '../../config/specIssue';
import { allDesks, deskOf } from '../desks';
import { readRuns } from '../document/readRuns';
import { useDocument } from '../document/documentStore';
import { openNotebook, refuse, withoutRuns } from '../openDocument';
import type { RunState } from '../runState';
import { noteKeeping } from './keeping';
import { stateOfRecord } from './runRecord';
import type { Shelf } from './shelf';
import { runsOf, shownRuns } from './storedListing';

type Found =
  | { readonly ok: true; readonly runs: readonly (readonly [string, RunState])[] }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/**
 * Puts a stored notebook on the page, with its newest runs or with one that was chosen; nothing runs. Says so, or why not.
 * @param isElsewhere another tab has it open
 * @returns true where it is on the page now
 */
export async function openKept(
  shelf: Shelf,
  { id, runId, isElsewhere }: { id: string; runId?: string | undefined; isElsewhere: boolean },
): Promise<boolean> {
  const source = 'The stored notebook';
  try {
    const { notebooks, runs, damages } = await shelf.contents();
    const record = notebooks.find((one) => one.id === id);
    if (record === undefined) {
      const message = damages[0] ?? 'It is no longer stored: another tab may have deleted it.';
      refuse(source, [{ path: 'storage', message }]);
      return false;
    }
    const found: Found[] = [];
    for (const run of shownRuns(record, runsOf(id, runs), runId))
      found.push(await runFrom(shelf, run, isElsewhere));
    const isOpen = openNotebook(withoutRuns(record.notebook), source, isWorked(), id);
    if (isOpen) show(found, source);
    return isOpen;
  } catch (error) {
    refuse(source, [{ path: 'storage', message: messageOf(error) }]);
    return false;
  }
}

async function runFrom(
  shelf: Shelf,
  run: Parameters<typeof stateOfRecord>[0],
  isElsewhere: boolean,
): Promise<Found> {
  const log = await shelf.logOf(run.id);
  try {
    return { ok: true, runs: [[run.experiment, stateOfRecord(run, log, isElsewhere)]] };
  } catch (error) {
    const message = `The run “${run.spec.title}” is not shown, the rest is: ${messageOf(error)}`;
    return { ok: false, issues: [{ path: `storage.${run.id}`, message }] };
  }
}

function show(found: readonly Found[], source: string): void {
  for (const one of found) {
    if (!one.ok) {
      refuse(`A run of ${source.toLowerCase()}`, one.issues);
      continue;
    }
    for (const [experiment, state] of one.runs) {
      deskOf(experiment).run.setState(state, true);
      noteKeeping(state.series, { kind: 'kept', iteration: state.iteration });
    }
  }
  readRuns();
}

/** Something was done with the notebook on the page that would be missed. */
function isWorked(): boolean {
  const hasRun = allDesks().some(({ run }) => {
    const { phase, recorded } = run.getState();
    return phase !== 'idle' && recorded === null;
  });
  return hasRun || useDocument.getState().history.past.length > 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
