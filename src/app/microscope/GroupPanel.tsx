import type { EstimatorSpec } from '../../config/experimentSpec';
import { RolloutsTable, StepsTable } from './GroupTables';
import type { GroupView } from './groupView';
import type { LoggedMoments } from './logged';
import { conventionsText, notesOn } from './microscopeText';
import { StatisticsTable } from './StatisticsTable';
import { StripPlot } from './StripPlot';

interface GroupPanelProps {
  readonly view: GroupView;
  /** Of the arm. */
  readonly estimator: EstimatorSpec;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  /** [agents of the view] of the whole iteration. */
  readonly logged: readonly LoggedMoments[];
  /** The long tables are folded away. */
  readonly isCompact: boolean;
}

/** One group: what is particular about it, its statistics, the advantages as a picture, and every number behind it. */
export function GroupPanel({ view, estimator, agents, logged, isCompact }: GroupPanelProps) {
  const tables = (
    <div className="microscope-tables">
      <RolloutsTable view={view} agents={agents} />
      <StepsTable view={view} agents={agents} />
    </div>
  );
  return (
    <div className="group-panel">
      {notesOn(view, estimator).map((note) => (
        <p key={note} className="microscope-note">
          {note}
        </p>
      ))}
      <StatisticsTable view={view} agents={agents} logged={logged} />
      <p className="muted small">
        {conventionsText(view.conventions, estimator)} Predicted: from population stds, so with n −
        1 the measured moment under global, per trajectory is (n − 1)/n of it.
      </p>
      <StripPlot view={view} agents={agents} />
      {isCompact ? (
        <details>
          <summary>Scores and advantages in numbers</summary>
          {tables}
        </details>
      ) : (
        tables
      )}
    </div>
  );
}
