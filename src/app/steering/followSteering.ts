import { specHash } from '../../config/specHash';
import { cellOf } from '../../notebook/notebook';
import { watchRuns, type Desk } from '../desks';
import { editCell, presentNotebook } from '../document/documentStore';
import type { RunState } from '../runState';

/**
 * What is changed while a run goes on becomes part of its experiment in the notebook: so the link to the notebook, and the next press of
 * Run, give the run that is seen. Where the form has been changed since the start it stays as it is, and the run is marked as stale.
 */
export function startFollowingSteering(): void {
  watchRuns(follow);
}

function follow(run: RunState, before: RunState, desk: Desk): void {
  const isSteered = run.interventions.length > before.interventions.length;
  if (!isSteered || run.spec === null || before.spec === null || run.spec === before.spec) return;
  const cell = cellOf(presentNotebook(), desk.id);
  if (cell?.kind !== 'experiment' || specHash(cell.spec) !== specHash(before.spec)) return;
  // The form may hold what is not valid yet: then the notebook is behind it, and must not throw it away.
  const { parsed } = desk.form.getState();
  if (parsed.ok) editCell({ ...cell, spec: run.spec });
}
