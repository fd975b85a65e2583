import { useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { NotebookCell } from '../../notebook/cells';
import { deskOf } from '../desks';
import type { MicroscopeChoice } from '../microscope/microscopeText';
import type { Transcript } from '../../protocol/trainerApi';
import { closeSpike, openSpike, useOpenSpike } from '../spikes/openSpike';
import { SpikeReader } from '../spikes/SpikeReader';
import { editCell, insertCell, placeBelow, presentNotebook, useDocument } from './documentStore';
import { focusCell } from './focusCell';

/** The batch behind a spike, over the page. */
export function SpikeDialog() {
  const open = useOpenSpike((state) => state.open);
  return open === null ? null : <OpenDialog open={open} />;
}

type Open = NonNullable<ReturnType<typeof useOpenSpike.getState>['open']>;

function OpenDialog({ open }: { readonly open: Open }) {
  const { experiment, spike, listed } = open;
  const dialog = useRef<HTMLDialogElement>(null);
  const { spec, series, groups, transcripts } = useStore(deskOf(experiment).run);
  // Closed while it still stands in the document: only then does the browser give the focus back to what had it.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  if (spec === null) return null;
  return (
    <dialog ref={dialog} className="spike-dialog" aria-label="Spike" onCancel={closeSpike}>
      <SpikeReader
        spike={spike}
        spikes={listed}
        run={{ spec, series, groups, transcripts }}
        onChoose={(next) => openSpike({ ...open, spike: next })}
        onClose={closeSpike}
        onOpenMicroscope={(choice) => showInMicroscope(experiment, choice)}
        onOpenRollout={(episode) => showInRollouts(experiment, episode)}
      />
    </dialog>
  );
}

/** The first cell of a kind that shows an experiment; added below the selected cell where there is none. */
function cellFor<K extends 'microscope' | 'rollouts'>(
  kind: K,
  experiment: string,
): Extract<NotebookCell, { kind: K }> | undefined {
  const isIt = (cell: NotebookCell): cell is Extract<NotebookCell, { kind: K }> =>
    cell.kind === kind && 'experiment' in cell && cell.experiment === experiment;
  const known = presentNotebook().cells.find(isIt);
  if (known !== undefined) return known;
  insertCell(kind, placeBelow());
  const { selected } = useDocument.getState();
  const added = presentNotebook().cells.find(({ id }) => id === selected);
  if (added === undefined || added.kind !== kind || !('experiment' in added)) return undefined;
  editCell({ ...added, experiment });
  return presentNotebook().cells.find(isIt);
}

function showInMicroscope(
  experiment: string,
  { arm, seed, iteration, taskGroup }: MicroscopeChoice,
): void {
  const cell = cellFor('microscope', experiment);
  if (cell === undefined) return;
  editCell({ ...cell, arm, seed, iteration, taskGroup });
  closeSpike();
  focusCell(cell.id);
}

function showInRollouts(experiment: string, { arm, seed, iteration }: Transcript): void {
  const cell = cellFor('rollouts', experiment);
  if (cell === undefined) return;
  editCell({ ...cell, outcome: 'any', agent: null, arm, seed, iteration });
  closeSpike();
  focusCell(cell.id);
}
