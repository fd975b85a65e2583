import type { KeptActions } from './kept';
import { DeleteButton } from './DeleteButton';
import { closeStoredRuns } from './storedRunsDoor';
import type { StoredNotebookEntry, StoredRunEntry } from './storedList';
import { placeText, runDetails } from './storedText';

interface NotebookProps {
  readonly notebook: StoredNotebookEntry;
  readonly actions: KeptActions;
  /** Does something to what is stored, then shows the list anew. */
  readonly onChange: (work: () => Promise<void>, done: string) => Promise<void>;
}

/** A stored notebook with its runs. */
export function StoredNotebook({ notebook, actions, onChange }: NotebookProps) {
  const { id, runs, openIn } = notebook;
  const title = notebook.title === '' ? 'Without a title' : notebook.title;
  return (
    <li>
      <h3>
        {title} <span className="muted">{placeText(notebook)}</span>
      </h3>
      <ul>
        {runs.map((run) => (
          <StoredRun
            key={run.id}
            run={run}
            notebook={notebook}
            onOpen={() => open(actions, id, run.id)}
            onDelete={() =>
              onChange(() => actions.deleteRun(run.id), `The run ${run.title} was deleted.`)
            }
          />
        ))}
        {runs.length === 0 && (
          <li className="stored-row">
            <p className="stored-text muted">The document alone.</p>
            <div className="stored-actions">
              <OpenButton
                name={title}
                isHere={openIn === 'here'}
                onOpen={() => open(actions, id)}
              />
              <DeleteButton
                name={title}
                isLocked={openIn !== 'nowhere'}
                onDelete={() =>
                  onChange(() => actions.deleteNotebook(id), `The notebook ${title} was deleted.`)
                }
              />
            </div>
          </li>
        )}
      </ul>
    </li>
  );
}

function open(actions: KeptActions, id: string, runId?: string): void {
  closeStoredRuns();
  // What came of it is said in the live region, a refusal over the results.
  void actions.open(id, runId);
}

interface RunProps {
  readonly run: StoredRunEntry;
  readonly notebook: StoredNotebookEntry;
  readonly onOpen: () => void;
  readonly onDelete: () => Promise<void>;
}

function StoredRun({ run, notebook: { openIn }, onOpen, onDelete }: RunProps) {
  const isAtWork = run.ended === 'open' && openIn !== 'nowhere';
  return (
    <li className="stored-row">
      <div className="stored-text">
        <p>{run.title}</p>
        <span className="muted">{runDetails(run, openIn)}</span>
      </div>
      <div className="stored-actions">
        <OpenButton
          name={`${run.title}, ${run.iteration} iterations`}
          isHere={isAtWork && openIn === 'here'}
          onOpen={onOpen}
        />
        <DeleteButton
          name={`${run.title}, ${run.iteration} iterations`}
          isLocked={isAtWork}
          onDelete={onDelete}
        />
      </div>
    </li>
  );
}

interface OpenProps {
  /** Of what it opens. */
  readonly name: string;
  /** It is on the page as it is. */
  readonly isHere: boolean;
  readonly onOpen: () => void;
}

function OpenButton({ name, isHere, onOpen }: OpenProps) {
  return (
    <button
      type="button"
      disabled={isHere}
      title={isHere ? 'It is on this page' : undefined}
      aria-label={`Open ${name}`}
      onClick={onOpen}
    >
      Open
    </button>
  );
}
