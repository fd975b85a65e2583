import type { MicroscopeCell } from '../../notebook/cells';
import { Microscope } from '../microscope/Microscope';
import { useRun } from '../runStore';
import { useShownSpec } from '../runScope';
import { editCell } from './documentStore';

/** One group of one iteration; which one is part of the notebook. */
export function MicroscopeCellBody({ cell }: { readonly cell: MicroscopeCell }) {
  const groups = useRun((state) => state.groups);
  const series = useRun((state) => state.series);
  const spec = useShownSpec();
  return (
    <Microscope
      groups={groups}
      series={series}
      spec={spec}
      choice={cell}
      onChoose={({ arm, seed, iteration, taskGroup }) =>
        editCell({ ...cell, arm, seed, iteration, taskGroup }, 'choice')
      }
    />
  );
}
