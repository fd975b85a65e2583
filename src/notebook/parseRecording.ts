import { joinPath } from '../config/dataPath';
import { firstIssues, shown, toSpecIssues } from '../config/issueMessages';
import { parseSpec } from '../config/parseSpec';
import { plainCopy } from '../config/plainData';
import { specHash as hashOf } from '../config/specHash';
import type { ExperimentSpec } from '../config/experimentSpec';
import type { SpecIssue } from '../config/specIssue';
import { teamId } from '../metrics/runSeries';
import { levelMismatch } from './names';
import { unpackFloat64, unpackInt32 } from './packedColumns';
import type { RecordedLine, RunRecording } from './recording';
import { unpackTranscripts, type RecordedTranscript } from './recordedTranscripts';
import {
  maxRecordedLines,
  maxRecordedValues,
  recordingFrameSchema,
  type RecordingFrame,
} from './recordingFrame';
import { agentsOf } from './references';

export type ParsedRecording =
  | { readonly ok: true; readonly recording: RunRecording }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/**
 * Unknown data (from a file or storage) to a recording, or what is wrong with it. Nothing larger than the limits is unpacked, and
 * the result shares nothing with `data`. Never throws on data as JSON can hold it.
 */
export function parseRecording(data: unknown): ParsedRecording {
  const { copy, issues: foreign } = plainCopy(data);
  if (foreign.length > 0) return refused(foreign);
  const frame = recordingFrameSchema.safeParse(copy);
  if (!frame.success) return refused(toSpecIssues(frame.error.issues, copy));
  const parsed = parseSpec(frame.data.spec);
  const issues = [...specIssues(frame.data, parsed), ...sizeIssues(frame.data)];
  if (!parsed.ok || issues.length > 0) return refused(issues);
  return unpacked(frame.data, parsed.spec);
}

function refused(issues: readonly SpecIssue[]): ParsedRecording {
  return { ok: false, issues: firstIssues(issues) };
}

/** The hash is of what stands in the file: a specification that was changed after the run is found out. */
function specIssues(
  { spec, specHash, iterations }: RecordingFrame,
  parsed: ReturnType<typeof parseSpec>,
): readonly SpecIssue[] {
  if (!parsed.ok)
    return parsed.issues.map(({ path, message }) => ({
      path: path === '' ? 'spec' : joinPath('spec', path),
      message,
    }));
  const actual = hashOf(spec);
  if (actual !== specHash)
    return [
      {
        path: 'specHash',
        message: `${shown(specHash)} came, but the specification beside it has ${actual}: it was changed after the run, so it does not say what ran.`,
      },
    ];
  return iterations <= parsed.spec.iterations
    ? []
    : [
        {
          path: 'iterations',
          message: `${iterations} came, expected at most the ${parsed.spec.iterations} of the specification.`,
        },
      ];
}

/** Looked at before anything is unpacked: a small file can ask for a lot of memory. */
function sizeIssues({ axes, groups }: RecordingFrame): readonly SpecIssue[] {
  const outside = groups.flatMap(({ axis }, i) =>
    axis < axes.length
      ? []
      : [
          {
            path: `groups.${i}.axis`,
            message: `${axis} came, expected the number of one of the ${axes.length} axes, from 0.`,
          },
        ],
  );
  if (outside.length > 0) return outside;
  const numLines = groups.reduce((sum, { metrics }) => sum + metrics.length, 0);
  const numValues = valuesIn({ axes, groups });
  const onAxes = axes.reduce((sum, length) => sum + length, 0);
  return [
    ...tooMany('groups', numLines, maxRecordedLines, 'lines'),
    ...tooMany('values', numValues, maxRecordedValues, 'numbers'),
    ...tooMany('axes', onAxes, maxRecordedValues, 'iterations'),
  ];
}

function valuesIn({ axes, groups }: Pick<RecordingFrame, 'axes' | 'groups'>): number {
  return groups.reduce((sum, { axis, metrics }) => sum + axes[axis]! * metrics.length, 0);
}

function tooMany(path: string, count: number, limit: number, what: string): readonly SpecIssue[] {
  return count <= limit
    ? []
    : [{ path, message: `${count} ${what} came, expected at most ${limit}.` }];
}

function unpacked(frame: RecordingFrame, spec: ExperimentSpec): ParsedRecording {
  const { axes, iterationsOfAxes, groups, values: packedValues, ...rest } = frame;
  const onAxes = axes.reduce((sum, length) => sum + length, 0);
  const iterations = unpackInt32(iterationsOfAxes, onAxes);
  if (typeof iterations === 'string') return damaged('iterationsOfAxes', iterations);
  const values = unpackFloat64(packedValues, valuesIn(frame));
  if (typeof values === 'string') return damaged('values', values);
  const transcripts = rest.transcripts === null ? [] : unpackTranscripts(rest.transcripts);
  if (typeof transcripts === 'string') return damaged('transcripts', transcripts);
  const lines = linesFrom(frame, iterations, values);
  const names = namesIn(spec);
  const issues = [
    ...axisIssues(frame, iterations),
    ...groupIssues(groups, names),
    ...transcriptIssues(transcripts, names),
    ...interventionIssues(frame, names),
  ];
  if (issues.length > 0) return refused(issues);
  const { ended, message, notices, wallMs, date, versions, device, metrics, interventions } = rest;
  const facts = { ended, message, notices, wallMs, date, versions, device, metrics };
  const changes = interventions === undefined ? {} : { interventions };
  return {
    ok: true,
    recording: { ...facts, ...changes, iterations: rest.iterations, spec, lines, transcripts },
  };
}

