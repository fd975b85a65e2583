import type { SpecIssue } from '../../config/specIssue';
import { applyToForm, useDesk } from '../desks';
import { Icon } from '../icons';
import { useSpec } from '../specStore';
import { plannedText } from './interventionText';
import { plannedIn } from './plannedIn';

const noIssues: readonly SpecIssue[] = [];

/** What the next run changes by itself as it goes on; nothing where it changes nothing. */
export function PlannedChanges() {
  const desk = useDesk();
  const draft = useSpec((state) => state.draft);
  const issues = useSpec(({ parsed }) => (parsed.ok ? noIssues : parsed.issues));
  const planned = plannedIn(draft);
  if (planned.length === 0) return null;
  return (
    <section className="planned-changes" aria-label="Changes while running">
      <h2>Changes while running</h2>
      <p className="muted small">The next run makes them by itself.</p>
      <ul>
        {withIds(planned.map(plannedText)).map(({ id, text }, index) => {
          const issue = issues.find(({ path }) => isAt(path, index));
          return (
            <li key={id}>
              <span>{text}</span>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove: ${text}`}
                title="Remove it from the plan"
                onClick={() => applyToForm(desk, { kind: 'interventionRemoved', index })}
              >
                <Icon name="remove" />
              </button>
              {issue !== undefined && <p className="field-issue">{issue.message}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function isAt(path: string, index: number): boolean {
  return path === `interventions.${index}` || path.startsWith(`interventions.${index}.`);
}

/** Equal texts are told apart by how often they came before. */
export function withIds(
  texts: readonly string[],
): readonly { readonly id: string; readonly text: string }[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { id: `${text} ${count}`, text };
  });
}
