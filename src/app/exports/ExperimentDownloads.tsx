import { useRef } from 'react';
import { ChartMenu } from '../charts/ChartMenu';
import { useDesk } from '../desks';
import { useRun } from '../runStore';
import { isActive } from '../runState';
import { exportGroups, needsEnd, type ExportKind } from './exportKinds';

/** The run as files, by who reads them. */
export function ExperimentDownloads() {
  const { run } = useDesk();
  const host = useRef<HTMLDivElement>(null);
  const isEmpty = useRun((state) => state.revision === 0);
  const isRunning = useRun((state) => isActive(state.phase));
  const save = async (kind: ExportKind): Promise<void> => {
    const { saveRun } = await import('./saveRun');
    await saveRun(kind, run.getState());
  };
  return (
    <div className="downloads" ref={host}>
      <ChartMenu label="Export">
        {isEmpty && <p className="muted small">There is nothing yet: run the experiment first.</p>}
        {exportGroups.map(({ heading, kinds }) => (
          <fieldset key={heading} className="export-group">
            <legend>{heading}</legend>
            {kinds.map(({ kind, label, note }) => (
              <button
                key={kind}
                type="button"
                className="chart-button export-kind"
                disabled={isEmpty || (isRunning && needsEnd(kind))}
                onClick={() => {
                  // What was saved, or why not, is said in the live region.
                  void save(kind);
                  host.current?.querySelector('details')?.removeAttribute('open');
                  host.current?.querySelector('summary')?.focus();
                }}
              >
                {label}
                <span className="muted small">
                  {isRunning && needsEnd(kind) ? 'When the run is over' : note}
                </span>
              </button>
            ))}
          </fieldset>
        ))}
      </ChartMenu>
    </div>
  );
}
