import type { SpecIssue } from '../config/specIssue';
import type { MetricRow } from '../metrics/catalog';
import { parseChunk } from './parseChunk';
import { under } from './runRow';
import type { KeptEvent } from './storageApi';

interface ReadChunks {
  /** Up to the first damage. */
  readonly events: readonly KeptEvent[];
  readonly issues: readonly SpecIssue[];
}

/** The chunks of a run: each there, readable, and its iterations those that follow. */
export function readChunks(
  rows: readonly { readonly key: readonly [string, number]; readonly value: unknown }[],
  numChunks: number,
  lastIteration: number | null,
): ReadChunks {
  const byNumber = new Map(rows.map(({ key, value }) => [key[1], value]));
  const events: KeptEvent[] = [];
  let next = 0;
  for (let number = 0; number < numChunks; number++) {
    const path = `chunks.${number}`;
    if (!byNumber.has(number))
      return { events, issues: [{ path, message: `Nothing came, expected one of ${numChunks}.` }] };
    const parsed = parseChunk(byNumber.get(number));
    if (!parsed.ok) return { events, issues: under(path, parsed.issues) };
    const issue = orderIssue(parsed.events, next);
    if (issue !== null) return { events, issues: under(path, [issue]) };
    for (const event of parsed.events) {
      events.push(event);
      if (event.kind === 'iteration') next += 1;
    }
  }
  return { events, issues: endIssues(byNumber, numChunks, [next - 1, lastIteration ?? -1]) };
}

function orderIssue(events: readonly KeptEvent[], first: number): SpecIssue | null {
  let next = first;
  for (const [i, event] of events.entries()) {
    if (event.kind !== 'iteration') continue;
    if (event.iteration !== next)
      return {
        path: `events.${i}.iteration`,
        message: `${event.iteration} came, expected ${next}: iterations follow one another from 0.`,
      };
    const stray = event.rows.find(({ iteration }) => iteration !== event.iteration);
    if (stray !== undefined)
      return {
        path: `events.${i}`,
        message: `A row of iteration ${stray.iteration} came with iteration ${event.iteration}.`,
      };
    const repeated = repeatedRow(event.rows);
    if (repeated !== null) return { path: `events.${i}`, message: repeated };
    next += 1;
  }
  return null;
}

/** A page draws one number a metric, agent, replica and iteration. */
function repeatedRow(rows: readonly MetricRow[]): string | null {
  const first = new Map<string, MetricRow>();
  for (const row of rows) {
    const name = `${row.arm}/${row.seed}/${row.agent}`;
    const before = first.get(name);
    first.set(name, { ...row, values: { ...before?.values, ...row.values } });
    if (before === undefined) continue;
    const metric = Object.keys(row.values).find((key) => Object.hasOwn(before.values, key));
    if (metric !== undefined)
      return `${metric} of ${name} came twice in iteration ${row.iteration}.`;
  }
  return null;
}

function endIssues(
  byNumber: ReadonlyMap<number, unknown>,
  numChunks: number,
  [last, told]: readonly [number, number],
): readonly SpecIssue[] {
  const extra = [...byNumber.keys()].filter((number) => !(number >= 0 && number < numChunks));
  return [
    ...extra.map((number) => ({
      path: `chunks.${number}`,
      message: `It came, expected ${numChunks} chunks, from 0.`,
    })),
    ...(last === told
      ? []
      : [
          {
            path: 'progress.lastIteration',
            message: `${told} came, but the chunks end with iteration ${last} (−1 = none).`,
          },
        ]),
  ];
}
