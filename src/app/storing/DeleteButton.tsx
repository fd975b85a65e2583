import { useState } from 'react';

interface DeleteProps {
  /** Of what it deletes. */
  readonly name: string;
  /** It is at work somewhere: to be stopped first. */
  readonly isLocked: boolean;
  readonly onDelete: () => Promise<void>;
}

/** Deletes at the second press: the first one asks. Going elsewhere answers no. */
export function DeleteButton({ name, isLocked, onDelete }: DeleteProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      disabled={isLocked}
      title={isLocked ? 'It may be at work: stop it or close its tab first' : undefined}
      aria-label={isAsking ? `Delete ${name} for good` : `Delete ${name}`}
      data-asking={isAsking}
      onBlur={() => setAsking(false)}
      onKeyDown={(event) => {
        if (!isAsking || event.key !== 'Escape') return;
        // Takes back the question and leaves the list open.
        event.preventDefault();
        event.stopPropagation();
        setAsking(false);
      }}
      onClick={({ currentTarget }) => {
        if (!isAsking) {
          setAsking(true);
          return;
        }
        focusNeighbour(currentTarget);
        // What came of it is said in the live region.
        void onDelete();
      }}
    >
      {isAsking ? 'Delete for good?' : 'Delete'}
    </button>
  );
}

/** The focus goes to the next entry, else to the one before, else to Close: the button is about to disappear. */
function focusNeighbour(button: HTMLButtonElement): void {
  const dialog = button.closest('dialog');
  const rows = [...(dialog?.querySelectorAll('.stored-row') ?? [])];
  const index = rows.findIndex((row) => row.contains(button));
  const neighbour = rows[index + 1] ?? rows[index - 1];
  const target =
    neighbour?.querySelector<HTMLButtonElement>('button:enabled') ??
    dialog?.querySelector<HTMLButtonElement>('[data-stored-close]');
  target?.focus();
}
