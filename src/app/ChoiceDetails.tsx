import { choiceDetails } from '../config/choiceDetails';
import type { ChoiceField } from '../config/field';
import type { FieldPath } from '../config/fields';
import { CodeText } from './CodeText';

interface ChoiceDetailsProps {
  readonly choice: FieldPath;
  readonly field: ChoiceField;
  /** The option that is chosen now. */
  readonly value: string;
}

/** Every option of a choice with its formula and source, the chosen one marked and first. */
export function ChoiceDetails({ choice, field, value }: ChoiceDetailsProps) {
  const entries = Object.entries(choiceDetails[choice] ?? {});
  const ordered = [
    ...entries.filter(([option]) => option === value),
    ...entries.filter(([option]) => option !== value),
  ];
  return (
    <dl className="option-list">
      {ordered.map(([option, { formula, source, note }]) => (
        <div key={option} className="option" data-chosen={option === value}>
          <dt>
            {field.options[option] ?? option}
            {option === value && <span className="option-chosen"> (chosen)</span>}
          </dt>
          {formula !== null && <dd className="formula">{formula}</dd>}
          {note !== undefined && (
            <dd>
              <CodeText text={note} />
            </dd>
          )}
          <dd className="muted">
            Source: <CodeText text={source} />.
          </dd>
        </div>
      ))}
    </dl>
  );
}
