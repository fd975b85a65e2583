import { useState } from 'react';
import { formatNumber } from '../../metrics/format';
import { agentColor } from '../charts/lineStyle';
import { sortedSpikes, spikeKey, type Spike, type SpikeOrder } from './spikeList';
import { factorText, spikeTitle, zText } from './spikeText';

interface SpikesTableProps {
  /** Most severe first. */
  readonly spikes: readonly Spike[];
  /** Of the run, in the order of their colours. */
  readonly agents: readonly string[];
  /** `listed`: in the order of the table, for a reader that goes from one to the next. */
  readonly onOpen: (spike: Spike, listed: readonly Spike[]) => void;
}

/** Rows beyond this are not drawn; sorting brings others up. */
const maxRows = 200;

interface Column {
  readonly text: string;
  /** Null = not sortable by it. */
  readonly order: SpikeOrder | null;
  readonly title: string;
  readonly direction: 'ascending' | 'descending';
}

const columns: readonly Column[] = [
  { text: 'Agent', order: 'agent', title: '', direction: 'ascending' },
  { text: 'Iter.', order: 'iteration', title: 'Iteration', direction: 'ascending' },
  { text: 'Arm', order: 'arm', title: 'By arm, then seed', direction: 'ascending' },
  { text: 'Seed', order: null, title: '', direction: 'ascending' },
  { text: 'Norm', order: 'norm', title: 'Gradient norm before clipping', direction: 'descending' },
  {
    text: 'Median',
    order: null,
    title: 'Of the last 25 finite norms above 0 before it',
    direction: 'descending',
  },
  {
    text: 'Times',
    order: null,
    title: 'Norm over median: a spike is above 3',
    direction: 'descending',
  },
  {
    text: 'z',
    order: 'severity',
    title: 'Severity: (ln norm − median)/(1.4826·MAD), over the logarithms of the same values',
    direction: 'descending',
  },
];

/** Every spike of a run; a row opens what is behind it. */
export function SpikesTable({ spikes, agents, onOpen }: SpikesTableProps) {
  const [order, setOrder] = useState<SpikeOrder>('severity');
  if (spikes.length === 0)
    return (
      <p className="empty">
        No gradient norm has stood above 3 times the median of the last 25 before it.
      </p>
    );
  const listed = sortedSpikes(spikes, order);
  return (
    <section className="spikes-table" aria-label="Spikes" {...reachable}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.text} column={column} chosen={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.slice(0, maxRows).map((spike) => (
            <SpikeRow
              key={spikeKey(spike)}
              spike={spike}
              color={agentColor(agents, spike.agent)}
              onOpen={() => onOpen(spike, listed)}
            />
          ))}
        </tbody>
      </table>
      {listed.length > maxRows && (
        <p className="muted small">
          The first {maxRows} of {listed.length} in this order.
        </p>
      )}
    </section>
  );
}

/** What scrolls has to be reachable by keyboard. */
const reachable = { tabIndex: 0 };

interface HeadCellProps {
  readonly column: Column;
  readonly chosen: SpikeOrder;
  readonly onOrder: (order: SpikeOrder) => void;
}

function HeadCell({ column: { text, order, title, direction }, chosen, onOrder }: HeadCellProps) {
  if (order === null)
    return (
      <th scope="col" title={title}>
        {text}
      </th>
    );
  const isChosen = order === chosen;
  return (
    <th scope="col" title={title} aria-sort={isChosen ? direction : 'none'}>
      <button type="button" onClick={() => onOrder(order)}>
        {text}
        <span className="spikes-sort" aria-hidden="true">
          {isChosen ? sortMarks[direction] : ''}
        </span>
      </button>
    </th>
  );
}

const sortMarks = { ascending: '↑', descending: '↓' } as const;

interface SpikeRowProps {
  readonly spike: Spike;
  readonly color: string;
  readonly onOpen: () => void;
}

function SpikeRow({ spike, color, onOpen }: SpikeRowProps) {
  const { agent, iteration, arm, seed, norm, medianBefore } = spike;
  return (
    <tr>
      <th scope="row">
        <button type="button" aria-label={`${spikeTitle(spike)}: open`} onClick={onOpen}>
          <span className="agent-dot" style={{ background: color }} />
          {agent}
        </button>
      </th>
      <td>{iteration}</td>
      <td>{arm}</td>
      <td>{seed}</td>
      <td>{formatNumber(norm)}</td>
      <td>{Number.isNaN(medianBefore) ? '–' : formatNumber(medianBefore)}</td>
      <td>{factorText(spike)}</td>
      <td>{zText(spike)}</td>
    </tr>
  );
}
