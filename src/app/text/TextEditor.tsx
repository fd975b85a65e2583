import { useId, useRef } from 'react';
import { maxTextLength } from '../../notebook/cells';
import type { Notebook } from '../../notebook/notebook';
import { CompletionList } from './CompletionList';
import { useCompletion } from './useCompletion';

interface TextEditorProps {
  readonly source: string;
  readonly notebook: Notebook;
  readonly onChange: (source: string) => void;
  /** Escape was pressed with no list open. */
  readonly onLeave: () => void;
}

const help =
  'Markdown: # heading, *emphasis*, **strong**, - list, | table |, `code`, [text](https://…), $x^2$, $$…$$. {{ cites a run.';

/** The source of a text cell, with names to choose from inside `{{`. */
export function TextEditor(props: TextEditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { completions, chosen, take, moveTo, onKeyDown } = useCompletion(props, area);
  const list = `${id}-list`;
  return (
    <div className="text-editor">
      <label htmlFor={id}>Text</label>
      <div className="text-editor-area">
        <textarea
          ref={area}
          id={id}
          value={props.source}
          maxLength={maxTextLength}
          aria-describedby={`${id}-help`}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={completions ? list : undefined}
          aria-activedescendant={completions ? `${list}-${chosen}` : undefined}
          onChange={({ target }) => {
            moveTo(target.selectionStart);
            props.onChange(target.value);
          }}
          onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
            moveTo(selectionStart === selectionEnd ? selectionStart : null)
          }
          onBlur={() => moveTo(null)}
          onKeyDown={onKeyDown}
        />
        {completions !== null && (
          <CompletionList
            id={list}
            before={props.source.slice(0, completions.from)}
            options={completions.options}
            chosen={chosen}
            onTake={take}
          />
        )}
      </div>
      <p id={`${id}-help`} className="text-editor-help">
        {help}
      </p>
    </div>
  );
}
