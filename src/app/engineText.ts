import type { ComputeBackend } from '../config/experimentSpec';
import { fields } from '../config/fields';
import { formatNumber } from '../metrics/format';
import type { DecodingTimes, EngineTimes } from '../protocol/policyApi';
import type { PolicyStatus } from '../protocol/trainerApi';
import { explain, explainOne, unknown, type ThroughputCell } from './throughputMetrics';
import type { TextRow } from './throughputText';

/** What each policy runs on, and the times that the choice was made by. */

const notStarted = 'Known once the policies have started.';
const onlyOne = 'Not timed: no other engine starts here.';
const wasSet = 'Not timed: the backend was set.';
const otherEngine = 'The compiled GPU engine alone has two ways.';

interface EngineRow {
  readonly label: string;
  readonly unit: string;
  readonly meaning: string;
  readonly of: (policy: PolicyStatus) => ThroughputCell;
}

function said(text: string): ThroughputCell {
  return { text, note: null, isAlarm: false };
}

function missing(note: string): ThroughputCell {
  return { text: unknown, note, isAlarm: false };
}

function ms(value: number | null, whyNull: string): ThroughputCell {
  return value === null ? missing(whyNull) : said(formatNumber(value));
}

function backendName(backend: ComputeBackend): string {
  return fields.backend.options[backend];
}

function timesRow(backend: ComputeBackend, call: 'sampleMs' | 'updateMs', name: string): EngineRow {
  return {
    label: `${name}, ${backendName(backend)}`,
    unit: 'ms',
    meaning: `One ${name.toLowerCase()} on ${backendName(backend)} with one turn of every rollout of an iteration, at the start of the run.`,
    of({ compared }) {
      const times: EngineTimes | undefined = compared.find((engine) => engine.backend === backend);
      if (times === undefined) return missing(wasSet);
      return ms(times[call], times.refusal ?? onlyOne);
    },
  };
}

function decodingRow(kind: DecodingTimes['kind'], meaning: string): EngineRow {
  return {
    label: `Decoding, ${kind}`,
    unit: 'ms',
    meaning,
    of({ decoding }) {
      if (decoding === null) return missing(otherEngine);
      const value = kind === 'batched' ? decoding.batchedMs : decoding.persistentMs;
      return ms(value, 'It does not fit into a workgroup of this device.');
    },
  };
}

const rows: readonly EngineRow[] = [
  {
    label: 'Runs on',
    unit: '',
    meaning:
      'Set by the backend, or for “fastest here” the engine whose sampling and update together took less time.',
    of: ({ backend }) => said(backendName(backend)),
  },
  timesRow('webgpu', 'sampleMs', 'Sampling'),
  timesRow('webgpu', 'updateMs', 'Update'),
  timesRow('wasm', 'sampleMs', 'Sampling'),
  timesRow('wasm', 'updateMs', 'Update'),
  decodingRow('batched', 'The same sampling with some dispatches for every layer and token.'),
  decodingRow(
    'persistent',
    'The same sampling with one dispatch for many tokens; the faster of the two is taken.',
  ),
];

export const explainEngines = `${explain(rows)}
To choose another one, set the backend.`;

/** A row per figure and a cell per policy; dashes before the policies have started. */
export function engineRows(policies: readonly PolicyStatus[], numColumns: number): TextRow[] {
  return rows.map(({ of, ...row }) => ({
    label: row.label,
    unit: row.unit,
    meaning: explainOne(row),
    cells: Array.from({ length: numColumns }, (_, index) => {
      const policy = policies[index];
      return policy === undefined ? missing(notStarted) : of(policy);
    }),
  }));
}
