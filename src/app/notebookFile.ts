import type { NotebookFile } from '../notebook/notebookFile';
import type { RunRecording } from '../notebook/recording';
import { announce } from './announcement';
import { deskOf } from './desks';
import { presentNotebook } from './document/documentStore';
import { recordingOfState, type Here } from './recordedRun';
import { download } from './runExport';
import { version } from './version';

/** Where and when a run of this page is written down. */
export function recordedHere(): Here {
  return {
    timeOriginMs: performance.timeOrigin,
    userAgent: navigator.userAgent,
    marlbook: version,
  };
}

/** The notebook as it stands, with the results of the runs that are over. */
export function notebookHere(): NotebookFile {
  const notebook = presentNotebook();
  const here = recordedHere();
  const recordings = new Map<string, RunRecording>();
  for (const { id, kind } of notebook.cells) {
    const run = kind === 'experiment' ? deskOf(id).run.getState() : null;
    const recording = run === null ? null : recordingOfState(run, here);
    if (recording !== null) recordings.set(id, recording);
  }
  return { notebook, recordings };
}

/** Saves the notebook as a file that Open and dropping bring back, with the results of the runs that are over. */
export async function saveNotebook(): Promise<void> {
  const { encodeNotebookFile } = await import('../notebook/notebookFile');
  const file = notebookHere();
  const text = JSON.stringify(encodeNotebookFile(file), null, 1);
  download('marlbook-notebook.json', 'application/json', text);
  const results = file.recordings.size === 0 ? '' : ', with its results';
  announce(`The notebook was saved as a file${results}.`);
}
