import { useEffect, useRef } from 'react';
import type { Completion } from './completions';

interface CompletionListProps {
  readonly id: string;
  /** The text before what is completed: the list opens under its last line. */
  readonly before: string;
  readonly options: readonly Completion[];
  /** Index of the option that Enter takes. */
  readonly chosen: number;
  readonly onTake: (option: Completion) => void;
}

/** What stands in for a native list: that would take the focus from the text. */
const listbox = { role: 'listbox', tabIndex: -1 };
const listed = { role: 'option', tabIndex: -1 };

/** Names for the place of the caret. The focus stays in the text. */
export function CompletionList({ id, before, options, chosen, onTake }: CompletionListProps) {
  const current = useRef<HTMLDivElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div className="completion-place">
      {/* The same text in the same place, unseen: the list lands where its last line ends. */}
      <span aria-hidden="true">{before}</span>
      <div id={id} className="completion-list" aria-label="Names" {...listbox}>
        {options.map((option, index) => (
          <div
            key={option.name}
            id={`${id}-${index}`}
            ref={index === chosen ? current : null}
            className="completion"
            {...listed}
            aria-selected={index === chosen}
            // Before the text would lose the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              onTake(option);
            }}
          >
            <span className="completion-name">{option.name}</span>
            <span className="completion-meaning">{option.meaning}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