function damaged(path: string, reason: string): ParsedRecording {
  return refused([{ path, message: `Not readable: ${reason}. Fetch or record the file again.` }]);
}

function linesFrom(
  { axes, groups }: RecordingFrame,
  iterations: Int32Array,
  values: Float64Array,
): readonly RecordedLine[] {
  const starts = startsOf(axes);
  let at = 0;
  return groups.flatMap(({ arm, seed, agent, axis, metrics }) => {
    const [start, length] = [starts[axis]!, axes[axis]!];
    return metrics.map((metric) => {
      at += length;
      return {
        arm,
        seed,
        agent,
        metric,
        iterations: iterations.subarray(start, start + length),
        values: values.subarray(at - length, at),
      };
    });
  });
}

/** [n] where each axis begins among all iterations. */
function startsOf(axes: readonly number[]): readonly number[] {
  let next = 0;
  return axes.map((length) => {
    next += length;
    return next - length;
  });
}

function axisIssues(
  { axes, iterations: done }: RecordingFrame,
  iterations: Int32Array,
): readonly SpecIssue[] {
  const starts = startsOf(axes);
  return axes.flatMap((length, i) => {
    const axis = iterations.subarray(starts[i], starts[i]! + length);
    const isRising = axis.every(
      (iteration, k) => iteration <= done && iteration > (k === 0 ? -1 : axis[k - 1]!),
    );
    const message = `Iterations came that do not rise from 0 to at most ${done}.`;
    return isRising ? [] : [{ path: `axes.${i}`, message }];
  });
}

interface Names {
  readonly arm: ReadonlySet<string>;
  readonly seed: ReadonlySet<number>;
  /** With the team. */
  readonly agent: ReadonlySet<string>;
}

function namesIn(spec: ExperimentSpec): Names {
  return {
    arm: new Set(spec.arms.map(({ name }) => name)),
    seed: new Set(spec.seeds),
    agent: new Set([...agentsOf(spec), teamId]),
  };
}

/** Names that the specification does not have. */
function unknownNames(
  path: string,
  place: { readonly arm: string; readonly seed: number; readonly agents: readonly string[] },
  names: Names,
): readonly SpecIssue[] {
  const unknown = (key: string, name: string | number): SpecIssue => ({
    path: joinPath(path, key),
    message: `${shown(name)} came, but the specification has no such ${key}.`,
  });
  return [
    ...(names.arm.has(place.arm) ? [] : [unknown('arm', place.arm)]),
    ...(names.seed.has(place.seed) ? [] : [unknown('seed', place.seed)]),
    ...place.agents
      .filter((agent) => !names.agent.has(agent))
      .map((name) => unknown('agent', name)),
  ];
}

/** Also metrics of the other level, and lines that come twice. */
function groupIssues(groups: RecordingFrame['groups'], names: Names): readonly SpecIssue[] {
  const seen = new Set<string>();
  return groups.flatMap(({ arm, seed, agent, metrics }, i) => {
    const path = `groups.${i}`;
    const ofMetrics = metrics.flatMap((metric, k): readonly SpecIssue[] => {
      const place = `${path}.metrics.${k}`;
      const mismatch = levelMismatch(metric, agent);
      if (mismatch !== null) return [{ path: place, message: `${mismatch}.` }];
      const line = `${arm}/${seed}/${agent}/${metric}`;
      if (seen.has(line)) return [{ path: place, message: `The line ${line} came twice.` }];
      seen.add(line);
      return [];
    });
    return [...unknownNames(path, { arm, seed, agents: [agent] }, names), ...ofMetrics];
  });
}

function transcriptIssues(
  transcripts: readonly RecordedTranscript[],
  names: Names,
): readonly SpecIssue[] {
  return transcripts.flatMap(({ arm, seed, turns }, i) => {
    const agents = [...new Set(turns.map(({ agent }) => agent))];
    return unknownNames(`transcripts.${i}`, { arm, seed, agents }, names);
  });
}

/** What changed while it ran did so in an iteration that had begun, and in arms that there are. */
function interventionIssues(
  { interventions = [], iterations }: RecordingFrame,
  names: Names,
): readonly SpecIssue[] {
  return interventions.flatMap(({ iteration, arm }, i) => [
    ...(iteration <= iterations + 1
      ? []
      : [
          {
            path: `interventions.${i}.iteration`,
            message: `${iteration} came, expected at most ${iterations + 1}, the last that had begun.`,
          },
        ]),
    ...(arm === null || names.arm.has(arm)
      ? []
      : [{ path: `interventions.${i}.arm`, message: `${arm} came, but no such arm ran.` }]),
  ]);
}
