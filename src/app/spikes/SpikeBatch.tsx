import { useMemo, useState } from 'react';
import { formatNumber } from '../../metrics/format';
import type { Transcript } from '../../protocol/trainerApi';
import { Microscope } from '../microscope/Microscope';
import type { MicroscopeChoice } from '../microscope/microscopeText';
import { SpikeEpisodes } from './SpikeEpisodes';
import { spikeCause, type GroupShare, type SpikeRun } from './spikeCause';
import type { Spike } from './spikeList';
import { missingBatch, missingEpisodes, percentText } from './spikeText';

interface SpikeBatchProps {
  readonly spike: Spike;
  readonly run: SpikeRun;
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  readonly onOpenMicroscope: (choice: MicroscopeChoice) => void;
  readonly onOpenRollout: (episode: Transcript) => void;
}

/** The groups of the batch by their weight; of one of them the microscope and the rollouts. */
export function SpikeBatch({
  spike,
  run,
  agents,
  onOpenMicroscope,
  onOpenRollout,
}: SpikeBatchProps) {
  const { groups, transcripts } = run;
  const cause = useMemo(
    () => spikeCause(spike, { groups, transcripts }),
    [spike, groups, transcripts],
  );
  const [task, setTask] = useState<number | null>(null);
  const missing = missingBatch(cause, spike);
  const chosen = cause.groups.find(({ id }) => id === task) ?? cause.groups[0];
  if (missing !== null || chosen === undefined)
    return (
      <>
        <p className="microscope-note">{missing}</p>
        <SpikeEpisodes episodes={cause.episodes} agents={agents} onOpen={onOpenRollout} />
      </>
    );
  const { arm, seed, iteration } = spike;
  const choice = { arm, seed, iteration, taskGroup: chosen.id };
  const lacking = missingEpisodes(chosen);
  return (
    <div className="spike-batch">
      <SharesTable spike={spike} groups={cause.groups} chosen={chosen.id} onChoose={setTask} />
      <section className="spike-group" aria-label={`Task ${chosen.id}`}>
        <header className="spike-head">
          <h3>
            Task {chosen.id}: {percentText(chosen.share)} of Σ w·A²
          </h3>
          <div className="spike-steps">
            <button type="button" onClick={() => onOpenMicroscope(choice)}>
              Open in the microscope
            </button>
          </div>
        </header>
        <Microscope
          {...run}
          choice={choice}
          onChoose={({ taskGroup }) => setTask(taskGroup)}
          isEmbedded
        />
        <h3>Rollouts of task {chosen.id}</h3>
        {lacking !== null && <p className="muted small">{lacking}</p>}
        <SpikeEpisodes
          key={chosen.id}
          episodes={chosen.episodes}
          agents={agents}
          onOpen={onOpenRollout}
        />
      </section>
    </div>
  );
}

interface SharesTableProps {
  readonly spike: Spike;
  readonly groups: readonly GroupShare[];
  readonly chosen: number;
  readonly onChoose: (task: number) => void;
}

const proxyText =
  'A proxy for the share of the gradient: it would be that if the log-probability gradients of all steps had one length and no common direction.';

function SharesTable({ spike, groups, chosen, onChoose }: SharesTableProps) {
  return (
    <section
      className="microscope-table spike-shares"
      aria-label="Groups of the batch"
      {...reachable}
    >
      <table>
        <caption title={proxyText}>
          Groups by their share of Σ w·A² of {spike.agent}, a proxy for their share of the gradient
        </caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Share</th>
            <th scope="col">Steps</th>
            <th scope="col">Largest |A|</th>
            <th scope="col">Episodes</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ id, share, numSteps, largest, episodes, numRollouts }) => (
            <tr key={id} data-current={id === chosen}>
              <th scope="row">
                <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
                  Task {id}
                </button>
              </th>
              <td>
                <meter className="spike-meter" value={share} aria-hidden="true" />
                {percentText(share)}
              </td>
              <td>{numSteps}</td>
              <td>{formatNumber(largest)}</td>
              <td>
                {episodes.length} of {numRollouts}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };
