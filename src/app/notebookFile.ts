import type { RunRecording } from '../notebook/recording';
import { announce } from './announcement';
import { deskOf } from './desks';
import { presentNotebook } from './document/documentStore';
import { recordingOfState } from './recordedRun';
import { download } from './runExport';
import { version } from './version';

/** Saves the notebook as a file that Open and dropping bring back, with the results of the runs that are over. */
export async function saveNotebook(): Promise<void> {
  const { encodeNotebookFile } = await import('../notebook/notebookFile');
  const notebook = presentNotebook();
  const here = {
    date: new Date().toISOString(),
    userAgent: navigator.userAgent,
    marlbook: version,
  };
  const recordings = new Map<string, RunRecording>();
  for (const { id, kind } of notebook.cells) {
    const run = kind === 'experiment' ? deskOf(id).run.getState() : null;
    const recording = run === null ? null : recordingOfState(run, here);
    if (recording !== null) recordings.set(id, recording);
  }
  const text = JSON.stringify(encodeNotebookFile({ notebook, recordings }), null, 1);
  download('marlbook-notebook.json', 'application/json', text);
  const results = recordings.size === 0 ? '' : ', with its results';
  announce(`The notebook was saved as a file${results}.`);
}
