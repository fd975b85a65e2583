import { Command } from 'cmdk';
import { useEffect, useMemo, useRef } from 'react';
import { addCommands, allCommands, type Command as Entry } from './commands';
import { closePalette, type PaletteMode } from './palette';

function choose({ act }: Entry): void {
  closePalette();
  act();
}

/** A click beside the menu hits the dialog itself, which its content covers. Escape does the same by keyboard. */
const closedFromOutside = {
  onClick: ({ target }: { readonly target: EventTarget }) => {
    if (target instanceof HTMLDialogElement) closePalette();
  },
};

/** Everything that the page can do, by name. A modal dialog: Escape and a click outside close it. */
export function CommandMenu({ mode }: { readonly mode: PaletteMode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const groups = useMemo(
    () =>
      mode.kind === 'add'
        ? [{ heading: 'Add a cell', commands: addCommands(mode.at) }]
        : allCommands(),
    [mode],
  );
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const label = mode.kind === 'add' ? 'Add a cell' : 'Commands';
  return (
    <dialog
      ref={dialog}
      className="command-menu"
      aria-label={label}
      onCancel={closePalette}
      {...closedFromOutside}
    >
      <Command label={label} loop>
        <Command.Input
          className="command-input"
          placeholder={mode.kind === 'add' ? 'Which kind of cell?' : 'What do you want to do?'}
        />
        <Command.List className="command-list" label={label}>
          <Command.Empty className="command-empty muted">
            No command has that in its name.
          </Command.Empty>
          {groups.map(({ heading, commands }) => (
            <Command.Group key={heading} heading={heading}>
              {commands.map((entry) => (
                <Command.Item
                  key={entry.name}
                  className="command"
                  value={`${heading} ${entry.name} ${entry.note}`}
                  onSelect={() => choose(entry)}
                >
                  <span>{entry.name}</span>
                  <span className="command-note muted">{entry.note}</span>
                  {entry.keys !== '' && <kbd>{entry.keys}</kbd>}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </dialog>
  );
}
