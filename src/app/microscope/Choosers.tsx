import type { GroupRecord } from '../../protocol/trainerApi';
import { Choice, namedAsIs, type ChoiceOption } from '../Choice';
import { tasksOf } from './groupView';
import { recordAt } from './keptGroups';
import type { MicroscopeChoice } from './microscopeText';

interface ChoosersProps {
  /** Oldest first. */
  readonly groups: readonly GroupRecord[];
  readonly choice: MicroscopeChoice;
  readonly onChoose: (choice: MicroscopeChoice) => void;
}

/** Which group is looked at. Only what is kept is offered, beside what is chosen. */
export function Choosers({ groups, choice, onChoose }: ChoosersProps) {
  const { arm, seed, iteration, taskGroup } = choice;
  const record = recordAt(groups, choice);
  const ofArm = groups.filter((group) => group.arm === arm);
  const iterations = ofArm.filter((group) => group.seed === seed).toReversed();
  return (
    <fieldset className="microscope-choosers" aria-label="Choose a group">
      <Choice
        className="microscope-chooser"
        label="Arm"
        value={arm}
        options={offered(
          arm,
          groups.map((group) => group.arm),
        )}
        onChoose={(value) => onChoose({ ...choice, arm: value })}
      />
      <Choice
        className="microscope-chooser"
        label="Seed"
        value={String(seed)}
        options={offered(
          String(seed),
          ofArm.map((group) => String(group.seed)),
        )}
        onChoose={(value) => onChoose({ ...choice, seed: Number(value) })}
      />
      <Choice
        className="microscope-chooser"
        label="Iteration"
        value={String(iteration)}
        options={iterationOptions(iteration, iterations)}
        onChoose={(value) => onChoose({ ...choice, iteration: Number(value) })}
      />
      <Choice
        className="microscope-chooser"
        label="Task"
        value={String(taskGroup)}
        options={offered(String(taskGroup), record ? tasksOf(record).map(String) : [])}
        onChoose={(value) => onChoose({ ...choice, taskGroup: Number(value) })}
      />
    </fieldset>
  );
}

/** A select has to list what it stands on, kept or not. */
function offered(chosen: string, values: readonly string[]): readonly ChoiceOption<string>[] {
  const different = [...new Set(values)];
  return different.includes(chosen)
    ? namedAsIs(different)
    : [[chosen, `${chosen} (not kept)`], ...namedAsIs(different)];
}

/** Newest first; a triangle stands where an agent spiked, as in the charts. */
function iterationOptions(
  chosen: number,
  records: readonly GroupRecord[],
): readonly ChoiceOption<string>[] {
  const options = records.map(({ iteration, spikingAgents }): ChoiceOption<string> => {
    const text = spikingAgents.length > 0 ? `${iteration} ▲` : String(iteration);
    return [String(iteration), text];
  });
  return options.some(([value]) => value === String(chosen))
    ? options
    : [[String(chosen), `${chosen} (not kept)`], ...options];
}
