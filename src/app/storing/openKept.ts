import { allDesks, deskOf } from '../desks';
import { readRuns } from '../document/readRuns';
import { useDocument } from '../document/documentStore';
import { openNotebook, refuse, withoutRuns } from '../openDocument';
import type { RunState } from '../runState';
import type { RunStorage, StoredRun } from '../../storage/storageApi';
import type { SpecIssue } from '../../config/specIssue';
import { noteKeeping } from './keeping';
import { stateOfStored } from './keptState';
import { runsOf, shownRuns } from './storedListing';

interface Wanted {
  readonly id: string;
  /** The run that is to be shown of its experiment; the newest otherwise. */
  readonly runId: string | undefined;
  /** Another tab has the notebook open. */
  readonly isElsewhere: boolean;
}

/**
 * Puts a stored notebook on the page, with its newest runs or with one that was chosen; nothing runs. Says so, or why not.
 * @returns true where it is on the page now
 */
export async function openKept(storage: RunStorage, wanted: Wanted): Promise<boolean> {
  const source = 'The stored notebook';
  const { id, runId, isElsewhere } = wanted;
  const [read, listed] = await Promise.all([storage.readNotebook(id), storage.listRuns(id)]);
  if (!read.ok || !listed.ok) {
    refuse(source, refusalIssues(read, listed));
    return false;
  }
  const { notebook } = read;
  const issues: SpecIssue[] = [];
  const states = new Map<string, RunState>();
  for (const { head } of shownRuns(notebook, runsOf(id, listed.runs), runId)) {
    const run = await storage.readRun(head.runId);
    if (!run.ok) issues.push(...runIssues(head.spec.title, run));
    const whole = run.ok ? run.run : run.intact;
    if (whole !== null) states.set(head.experiment, stateOfStored(whole, isElsewhere));
  }
  if (!openNotebook(withoutRuns(notebook), source, isWorked(), id)) return false;
  for (const [experiment, state] of states) {
    deskOf(experiment).run.setState(state, true);
    noteKeeping(state.series, { kind: 'kept', iteration: state.iteration });
  }
  readRuns();
  if (issues.length > 0) refuse('A part of the stored notebook', issues);
  return true;
}

function refusalIssues(
  read: Awaited<ReturnType<RunStorage['readNotebook']>>,
  listed: Awaited<ReturnType<RunStorage['listRuns']>>,
): readonly SpecIssue[] {
  if (!read.ok && read.issues.length > 0) return read.issues;
  const message = read.ok ? '' : read.message;
  return [{ path: 'storage', message: message === '' && !listed.ok ? listed.message : message }];
}

function runIssues(
  title: string,
  run: { readonly message: string; readonly intact: StoredRun | null },
): readonly SpecIssue[] {
  const upTo = run.intact?.lastSavedIteration ?? null;
  const rest = upTo === null ? '' : ` It is shown up to iteration ${upTo}.`;
  return [{ path: 'storage', message: `The run “${title}”: ${run.message}${rest}` }];
}

/** Something was done with the notebook on the page that would be missed. */
function isWorked(): boolean {
  const hasRun = allDesks().some(({ run }) => {
    const { phase, recorded } = run.getState();
    return phase !== 'idle' && recorded === null;
  });
  return hasRun || useDocument.getState().history.past.length > 0;
}
