import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '../announcement';
import { useRun } from '../runStore';
import { isActive } from '../runState';
import { useKept, type KeptActions } from './kept';
import { useKeeping } from './keeping';
import { keepingText } from './keepingText';
import { DeleteButton } from './DeleteButton';
import { StoredNotebook } from './StoredNotebook';
import { closeStoredRuns } from './storedRunsDoor';
import type { StoredListing } from './storedList';
import { spaceText } from './storedText';

/** Everything that this browser keeps, over the page. A modal dialog: Escape closes it. */
export function StoredRuns() {
  const dialog = useRef<HTMLDialogElement>(null);
  const actions = useKept((state) => state.actions);
  const unavailable = useKept((state) => state.unavailable);
  // Closed while it still stands in the document: only then does the browser give the focus back to what had it.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="stored-runs"
      aria-label="Stored runs"
      onCancel={closeStoredRuns}
    >
      <div className="stored-body">
        <div className="stored-head">
          <h2>Stored runs</h2>
          <button type="button" data-stored-close onClick={closeStoredRuns}>
            Close
          </button>
        </div>
        <Problem />
        {actions === null ? (
          <p className="muted">{unavailable ?? 'Storing has not started yet.'}</p>
        ) : (
          <Listing actions={actions} />
        )}
      </div>
    </dialog>
  );
}

/** Why the run on the page is not kept: in full, for where the line under its caption has no room. */
function Problem() {
  const series = useRun((run) => run.series);
  const isRunning = useRun(({ phase }) => isActive(phase));
  const keeping = useKeeping(({ runs }) => runs.get(series));
  if (keeping?.kind !== 'notKept') return null;
  return <p className="storing-problem">{keepingText(keeping, isRunning).full}</p>;
}

type Shown =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'listed'; readonly listing: StoredListing };

/** Shows what is stored, or why it cannot be listed. */
async function list(actions: KeptActions, show: (shown: Shown) => void): Promise<void> {
  try {
    show({ kind: 'listed', listing: await actions.list() });
  } catch (error) {
    show({ kind: 'failed', message: messageOf(error) });
  }
}

function Listing({ actions }: { readonly actions: KeptActions }) {
  const [shown, setShown] = useState<Shown>({ kind: 'loading' });
  useEffect(() => {
    void list(actions, setShown);
  }, [actions]);
  const change = async (work: () => Promise<void>, done: string): Promise<void> => {
    try {
      await work();
      announce(done);
    } catch (error) {
      announce(messageOf(error));
    }
    await list(actions, setShown);
  };
  switch (shown.kind) {
    case 'loading':
      return <p className="muted">Reading what is stored…</p>;
    case 'failed':
      return <p className="storing-problem">{shown.message}</p>;
    case 'listed':
      return (
        <>
          <Space
            listing={shown.listing}
            onPersist={() =>
              change(async () => {
                if (!(await actions.persist()))
                  throw new Error('The browser did not promise to keep it.');
              }, 'The browser will delete nothing by itself.')
            }
          />
          <Damaged listing={shown.listing} actions={actions} onChange={change} />
          {shown.listing.notebooks.length === 0 && (
            <p className="muted">Nothing is stored. A run is kept here as it goes.</p>
          )}
          <ul className="stored-list">
            {shown.listing.notebooks.map((notebook) => (
              <StoredNotebook
                key={notebook.id}
                notebook={notebook}
                actions={actions}
                onChange={change}
              />
            ))}
          </ul>
        </>
      );
  }
}

interface DamagedProps {
  readonly listing: StoredListing;
  readonly actions: KeptActions;
  readonly onChange: (work: () => Promise<void>, done: string) => Promise<void>;
}

/** What cannot be read stays as it is until it is deleted: another version may be able to read it. */
function Damaged({ listing: { damaged }, actions, onChange }: DamagedProps) {
  if (damaged.length === 0) return null;
  return (
    <ul>
      {damaged.map((entry) => (
        <li key={`${entry.kind} ${entry.id}`} className="stored-row">
          <p className="stored-text storing-problem">{entry.what}</p>
          <div className="stored-actions">
            <DeleteButton
              name={`the unreadable ${entry.kind}`}
              isLocked={false}
              onDelete={() =>
                onChange(
                  () => actions.deleteDamaged(entry),
                  `The unreadable ${entry.kind} was deleted.`,
                )
              }
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

interface SpaceProps {
  readonly listing: StoredListing;
  readonly onPersist: () => Promise<void>;
}

function Space({ listing, onPersist }: SpaceProps) {
  return (
    <div className="stored-space">
      <p className="muted">{spaceText(listing)}</p>
      {listing.isPersistent === false && (
        <button
          type="button"
          onClick={() => {
            // What the browser answered is said in the live region.
            void onPersist();
          }}
        >
          Ask it to keep everything
        </button>
      )}
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
