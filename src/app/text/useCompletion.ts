import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Notebook } from '../../notebook/notebook';
import { completionsAt, withCompletion, type Completion, type Completions } from './completions';

interface Edited {
  readonly source: string;
  readonly notebook: Notebook;
  readonly onChange: (source: string) => void;
  /** Escape was pressed with no list open. */
  readonly onLeave: () => void;
}

/** Names offered at the caret of a text, and the keys that choose among them. */
interface Completing {
  /** Null while the list is closed. */
  readonly completions: Completions | null;
  /** Index of the option that Enter takes. */
  readonly chosen: number;
  readonly take: (option: Completion) => void;
  /** Null: no caret, since the text has lost the focus or a part of it is marked. */
  readonly moveTo: (caret: number | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const nowhere = { caret: null, chosen: 0, isClosed: false };

export function useCompletion(
  edited: Edited,
  area: RefObject<HTMLTextAreaElement | null>,
): Completing {
  const { source, notebook, onChange, onLeave } = edited;
  const [place, setPlace] = useState<{ caret: number | null; chosen: number; isClosed: boolean }>(
    nowhere,
  );
  const nextCaret = useRef<number | null>(null);
  const { caret, isClosed } = place;
  const completions = caret === null || isClosed ? null : completionsAt(source, caret, notebook);
  const length = completions?.options.length ?? 1;
  const chosen = Math.min(place.chosen, length - 1);

  useLayoutEffect(() => {
    // A text that is replaced from outside leaves the caret at its end.
    if (nextCaret.current !== null)
      area.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  const moveTo = (at: number | null): void => {
    if (at !== caret) setPlace({ ...nowhere, caret: at });
  };
  const take = (option: Completion): void => {
    if (completions === null) return;
    const next = withCompletion(source, completions, option);
    nextCaret.current = next.caret;
    setPlace({ ...nowhere, caret: next.caret });
    onChange(next.source);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const does = keyOf(event, completions !== null);
    if (does === null) return;
    event.preventDefault();
    const option = completions?.options[chosen];
    if (does === 'leave') onLeave();
    else if (does === 'close') setPlace({ ...place, isClosed: true });
    else if (does !== 'take')
      setPlace({ ...place, chosen: (chosen + (does === 'next' ? 1 : length - 1)) % length });
    else if (option !== undefined) take(option);
  };
  return { completions, chosen, take, moveTo, onKeyDown };
}

type KeyAction = 'leave' | 'close' | 'take' | 'next' | 'previous';

const keysOfList: Readonly<Partial<Record<string, KeyAction>>> = {
  Tab: 'take',
  Enter: 'take',
  ArrowDown: 'next',
  ArrowUp: 'previous',
};

/** What a key does here; null where it does what it does in any text. */
function keyOf({ key, shiftKey, nativeEvent }: KeyboardEvent, isOpen: boolean): KeyAction | null {
  // Keys that finish a character of another script belong to that character.
  if (nativeEvent.isComposing) return null;
  if (key === 'Escape') return isOpen ? 'close' : 'leave';
  return isOpen && !shiftKey ? (keysOfList[key] ?? null) : null;
}
