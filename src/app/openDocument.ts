import { create } from 'zustand';
import type { ExperimentSpec } from '../config/experimentSpec';
import type { SpecIssue } from '../config/parseSpec';
import type { Notebook } from '../notebook/notebook';
import type { NotebookFile } from '../notebook/notebookFile';
import { standardExperiment, standardNotebook, standardSpecOf } from '../notebook/standardNotebook';
import { activeDesk } from './activeExperiment';
import { announce } from './announcement';
import { applyToForm, currentDesk, deskOf, exchangeDesks, type Desk } from './desks';
import { applyToDocument, presentNotebook, useDocument } from './document/documentStore';
import type { DocumentState } from './document/documentState';
import { readRuns } from './document/readRuns';
import { stateOfRecording } from './recordedRun';
import type { SpecOrigin } from './specState';
import { verifyingReason } from './verify/verificationState';

/** A notebook that another one has taken the place of, with its results. */
interface Left {
  readonly document: DocumentState;
  readonly desks: ReadonlyMap<string, Desk>;
}

/** The notebook before the one on the page, kept until the next one is opened; null where there is none. */
export const useLeftNotebook = create<{ readonly left: Left | null }>(() => ({ left: null }));

/** Says in the form’s place why something was not opened. */
export function refuse(source: string, issues: readonly SpecIssue[]): void {
  applyToForm(currentDesk(), { kind: 'refused', refusal: { source, issues } });
  announce(`${source} was not opened. The notebook is as before.`);
}

const busy =
  'A run is at work in this notebook: stop it first, or open the other notebook in a tab of its own.';

/**
 * Puts another notebook on the page, with the runs that came with it; nothing runs. The one before is kept with its results, one step back.
 * @param keepsBefore false where nothing was done with the one before
 * @returns false while a run is at work: then nothing changes but the notice that says so
 */
export function openNotebook(
  { notebook, recordings }: NotebookFile,
  source: string,
  keepsBefore = true,
): boolean {
  const message = activeDesk() === null ? verifyingReason() : busy;
  if (message !== null) {
    refuse(source, [{ path: 'run', message }]);
    return false;
  }
  const document = useDocument.getState();
  const desks = exchangeDesks(new Map());
  useLeftNotebook.setState({ left: keepsBefore ? { document, desks } : null });
  applyToDocument({ kind: 'opened', notebook });
  for (const [id, recording] of recordings)
    deskOf(id).run.setState(stateOfRecording(recording), true);
  readRuns();
  announce(`${source} was opened. Nothing runs until you press Run.`);
  return true;
}

/** Back to the notebook before, as it was left; the one on the page is then the one before. */
export function returnToLeftNotebook(): void {
  const { left } = useLeftNotebook.getState();
  if (left === null || activeDesk() !== null || verifyingReason() !== null) return;
  const document = useDocument.getState();
  const desks = exchangeDesks(left.desks);
  useLeftNotebook.setState({ left: { document, desks } });
  useDocument.setState(left.document, true);
  readRuns();
}

/** A notebook of which nothing has run. */
export function withoutRuns(notebook: Notebook): NotebookFile {
  return { notebook, recordings: new Map() };
}

/** Lets go of the notebook before. */
export function forgetLeftNotebook(): void {
  useLeftNotebook.setState({ left: null });
}

/** A bare specification: into the form where the notebook is nothing but its experiment, else as a notebook of its own. */
export function openSpec(spec: ExperimentSpec, source: string, origin: SpecOrigin): boolean {
  if (
    standardSpecOf(presentNotebook()) === null &&
    !openNotebook(withoutRuns(standardNotebook(spec)), source)
  )
    return false;
  applyToForm(deskOf(standardExperiment), { kind: 'opened', spec, origin });
  announce(`${source} was opened. Nothing runs until you press Run.`);
  return true;
}
