import type { RolloutsCell } from '../../notebook/cells';
import { Rollouts } from '../rollouts/Rollouts';

/** Episodes of the runs. */
export function RolloutsCellBody({ cell: _cell }: { readonly cell: RolloutsCell }) {
  return <Rollouts />;
}
