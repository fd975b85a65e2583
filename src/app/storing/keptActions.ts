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
import type { StoredListing, StoredNotebookEntry } from './storedList';
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
export function createKeptActions(world: ActionWorld): KeptActions {
  const { storage, claims, saver, flush } = world;
  return {
    async open(id, runId) {
      saver.flush();
      const isElsewhere = placeOf(id, world, await storage.claimedNotebooks()) === 'elsewhere';
      if (!(await openKept(storage, { id, runId, isElsewhere }))) return;
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
    list: () => listStored(world),
    async deleteRun(runId) {
      await deleteRun(world, runId);
      // There is room again.
      flush();
    },
    async deleteNotebook(id) {
      const { runs } = await readContents(storage);
      for (const { head } of runsOf(id, runs)) await deleteRun(world, head.runId);
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

async function listStored(world: ActionWorld): Promise<StoredListing> {
  const { storage } = world;
  const [contents, claimed, space] = await Promise.all([
    readContents(storage),
    storage.claimedNotebooks(),
    storage.estimateSpace(),
  ]);
  return {
    notebooks: listed(contents, (id) => placeOf(id, world, claimed)),
    damaged: contents.damaged,
    usage: space?.usageBytes ?? null,
    quota: space?.quotaBytes ?? null,
    isPersistent: await isPersistent(),
  };
}

async function deleteRun({ storage, keeper }: ActionWorld, runId: string): Promise<void> {
  check(await storage.deleteRun(runId));
  const series = keeper.seriesOf(runId) ?? seriesOnPage(runId);
  if (series !== undefined) noteKeeping(series, { kind: 'deleted' });
}

/** @param claimed ids of the notebooks that some tab keeps */
function placeOf(
  id: string,
  { claims }: ActionWorld,
  claimed: ReadonlySet<string>,
): StoredNotebookEntry['openIn'] {
  if (claimed.has(id) && claims.writerOf(id) !== 'thisTab') return 'elsewhere';
  return id === usePageNotebook.getState().id ? 'here' : 'nowhere';
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
