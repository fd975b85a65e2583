import { metricCatalog } from '../../metrics/catalog';
import type { ChartCell } from '../../notebook/cells';
import { Choice } from '../Choice';
import { AgentChecks } from '../claim/Checks';
import { metricOptions, namesOf } from '../claim/claimChoices';
import { ExperimentChoice } from '../claim/ExperimentChoice';
import { editCell, usePresent } from './documentStore';

/** An option of a select has a text only; this one stands for no second metric. */
const none = '';

const widths = [
  ['full', 'whole'],
  ['twoThirds', 'two thirds'],
  ['half', 'half'],
  ['third', 'a third'],
] as const;

const heights = ['120', '150', '200', '280', '400', '600'];

/** Which metrics a chart shows and how much room it takes; how it shows them is chosen under View. */
export function ChartEditor({ cell }: { readonly cell: ChartCell }) {
  const { metrics, width, height } = cell;
  const [first, second] = metrics;
  const level = first === undefined ? 'agent' : metricCatalog[first].level;
  const notebook = usePresent();
  const others = metricOptions.filter(
    ([key]) => key !== first && metricCatalog[key].level === level,
  );
  const known = heights.includes(String(height)) ? heights : [...heights, String(height)];
  return (
    <div className="claim-editor">
      <ExperimentChoice
        notebook={notebook}
        experiment={cell.experiment}
        onChoose={(experiment) => editCell({ ...cell, experiment, agents: 'all' })}
      />
      <Choice
        className="claim-choice"
        label="Metric"
        value={first ?? 'gradNorm'}
        options={metricOptions}
        onChoose={(metric) => editCell({ ...cell, metrics: [metric] })}
      />
      <Choice
        className="claim-choice"
        label="Together with"
        value={second ?? none}
        options={[[none, 'none'], ...others]}
        onChoose={(metric) => {
          if (first !== undefined)
            editCell({ ...cell, metrics: metric === none ? [first] : [first, metric] });
        }}
      />
      {level === 'agent' && (
        <AgentChecks
          known={namesOf(notebook, cell.experiment).agents}
          chosen={cell.agents}
          onChange={(agents) => editCell({ ...cell, agents })}
        />
      )}
      <Choice
        className="claim-choice"
        label="Width"
        value={width}
        options={widths}
        onChoose={(next) => editCell({ ...cell, width: next })}
      />
      <Choice
        className="claim-choice"
        label="Height"
        value={String(height)}
        options={known.map((option) => [option, `${option} px`])}
        onChoose={(next) => editCell({ ...cell, height: Number(next) })}
      />
    </div>
  );
}
