import { useId, useMemo, useState, type ReactNode } from 'react';
import type { ExperimentSpec, OverrideValue } from '../../config/experimentSpec';
import { fieldAt } from '../../config/fields';
import type { SteeringCommand } from '../../config/interventionSchema';
import { commanded } from '../../config/steerSpec';
import { announce } from '../announcement';
import { useDesk } from '../desks';
import { FieldControl } from '../FieldControl';
import type { Runner } from '../runner';
import { useRun } from '../runStore';
import { issueText, settingValue } from '../settingText';
import { interventionText } from './interventionText';
import {
  presentValues,
  settledAt,
  steeredTrainings,
  steerGroups,
  type SteerGroup,
} from './steerOptions';

/** What is chosen; the value is undefined until one is typed. */
interface Choice {
  readonly arm: string | null;
  readonly path: string;
  readonly value: OverrideValue | undefined;
}

const firstPath = 'policies.*.optimizer.learningRate';

/** What a choice comes to at this point of the run. */
function useChoice(spec: ExperimentSpec, { arm, path: wished, value: typed }: Choice) {
  const iteration = useRun((state) => settledAt(spec, state.iteration));
  const trainings = useMemo(() => steeredTrainings(spec, iteration, arm), [spec, iteration, arm]);
  const groups = useMemo(() => steerGroups(trainings), [trainings]);
  const paths = groups.flatMap(({ options }) => options.map(({ path }) => path));
  const path = paths.includes(wished) ? wished : (paths[0] ?? wished);
  const present = presentValues(trainings, path);
  const value = path === wished && typed !== undefined ? typed : (present[0] ?? null);
  const answer = useMemo(
    () => commanded(spec, { arm, path, value }, iteration),
    [spec, arm, path, value, iteration],
  );
  const isNew = present.length > 1 || present[0] !== value;
  return { groups, path, present, value, isNew, refusal: answer.ok ? null : answer.reason };
}

/** Gives the command and says what came of it. */
async function give(runner: Runner, command: SteeringCommand): Promise<void> {
  const answer = await runner.intervene(command);
  announce(
    answer.ok
      ? `Changed: ${interventionText(answer.intervention)}.`
      : `Not changed. ${issueText(answer.reason)}`,
  );
}

/** Arm, setting and new value, for the next iteration. */
export function SteerForm({ spec }: { readonly spec: ExperimentSpec }) {
  const { runner } = useDesk();
  const id = useId();
  const [choice, setChoice] = useState<Choice>({ arm: null, path: firstPath, value: undefined });
  const { groups, path, present, value, isNew, refusal } = useChoice(spec, choice);
  const { arm } = choice;
  const field = fieldAt(path);
  const now = `Now ${present.map((one) => settingValue(path, one)).join(', ')}.`;
  return (
    <form
      className="steer-form"
      aria-label="Change a setting"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // What comes of it is said in the live region, and stands in the list.
        if (isNew && refusal === null) void give(runner, { arm, path, value });
      }}
    >
      <Labelled id={`${id}-arm`} label="In">
        <ArmSelect
          id={`${id}-arm`}
          spec={spec}
          arm={arm}
          onArm={(next) => setChoice({ ...choice, arm: next })}
        />
      </Labelled>
      <Labelled id={`${id}-path`} label="Setting">
        <SettingSelect
          id={`${id}-path`}
          groups={groups}
          path={path}
          onPath={(next) => setChoice({ arm, path: next, value: undefined })}
        />
      </Labelled>
      {field !== undefined && (
        <Labelled id={`${id}-value`} label="New value">
          <FieldControl
            key={path}
            id={`${id}-value`}
            formField={{ section: 'Run', path, field }}
            value={value}
            describedBy={`${id}-note`}
            isInvalid={refusal !== null}
            onValue={(next) => setChoice({ arm, path, value: next })}
          />
        </Labelled>
      )}
      <button type="submit" className="primary" disabled={!isNew || refusal !== null}>
        Apply before the next iteration
      </button>
      <p id={`${id}-note`} className={refusal === null ? 'muted small' : 'field-issue'}>
        {refusal === null ? now : issueText(refusal)}
      </p>
    </form>
  );
}

interface LabelledProps {
  readonly id: string;
  readonly label: string;
  readonly children: ReactNode;
}

function Labelled({ id, label, children }: LabelledProps) {
  return (
    <span className="steer-field">
      <label htmlFor={id}>{label}</label>
      {children}
    </span>
  );
}

interface ArmSelectProps {
  readonly id: string;
  readonly spec: ExperimentSpec;
  readonly arm: string | null;
  readonly onArm: (arm: string | null) => void;
}

function ArmSelect({ id, spec, arm, onArm }: ArmSelectProps) {
  return (
    <select
      id={id}
      value={arm ?? ''}
      onChange={({ target }) => onArm(target.value === '' ? null : target.value)}
    >
      <option value="">all arms</option>
      {spec.arms.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface SettingSelectProps {
  readonly id: string;
  readonly groups: readonly SteerGroup[];
  readonly path: string;
  readonly onPath: (path: string) => void;
}

function SettingSelect({ id, groups, path, onPath }: SettingSelectProps) {
  return (
    <select id={id} value={path} onChange={({ target }) => onPath(target.value)}>
      {groups.map(({ heading, options }) => (
        <optgroup key={heading} label={heading}>
          {options.map((option) => (
            <option key={option.path} value={option.path}>
              {option.label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
