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
import { changePageNotebook, freshId, usePageNotebook } from './storing/pageNotebook';

/** A notebook that another one has taken the place of, with its results. */
interface Left {
  readonly document: DocumentState;
  readonly desks: ReadonlyMap<string, Desk>;
  /** Under which id it is kept. */
  readonly keptAs: string;
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
 * @param keptAs the id of one that comes out of the browser's storage
 * @returns false while a run is at work: then nothing changes but the notice that says so
 */
export function openNotebook(
  { notebook, recordings }: NotebookFile,
  source: string,
  keepsBefore = true,
  keptAs = freshId(),
): boolean {
  if (activeDesk() !== null) {
    refuse(source, [{ path: 'run', message: busy }]);
    return false;
  }
  const document = useDocument.getState();
  const left = { document, desks: exchangeDesks(new Map()), keptAs: usePageNotebook.getState().id };
  useLeftNotebook.setState({ left: keepsBefore ? left : null });
  changePageNotebook(keptAs);
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
  if (left === null || activeDesk() !== null) return;
  const document = useDocument.getState();
  const desks = exchangeDesks(left.desks);
  useLeftNotebook.setState({
    left: { document, desks, keptAs: usePageNotebook.getState().id },
  });
  changePageNotebook(left.keptAs);
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
