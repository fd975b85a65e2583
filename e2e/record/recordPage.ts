import { galleryNotebooks, type GalleryNotebook } from '../../src/notebook/gallery/gallery';
import { encodeGalleryIndex, type GalleryEntry } from '../../src/notebook/gallery/galleryIndex';
import { encodeRecording } from '../../src/notebook/encodeRecording';
import { experimentCells } from '../../src/notebook/notebook';
import { encodeNotebookFile } from '../../src/notebook/notebookFile';
import { parseRecording } from '../../src/notebook/parseRecording';
import { withMetrics, type RunRecording } from '../../src/notebook/recording';
import { staleCells } from '../../src/notebook/staleness';
import { usedMetrics } from '../../src/notebook/usedMetrics';
import { recordRun, type Versions } from './recordRun';

/** One experiment of a notebook, as the command announces it. */
export interface ExperimentPlan {
  readonly id: string;
  /** `3 arms × 5 seeds, 120 iterations, wasm` */
  readonly size: string;
}

/** The recorder's door for the command. Texts that it takes and gives are files. */
interface Recorder {
  /** Ids of the notebooks, in the order of the gallery. */
  readonly ids: () => readonly string[];
  readonly experiments: (id: string) => readonly ExperimentPlan[];
  /** Whether the text is a recording of the experiment as it stands now, with all that the notebook reads. */
  readonly isFresh: (id: string, experiment: string, recording: string) => boolean;
  /** Runs the experiment; resolves to its recording with every metric, also of a run that failed. */
  readonly record: (id: string, experiment: string, versions: Versions) => Promise<string>;
  /** The file of a notebook from recordings by experiment: of each the metrics that the notebook reads. */
  readonly file: (id: string, recordings: Readonly<Record<string, string>>) => string;
  /** The list of the gallery. `sizes`: id → bytes of its file. */
  readonly index: (sizes: Readonly<Record<string, number>>) => string;
}

declare global {
  interface Window {
    recorder: Recorder;
    /** Set by the command: where progress lines go. */
    noteRecorder: (line: string) => Promise<void>;
  }
}

function notebookOf(id: string): GalleryNotebook {
  const found = galleryNotebooks.find((entry) => entry.id === id);
  if (found === undefined) {
    const known = galleryNotebooks.map((entry) => entry.id).join(', ');
    throw new RangeError(`${id} came, expected one of ${known}.`);
  }
  return found;
}

function specOf(id: string, experiment: string): RunRecording['spec'] {
  const cell = experimentCells(notebookOf(id).notebook).find((entry) => entry.id === experiment);
  if (cell === undefined) throw new RangeError(`${experiment} is no experiment of ${id}.`);
  return cell.spec;
}

function recordingIn(text: string): RunRecording | null {
  const parsed = parseRecording(JSON.parse(text));
  return parsed.ok ? parsed.recording : null;
}

function isFresh(id: string, experiment: string, text: string): boolean {
  const recording = recordingIn(text);
  if (recording?.ended !== 'completed') return false;
  const { notebook } = notebookOf(id);
  const kept = new Set(recording.metrics);
  if (![...usedMetrics(notebook, experiment)].every((metric) => kept.has(metric))) return false;
  return !staleCells(notebook, new Map([[experiment, recording.spec]])).has(experiment);
}

function fileOf(id: string, texts: Readonly<Record<string, string>>): string {
  const { notebook } = notebookOf(id);
  const recordings = Object.entries(texts).flatMap(([experiment, text]) => {
    const recording = recordingIn(text);
    if (recording === null) throw new TypeError(`The recording of ${experiment} is not readable.`);
    return [[experiment, withMetrics(recording, usedMetrics(notebook, experiment))] as const];
  });
  return textOf(encodeNotebookFile({ notebook, recordings: new Map(recordings) }));
}

/** Notebooks without a file are not in the list. */
function entryOf(
  { id, summary, notebook }: GalleryNotebook,
  sizes: Readonly<Record<string, number>>,
): readonly GalleryEntry[] {
  const numBytes = sizes[id];
  const { title } = notebook;
  return numBytes === undefined ? [] : [{ id, title, summary, file: `${id}.json`, numBytes }];
}

/** Lines that a difference of versions can show. */
function textOf(data: object): string {
  return `${JSON.stringify(data, null, 1)}\n`;
}

window.recorder = {
  ids: () => galleryNotebooks.map(({ id }) => id),
  experiments: (id) =>
    experimentCells(notebookOf(id).notebook).map(({ id: experiment, spec }) => ({
      id: experiment,
      size: `${spec.arms.length} arms × ${spec.seeds.length} seeds, ${spec.iterations} iterations, ${spec.backend}`,
    })),
  isFresh,
  record: async (id, experiment, versions) => {
    const recording = await recordRun(specOf(id, experiment), versions, (line) => {
      void window.noteRecorder(line);
    });
    return JSON.stringify(encodeRecording(recording));
  },
  file: fileOf,
  index: (sizes) =>
    textOf(encodeGalleryIndex(galleryNotebooks.flatMap((entry) => entryOf(entry, sizes)))),
};
