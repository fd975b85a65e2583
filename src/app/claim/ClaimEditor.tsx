import type { ClaimCell } from '../../notebook/cells';
import type { ClaimQuantity, ClaimStatement } from '../../notebook/claimCell';
import { relationSigns } from '../../notebook/claimVerdict';
import type { Notebook } from '../../notebook/notebook';
import { Choice, type ChoiceOption } from '../Choice';
import {
  namesOf,
  withExperiment,
  withRightKind,
  withSeeds,
  type ExperimentNames,
} from './claimChoices';
import { ConstantInput } from './ConstantInput';
import { ExperimentChoice } from './ExperimentChoice';
import { QuantityChoices } from './QuantityChoices';

interface ClaimEditorProps {
  readonly cell: ClaimCell;
  readonly notebook: Notebook;
  /** Gets valid cells only. */
  readonly onChange: (cell: ClaimCell) => void;
}

const relations = [
  ['less', `${relationSigns.less} less than`],
  ['atMost', `${relationSigns.atMost} at most`],
  ['atLeast', `${relationSigns.atLeast} at least`],
  ['greater', `${relationSigns.greater} greater than`],
] as const satisfies readonly ChoiceOption<ClaimStatement['relation']>[];

const rightKinds = [
  ['quantity', 'another number'],
  ['constant', 'a constant'],
] as const satisfies readonly ChoiceOption<ClaimStatement['right']['kind']>[];

/** The parts of a statement, chosen one by one. */
export function ClaimEditor({ cell, notebook, onChange }: ClaimEditorProps) {
  const { statement, experiment } = cell;
  const names = namesOf(notebook, experiment);
  const change = (next: ClaimStatement): void => onChange({ ...cell, statement: next });
  return (
    <div className="claim-editor">
      <ExperimentChoice
        notebook={notebook}
        experiment={experiment}
        onChoose={(id) => onChange(withExperiment(cell, notebook, id))}
      />
      <QuantityChoices
        legend="This number"
        quantity={statement.left}
        names={names}
        onChange={(left) => change({ ...statement, left })}
      />
      <Choice
        className="claim-choice"
        label="Relation"
        value={statement.relation}
        options={relations}
        onChoose={(relation) => change({ ...statement, relation })}
      />
      <RightSide statement={statement} names={names} onChange={change} />
      <Choice
        className="claim-choice"
        label="Seeds"
        value={String(statement.inAtLeast ?? 'all')}
        options={seedOptions(statement, names.numSeeds)}
        onChoose={(chosen) =>
          change(withSeeds(statement, chosen === 'all' ? null : Number(chosen)))
        }
      />
    </div>
  );
}

interface RightSideProps {
  readonly statement: ClaimStatement;
  readonly names: ExperimentNames;
  readonly onChange: (statement: ClaimStatement) => void;
}

function RightSide({ statement, names, onChange }: RightSideProps) {
  const { right } = statement;
  const change = (next: ClaimQuantity): void => onChange({ ...statement, right: next });
  return (
    <>
      <Choice
        className="claim-choice"
        label="Compared with"
        value={right.kind}
        options={rightKinds}
        onChoose={(kind) => onChange(withRightKind(statement, kind))}
      />
      {right.kind === 'quantity' ? (
        <QuantityChoices legend="That number" quantity={right} names={names} onChange={change} />
      ) : (
        <ConstantInput
          value={right.value}
          onChange={(value) => onChange({ ...statement, right: { kind: 'constant', value } })}
        />
      )}
    </>
  );
}

/** As many as the experiment has, and what stands there now. */
function seedOptions({ inAtLeast = 1 }: ClaimStatement, numSeeds: number): ChoiceOption<string>[] {
  const most = Math.max(numSeeds, inAtLeast);
  const counts = Array.from({ length: most }, (_, index): ChoiceOption<string> => {
    const count = index + 1;
    return [String(count), `in at least ${count} of ${numSeeds}, each with itself`];
  });
  return [['all', 'once, over all seeds'], ...counts];
}
