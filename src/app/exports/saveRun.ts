import { specHash } from '../../config/specHash';
import { runFile } from './runFile';
import type { ExportKind } from './exportKinds';
import { announce } from '../announcement';
import { notebookHere, recordedHere } from '../notebookFile';
import { download, runReport } from '../runExport';
import type { RunState } from '../runState';

/** Makes a file of the run and gives it to the browser; says so, or why not, in the live region. */
export async function saveRun(kind: ExportKind, run: RunState): Promise<void> {
  const { spec } = run;
  if (spec === null) return;
  try {
    const { extension, type, content } = await runFile(kind, {
      run,
      spec,
      here: recordedHere(),
      reportOf: () => runReport(run),
      notebookOf: notebookHere,
    });
    const name = `marlbook-${specHash(spec).slice(0, 8)}-${extension}`;
    download(name, type, content);
    announce(`${name} was saved.`);
  } catch (error) {
    // The writers refuse what their own readers would refuse.
    if (!(error instanceof RangeError)) throw error;
    announce(`Nothing was saved. ${error.message}`);
  }
}
