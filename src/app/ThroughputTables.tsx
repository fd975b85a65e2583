import type { ReactNode } from 'react';
import { engineRows, explainEngines } from './engineText';
import { HelpButton } from './HelpButton';
import { Icon } from './icons';
import { useShownSpec } from './runScope';
import { columnNames, throughputColumns, type ThroughputColumn } from './throughput';
import {
  deviceMetrics,
  explain,
  explainOne,
  speedMetrics,
  throughputCell,
  type ThroughputCell,
  type ThroughputMetric,
} from './throughputMetrics';
import {
  explainFrames,
  explainStages,
  frameRows,
  stageColumns,
  stageRows,
  type TextRow,
} from './throughputText';
import type { ThroughputSnapshot } from './throughputSnapshot';

/** The numbers of the panel, group by group. */
export function ThroughputTables({ log, policies, frames }: ThroughputSnapshot) {
  const spec = useShownSpec();
  const columns = throughputColumns(log);
  const ids =
    policies.length > 0 ? policies.map(({ policyId }) => policyId) : Object.keys(spec.policies);
  const names = columns.length > 0 ? columns.map(({ name }) => name) : columnNames(ids);
  const own = names.length === 1 ? names : names.slice(1);
  return (
    <div className="throughput-groups">
      <Group title="Tokens" help={explain(speedMetrics)}>
        <PolicyTable title="Tokens" names={names} columns={columns} metrics={speedMetrics} />
      </Group>
      <Group title="Device" help={explain(deviceMetrics)}>
        <PolicyTable title="Device" names={names} columns={columns} metrics={deviceMetrics} />
      </Group>
      <Group title="Engine" help={explainEngines}>
        <NotedTable title="Engine" names={own} rows={engineRows(policies, own.length)} />
      </Group>
      <div className="throughput-pair">
        <Group title="Time" help={explainStages}>
          <NumberTable title="Time" heading="Stage" columns={stageColumns}>
            {stageRows(log).map((row) => (
              <NumberRow key={row.label} row={row} />
            ))}
          </NumberTable>
        </Group>
        <Group title="Page" help={explainFrames}>
          <NumberTable title="Page" heading="Frames" columns={['count', '%']}>
            {frameRows(frames).map((row) => (
              <NumberRow key={row.label} row={row} />
            ))}
          </NumberTable>
        </Group>
      </div>
    </div>
  );
}

interface GroupProps {
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}

function Group({ title, help, children }: GroupProps) {
  return (
    <div className="throughput-group">
      <div className="throughput-head">
        <h3>{title}</h3>
        <HelpButton subject={title} text={help} />
      </div>
      {children}
    </div>
  );
}

interface NumberTableProps {
  readonly title: string;
  /** Over the names of the rows. */
  readonly heading: string;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/** What scrolls has to be reachable by keyboard, although nothing in it can be pressed. */
const reachable = { tabIndex: 0 };

function NumberTable({ title, heading, columns, children }: NumberTableProps) {
  return (
    <section className="figures-table" aria-label={`Table of ${title}`} {...reachable}>
      <table>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {columns.map((name) => (
              <th scope="col" key={name} title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

function NumberRow({ row }: { readonly row: TextRow }) {
  return (
    <tr title={row.meaning}>
      <th scope="row">
        {row.label}
        {row.unit !== '' && <small> {row.unit}</small>}
      </th>
      {row.cells.map((cell, index) => (
        // Rows have a fixed number of columns, told apart by their place alone.
        <NumberCell key={`${row.label}${String(index)}`} cell={cell} />
      ))}
    </tr>
  );
}

function NumberCell({ cell: { text, note, isAlarm } }: { readonly cell: ThroughputCell }) {
  return (
    <td title={note ?? undefined} data-none={note !== null && !isAlarm}>
      {isAlarm && <Icon name="warning" />}
      {text}
      {note !== null && <span className="visually-hidden"> {note}</span>}
    </td>
  );
}

interface PolicyTableProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly columns: readonly ThroughputColumn[];
  readonly metrics: readonly ThroughputMetric[];
}

/** A row per metric and a column per policy; under them why there are dashes. */
function PolicyTable({ title, names, columns, metrics }: PolicyTableProps) {
  const rows = metrics.map((metric): TextRow => ({
    label: metric.label,
    unit: metric.unit,
    meaning: explainOne(metric),
    cells: names.map((_, index) => throughputCell(metric, columns[index])),
  }));
  return <NotedTable title={title} names={names} rows={rows} />;
}

interface NotedTableProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly rows: readonly TextRow[];
}

function NotedTable({ title, names, rows }: NotedTableProps) {
  const notes = notesOf(rows);
  return (
    <>
      <NumberTable title={title} heading="Policy" columns={names}>
        {rows.map((row) => (
          <NumberRow key={row.label} row={row} />
        ))}
      </NumberTable>
      <p className="throughput-note muted" title={notes}>
        {notes}
      </p>
    </>
  );
}

/** What is wrong, or else why there are dashes: each reason once, in the order of the rows. */
function notesOf(rows: readonly TextRow[]): string {
  const cells = rows.flatMap((row) => row.cells);
  const alarm = cells.find(({ isAlarm }) => isAlarm)?.note ?? null;
  if (alarm !== null) return alarm;
  return [...new Set(cells.flatMap(({ note }) => note ?? []))].join(' ');
}
