import { experimentCells, type Notebook } from '../../notebook/notebook';
import { Choice } from '../Choice';
import { withPresent } from './claimChoices';

interface ExperimentChoiceProps {
  readonly notebook: Notebook;
  /** Id of the experiment cell, there or not. */
  readonly experiment: string;
  readonly onChoose: (experiment: string) => void;
}

/** Which experiment a cell speaks of. */
export function ExperimentChoice({ notebook, experiment, onChoose }: ExperimentChoiceProps) {
  const known = experimentCells(notebook).map(({ id }) => id);
  return (
    <Choice
      className="claim-choice"
      label="Experiment"
      value={experiment}
      options={withPresent(known, experiment)}
      onChoose={onChoose}
    />
  );
}
