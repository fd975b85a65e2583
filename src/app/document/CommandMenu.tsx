import { Command } from 'cmdk';
import { useEffect, useMemo, useRef } from 'react';
import { menuOf, type Command as Entry } from './commands';
import { closePalette, type PaletteMode } from './palette';

/** 1 where the name begins with what was typed, less where every typed word is somewhere in name or note, 0 elsewhere. */
function matchOf(value: string, search: string, keywords: string[] = []): number {
  const typed = search.trim().toLowerCase();
  const name = value
    .slice(value.indexOf(':') + 1)
    .trim()
    .toLowerCase();
  if (name.startsWith(typed)) return 1;
  const has = (text: string): boolean => typed.split(/\s+/).every((word) => text.includes(word));
  if (has(name)) return 0.7;
  return has(`${value} ${keywords.join(' ')}`.toLowerCase()) ? 0.3 : 0;
}

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
  const input = useRef<HTMLInputElement>(null);
  const { label, groups } = useMemo(() => menuOf(mode), [mode]);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    input.current?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="command-menu"
      aria-label={label}
      onCancel={closePalette}
      {...closedFromOutside}
    >
      <Command label={label} loop filter={matchOf}>
        <Command.Input
          ref={input}
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
                  value={`${heading}: ${entry.name}`}
                  keywords={[entry.note]}
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
