import type { ExperimentSpec } from '../../config/experimentSpec';
import { specHash } from '../../config/specHash';
import { adpLines, toAdp } from '../../interop/adpTrajectories';
import { drMasCommand } from '../../interop/drMasConfig';
import { trlMetricName, verlMetricName } from '../../interop/metricNames';
import { metricsCsvWide } from '../../interop/metricsCsvWide';
import { transcriptLines } from '../../interop/transcriptLines';
import { metricsCsv } from '../../metrics/toCsv';
import type { NotebookFile } from '../../notebook/notebookFile';
import { recordedSeries } from '../../notebook/recording';
import { recordingOfState, type Here } from '../recordedRun';
import type { RunReport } from '../runExport';
import type { RunState } from '../runState';
import { interventionText } from '../steering/interventionText';
import type { ExportKind } from './exportKinds';

/** A run, and what a file of it says of where it comes from. */
export interface ExportedRun {
  readonly run: RunState;
  readonly spec: ExperimentSpec;
  readonly here: Here;
  /** Made for the files that hold it only: both look at every number of the run. */
  readonly reportOf: () => RunReport | null;
  /** The whole notebook, with the results of all its experiments. */
  readonly notebookOf: () => NotebookFile;
}

interface RunFile {
  /** End of its name. */
  readonly extension: string;
  /** Media type. */
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

function csv(extension: string, content: string): RunFile {
  return { extension, type: 'text/csv', content };
}

/** The file of a kind. Throws RangeError, with a text to show, for what does not fit its format. */
export async function runFile(kind: ExportKind, exported: ExportedRun): Promise<RunFile> {
  const { run, spec, reportOf } = exported;
  switch (kind) {
    case 'csvLong':
      return csv('metrics.csv', metricsCsv(run.series));
    case 'csvWide':
      return csv('metrics-wide.csv', metricsCsvWide(run.series));
    case 'csvVerl':
      return csv(
        'metrics-verl.csv',
        metricsCsvWide(run.series, (metric) => verlMetricName(metric, null)),
      );
    case 'csvTrl':
      return csv('metrics-trl.csv', metricsCsvWide(run.series, trlMetricName));
    case 'parquet': {
      const { metricsParquet } = await import('../../interop/metricsParquet');
      const content = metricsParquet(run.series, aboutOf(exported));
      return { extension: 'metrics.parquet', type: 'application/vnd.apache.parquet', content };
    }
    case 'summary':
      return {
        extension: 'summary.json',
        type: 'application/json',
        content: JSON.stringify(reportOf(), null, 2),
      };
    case 'episodes':
      return {
        extension: 'episodes.jsonl',
        type: 'application/jsonl',
        content: transcriptLines(run.transcripts),
      };
    case 'adp':
      return {
        extension: 'episodes.adp.jsonl',
        type: 'application/jsonl',
        content: adpLines(toAdp(run.transcripts, specHash(spec))),
      };
    case 'drMas':
      return { extension: 'drmas.sh', type: 'application/x-sh', content: drMasScript(spec) };
    case 'archive':
      return archiveFile(exported);
  }
}

function aboutOf({ spec, here }: ExportedRun): Readonly<Record<string, string>> {
  return { specHash: specHash(spec), marlbook: here.marlbook };
}

/** One command an arm, each with the first seed: a seed more is a number changed. */
function drMasScript(spec: ExperimentSpec): string {
  const [seed = 0] = spec.seeds;
  return spec.arms.map(({ name }) => drMasCommand(spec, name, seed)).join('\n');
}

async function archiveFile(exported: ExportedRun): Promise<RunFile> {
  const { run, spec, here, notebookOf } = exported;
  const recording = recordingOfState(run, here);
  if (recording === null)
    throw new RangeError('The run is not over: stop it, or wait for its end, then archive it.');
  const [{ writeArchive }, { metricsParquet }, { encodeNotebookFile }] = await Promise.all([
    import('../../interop/archive'),
    import('../../interop/metricsParquet'),
    import('../../notebook/notebookFile'),
  ]);
  const { date, versions, device } = recording;
  // In the order in which a recording reads back: opened and archived again it is the same file.
  const series = recordedSeries(recording);
  const content = writeArchive({
    spec,
    notebook: encodeNotebookFile(notebookOf()),
    metricsCsv: metricsCsv(series),
    metricsParquet: metricsParquet(series, aboutOf(exported)),
    events: run.interventions.map((intervention) => ({
      // Before the rollouts of its iteration.
      iteration: intervention.iteration - 1,
      kind: 'intervention',
      detail: interventionText(intervention),
    })),
    transcripts: run.transcripts,
    checkpoints: [],
    fingerprint: { date, versions, device },
  });
  return { extension: 'archive.zip', type: 'application/zip', content };
}
