import { announce } from '../announcement';
import { useDesk, type Desk } from '../desks';
import { insertExperiment, presentNotebook } from '../document/documentStore';
import { isActive, type RunState } from '../runState';
import { useRun } from '../runStore';
import { issueText } from '../settingText';
import { commandText, interventionText, plannedText } from './interventionText';
import { PlannedChanges, withIds } from './PlannedChanges';
import { SteerForm } from './SteerForm';
import { specWithoutChange } from './steerOptions';

/** Settings that are changed while the run goes on: the next change, what waits, what was made, and what is planned. */
export function SteerPanel() {
  const isRunning = useRun(({ phase }) => isActive(phase));
  const spec = useRun((state) => state.spec);
  return (
    <div className="steer">
      {isRunning && spec !== null ? (
        <>
          <SteerForm spec={spec} />
          <PlannedLater />
        </>
      ) : (
        <>
          <p className="muted small">
            While the experiment runs or is paused, its settings can be changed here. Each change
            takes effect before an iteration begins, is drawn on the charts, and becomes part of the
            experiment and of its link.
          </p>
          <PlannedChanges />
        </>
      )}
      <Commands />
      <Made />
    </div>
  );
}

/** What stands in the specification of the run and has not come yet. */
function PlannedLater() {
  const iteration = useRun((state) => state.iteration);
  const planned = useRun((state) => state.spec?.interventions);
  const later = (planned ?? []).filter((one) => one.iteration > iteration);
  if (later.length === 0) return null;
  return (
    <section aria-label="Planned changes">
      <h3>Planned</h3>
      <ul>
        {withIds(later.map(plannedText)).map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

/** Commands that wait, and those that were refused with the reason. */
function Commands() {
  const commands = useRun((state) => state.commands);
  const isPaused = useRun(({ phase }) => phase === 'paused');
  if (commands.length === 0) return null;
  return (
    <section aria-label="Commands">
      <h3>Not made</h3>
      <ul>
        {commands.map(({ id, command, refusal }) => (
          <li key={id}>
            <span>{commandText(command)}</span>
            {refusal === null ? (
              <span className="muted"> {isPaused ? 'waits until the run goes on' : 'waits'}</span>
            ) : (
              <span className="field-issue"> refused. {issueText(refusal)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What has changed, in order, each with the question what the run would have been without it. */
function Made() {
  const desk = useDesk();
  const interventions = useRun((state) => state.interventions);
  if (interventions.length === 0) return null;
  const texts = withIds(interventions.map(interventionText));
  return (
    <section aria-label="Changes made">
      <h3>Made</h3>
      <ol>
        {interventions.map(({ by }, index) => {
          const { id, text } = texts[index]!;
          return (
            <li key={id}>
              <span>{text}</span>
              {by === 'spec' && <span className="muted"> as planned</span>}
              <button
                type="button"
                aria-label={`What if not: ${text}`}
                title="Adds this experiment again without this change and those after it; nothing runs by itself"
                onClick={() => addWithout(desk, index)}
              >
                What if not?
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Puts the experiment without a change right after the one that was steered. */
function addWithout({ id, run }: Desk, index: number): void {
  const { spec, interventions }: RunState = run.getState();
  if (spec === null) return;
  const without = specWithoutChange(spec, interventions, index);
  const { cells } = presentNotebook();
  insertExperiment(without, cells.findIndex((cell) => cell.id === id) + 1);
  announce(`The experiment “${without.title}” was added below. Press Run to see it.`);
}
