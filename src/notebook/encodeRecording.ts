import { specHash } from '../config/specHash';
import { packFloat64, packInt32 } from './packedColumns';
import { packTranscripts } from './recordedTranscripts';
import type { RecordedLine, RunRecording } from './recording';
import type { RecordingFrame } from './recordingFrame';

type LineGroup = RecordingFrame['groups'][number];

/** A recording as plain data for a file; `parseRecording` gives every bit of it back. */
export function encodeRecording(recording: RunRecording): RecordingFrame {
  const { lines, transcripts, spec, ...facts } = recording;
  const axes = distinctAxes(lines);
  const grouped = groupsOf(lines, axes);
  return {
    version: 1,
    ...facts,
    spec,
    specHash: specHash(spec),
    axes: axes.list.map(({ length }) => length),
    iterationsOfAxes: packInt32(Int32Array.from(axes.list.flatMap((axis) => Array.from(axis)))),
    groups: grouped.map(({ group }) => group),
    values: packFloat64(joined(grouped.flatMap(({ values }) => values))),
    transcripts: transcripts.length === 0 ? null : packTranscripts(transcripts),
  };
}

interface Axes {
  readonly list: readonly Int32Array[];
  readonly indexOf: (iterations: Int32Array) => number;
}

/** Lines that were logged in the same iterations share one axis. */
function distinctAxes(lines: readonly RecordedLine[]): Axes {
  const list: Int32Array[] = [];
  const indices = new Map<string, number>();
  for (const { iterations } of lines) {
    const name = iterations.join();
    if (indices.has(name)) continue;
    indices.set(name, list.length);
    list.push(iterations);
  }
  return { list, indexOf: (iterations) => indices.get(iterations.join())! };
}

/** Neighbouring lines of one agent of one replica on one axis are told once. */
function groupsOf(
  lines: readonly RecordedLine[],
  { indexOf }: Axes,
): readonly { readonly group: LineGroup; readonly values: Float64Array[] }[] {
  const groups: { readonly group: LineGroup; readonly values: Float64Array[] }[] = [];
  for (const { arm, seed, agent, metric, iterations, values } of lines) {
    const axis = indexOf(iterations);
    const last = groups.at(-1);
    const isNext =
      last?.group.arm === arm &&
      last.group.seed === seed &&
      last.group.agent === agent &&
      last.group.axis === axis;
    if (last !== undefined && isNext) {
      last.group.metrics.push(metric);
      last.values.push(values);
    } else groups.push({ group: { arm, seed, agent, axis, metrics: [metric] }, values: [values] });
  }
  return groups;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
