import { useMemo } from 'react';
import type { RolloutsCell } from '../../notebook/cells';
import { Rollouts } from '../rollouts/Rollouts';
import { editCell } from './documentStore';

/** Episodes of the runs. */
export function RolloutsCellBody({ cell }: { readonly cell: RolloutsCell }) {
  const { outcome, agent, arm, seed, iteration } = cell;
  const filters = useMemo(
    () => ({ outcome, agent, arm, seed, iteration }),
    [outcome, agent, arm, seed, iteration],
  );
  return (
    <Rollouts filters={filters} onFilter={(next) => editCell({ ...cell, ...next }, 'filters')} />
  );
}
