import type { RunStorage, WriteOutcome } from '../../storage/storageApi';
import { announce } from '../announcement';
import { allDesks } from '../desks';
import { presentNotebook } from '../document/documentStore';
import type { RunState } from '../runState';
import { noteKeeping } from './keeping';
import { useKept, type KeptActions } from './kept';
import type { createNotebookSaver } from './notebookSaver';
import { openKept } from './openKept';
import { usePageNotebook } from './pageNotebook';
import type { createRunKeeper } from './runKeeper';
import { readContents } from './storedContents';
import { listed, runsOf } from './storedListing';
import { rememberLeft, rememberNotebook } from './tabMemory';
import type { createWriterClaims } from './writerClaims';

interface ActionWorld {
  readonly storage: RunStorage;
  readonly claims: ReturnType<typeof createWriterClaims>;
  readonly saver: ReturnType<typeof createNotebookSaver>;
  readonly keeper: ReturnType<typeof createRunKeeper>;
  /** Stores everything there is, at once, whatever was refused before. */
  readonly flush: () => void;
}

/** What the reader can do with what is stored. */
export function createKeptActions({
  storage,
  claims,
  saver,
  keeper,
  flush,
}: ActionWorld): KeptActions {
  const isElsewhere = (id: string, claimed: ReadonlySet<string>): boolean =>
    claimed.has(id) && claims.writerOf(id) !== 'thisTab';
  const deleteRun = async (runId: string): Promise<void> => {
    check(await storage.deleteRun(runId));
    const series = keeper.seriesOf(runId) ?? seriesOnPage(runId);
    if (series !== undefined) noteKeeping(series, { kind: 'deleted' });
  };
  return {
    async open(id, runId) {
      saver.flush();
      const claimed = await storage.claimedNotebooks();
      if (!(await openKept(storage, { id, runId, isElsewhere: isElsewhere(id, claimed) }))) return;
      saver.noteSaved({ id, notebook: presentNotebook() });
      rememberNotebook(id);
      useKept.setState({ offer: null });
      claims.need(id);
    },
    leave(id) {
      rememberLeft(id);
      useKept.setState({ offer: null });
      announce('It was left where it is: among the stored runs.');
    },
    keepHere: () => claims.takeOver(usePageNotebook.getState().id),
    async list() {
      const [contents, claimed, space] = await Promise.all([
        readContents(storage),
        storage.claimedNotebooks(),
        storage.estimateSpace(),
      ]);
      return {
        notebooks: listed(contents, (id) => {
          if (id === usePageNotebook.getState().id) return 'here';
          return isElsewhere(id, claimed) ? 'elsewhere' : 'nowhere';
        }),
        damaged: contents.damaged,
        usage: space?.usageBytes ?? null,
        quota: space?.quotaBytes ?? null,
        isPersistent: await isPersistent(),
      };
    },
    async deleteRun(runId) {
      await deleteRun(runId);
      // There is room again.
      flush();
    },
    async deleteNotebook(id) {
      const { runs } = await readContents(storage);
      for (const { head } of runsOf(id, runs)) await deleteRun(head.runId);
      check(await storage.deleteNotebook(id));
      flush();
    },
    async deleteDamaged({ kind, id }) {
      check(await (kind === 'run' ? storage.deleteRun(id) : storage.deleteNotebook(id)));
      flush();
    },
    persist: async () => (await storage.requestPersistence()) ?? false,
  };
}

function check(outcome: WriteOutcome): void {
  if (!outcome.ok) throw new Error(outcome.message);
}

function seriesOnPage(runId: string): RunState['series'] | undefined {
  const states = allDesks().map(({ run }) => run.getState());
  return states.find(({ kept }) => kept?.runId === runId)?.series;
}

/** Null where the browser does not say. */
async function isPersistent(): Promise<boolean | null> {
  try {
    return await navigator.storage.persisted();
  } catch {
    return null;
  }
}
