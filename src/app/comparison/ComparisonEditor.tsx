import { metricCatalog } from '../../metrics/catalog';
import type { ComparisonCell } from '../../notebook/cells';
import { experimentCells, type Notebook } from '../../notebook/notebook';
import { comparisonStatistics } from '../../notebook/statistics';
import { Choice } from '../Choice';
import { metricKeys, namesOf, withPresent } from '../claim/claimChoices';
import { statisticLabels, statisticMeanings } from './comparisonText';

interface ComparisonEditorProps {
  readonly cell: ComparisonCell;
  readonly notebook: Notebook;
  /** Gets valid cells only. */
  readonly onChange: (cell: ComparisonCell) => void;
}

/** An option of a select has a text only; this one stands for what the cell leaves open. */
const open = '';

const metrics = [
  [open, 'the arms at a glance'],
  ...metricKeys.map((key) => [key, metricCatalog[key].label] as const),
] as const;

/** What a comparison shows: metric, agents, baseline and columns. */
export function ComparisonEditor({ cell, notebook, onChange }: ComparisonEditorProps) {
  const { experiment, metric, agents, baseline, statistics } = cell;
  const names = namesOf(notebook, experiment);
  const experiments = experimentCells(notebook).map(({ id }) => id);
  const listed = agents === 'all' ? names.agents : agents;
  return (
    <div className="claim-editor">
      <Choice
        className="claim-choice"
        label="Experiment"
        value={experiment}
        options={withPresent(experiments, experiment)}
        onChoose={(id) => onChange(moved(cell, notebook, id))}
      />
      <Choice
        className="claim-choice"
        label="Metric"
        value={metric ?? open}
        options={metrics}
        onChoose={(next) => onChange({ ...cell, metric: next === open ? null : next })}
      />
      <Choice
        className="claim-choice"
        label="Baseline"
        value={baseline ?? open}
        options={[
          [open, 'the first arm'],
          ...withPresent(names.arms, baseline ?? names.arms[0] ?? ''),
        ]}
        onChoose={(next) => onChange({ ...cell, baseline: next === open ? null : next })}
      />
      {metric !== null && metricCatalog[metric].level === 'agent' && (
        <Checks
          legend="Agents"
          known={withPresentNames(names.agents, listed).map((name) => ({ name, label: name }))}
          chosen={listed}
          onChange={(next) =>
            onChange({ ...cell, agents: isEveryone(next, names.agents) ? 'all' : next })
          }
        />
      )}
      {metric !== null && (
        <Checks
          legend="Columns"
          known={comparisonStatistics.map((name) => ({
            name,
            label: statisticLabels[name],
            meaning: statisticMeanings[name],
          }))}
          chosen={statistics}
          onChange={(next) => onChange({ ...cell, statistics: next })}
        />
      )}
    </div>
  );
}

/** To an experiment that may lack the baseline and the agents. */
function moved(cell: ComparisonCell, notebook: Notebook, experiment: string): ComparisonCell {
  const { arms, agents } = namesOf(notebook, experiment);
  const isThere = cell.baseline !== null && arms.includes(cell.baseline);
  const baseline = isThere ? cell.baseline : null;
  const isKnown = cell.agents === 'all' || cell.agents.every((agent) => agents.includes(agent));
  return { ...cell, experiment, baseline, agents: isKnown ? cell.agents : 'all' };
}

function isEveryone(chosen: readonly string[], all: readonly string[]): boolean {
  return chosen.length === all.length && all.every((name) => chosen.includes(name));
}

function withPresentNames(known: readonly string[], present: readonly string[]): readonly string[] {
  return [...known, ...present.filter((name) => !known.includes(name))];
}

interface ChecksProps<T extends string> {
  readonly legend: string;
  readonly known: readonly {
    readonly name: T;
    readonly label: string;
    readonly meaning?: string;
  }[];
  readonly chosen: readonly T[];
  /** At least one, in the order of `known`. */
  readonly onChange: (chosen: T[]) => void;
}

/** Some of a few. The last one cannot be taken away: an empty table says nothing. */
function Checks<T extends string>({ legend, known, chosen, onChange }: ChecksProps<T>) {
  const toggled = (name: T): T[] =>
    known.map((entry) => entry.name).filter((other) => chosen.includes(other) !== (other === name));
  return (
    <fieldset className="comparison-choices">
      <legend>{legend}</legend>
      {known.map(({ name, label, meaning }) => (
        <label key={name} title={meaning}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            disabled={chosen.length === 1 && chosen.includes(name)}
            onChange={() => onChange(toggled(name))}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
