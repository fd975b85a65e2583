import { metricCatalog } from '../../metrics/catalog';
import type { ComparisonCell } from '../../notebook/cells';
import type { Notebook } from '../../notebook/notebook';
import { comparisonStatistics } from '../../notebook/statistics';
import { Choice } from '../Choice';
import { AgentChecks, Checks } from '../claim/Checks';
import { metricOptions, namesOf, withPresent } from '../claim/claimChoices';
import { ExperimentChoice } from '../claim/ExperimentChoice';
import { statisticLabels, statisticMeanings } from './comparisonText';

interface ComparisonEditorProps {
  readonly cell: ComparisonCell;
  readonly notebook: Notebook;
  /** Gets valid cells only. */
  readonly onChange: (cell: ComparisonCell) => void;
}

/** An option of a select has a text only; this one stands for what the cell leaves open. */
const open = '';

const metrics = [[open, 'the arms at a glance'], ...metricOptions] as const;

/** What a comparison shows: metric, agents, baseline and columns. */
export function ComparisonEditor({ cell, notebook, onChange }: ComparisonEditorProps) {
  const { experiment, metric, agents, baseline, statistics } = cell;
  const names = namesOf(notebook, experiment);
  return (
    <div className="claim-editor">
      <ExperimentChoice
        notebook={notebook}
        experiment={experiment}
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
        <AgentChecks
          known={names.agents}
          chosen={agents}
          onChange={(next) => onChange({ ...cell, agents: next })}
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
