import { announce } from './announcement';
import { presentNotebook } from './document/documentStore';
import { download } from './runExport';

/** Saves the notebook as a file that Open and dropping bring back. */
export function saveNotebook(): void {
  const notebook = presentNotebook();
  download('marlbook-notebook.json', 'application/json', JSON.stringify(notebook, null, 2));
  announce('The notebook was saved as a file.');
}
