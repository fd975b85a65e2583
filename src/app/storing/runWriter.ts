import type { RunSeries } from '../../metrics/runSeries';
import type { Here } from '../recordedRun';
import type { RunState } from '../runState';
import type { RunPart } from './freshPart';
import type { NotebookRecord } from './records';
import { roughBytes } from './roughBytes';
import type { KeptRun } from './runKeeper';
import { recordOf } from './runRecord';
import type { Shelf } from './shelf';

interface RunWriter {
  readonly write: (kept: KeptRun, run: RunState, part: RunPart | null) => Promise<void>;
  /** The numbers of a run that was written from this page. */
  readonly seriesOf: (runId: string) => RunSeries | undefined;
}

interface Written {
  readonly series: RunSeries;
  iteration: number;
  bytes: number;
  /** Whose episodes are stored. */
  readonly told: Map<number, number>;
}

interface WriterWorld {
  readonly shelf: Shelf;
  /** The notebook, where it is not stored as it is now. */
  readonly unsavedNotebook: (id: string) => NotebookRecord | null;
  readonly noteSaved: (record: NotebookRecord) => void;
  readonly here: () => Here;
  readonly nowMs: () => number;
}

/** Turns what is new of a run into what the database is to hold, and remembers what that is. */
export function createRunWriter(world: WriterWorld): RunWriter {
  const runs = new Map<string, Written>();
  return {
    seriesOf: (runId) => runs.get(runId)?.series,
    async write(kept, run, part) {
      const before = runs.get(kept.runId) ?? {
        series: run.series,
        iteration: 0,
        bytes: 0,
        told: new Map<number, number>(),
      };
      const after = withPart(before, part);
      const remembered = new Set(run.transcripts.map(({ iteration }) => iteration));
      const forgotten = [...after.told.keys()].filter((iteration) => !remembered.has(iteration));
      for (const iteration of forgotten) {
        after.bytes -= after.told.get(iteration) ?? 0;
        after.told.delete(iteration);
      }
      const { iteration, bytes } = after;
      const record = recordOf(kept, run, { iteration, bytes, nowMs: world.nowMs() }, world.here());
      const notebook = world.unsavedNotebook(kept.notebookId);
      await world.shelf.append(record, part, { notebook, forgotten });
      runs.set(kept.runId, after);
      if (notebook !== null) world.noteSaved(notebook);
    },
  };
}

/** As it is once the part is stored: a new object, since that may be refused. */
function withPart(before: Written, part: RunPart | null): Written {
  const told = new Map(before.told);
  if (part === null) return { ...before, told };
  let bytes = before.bytes + roughBytes(part.rows) + 20 * part.times.length;
  for (const transcript of part.transcripts) {
    const size = roughBytes(transcript);
    bytes += size;
    told.set(transcript.iteration, (told.get(transcript.iteration) ?? 0) + size);
  }
  return { ...before, iteration: part.rows.at(-1)?.iteration ?? before.iteration, bytes, told };
}
