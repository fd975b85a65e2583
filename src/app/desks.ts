import { createContext, useContext } from 'react';
import { createStore, type StoreApi } from 'zustand';
import { canonicalJson } from '../config/specHash';
import { presets } from '../config/presets';
import type { ExperimentSpec } from '../config/experimentSpec';
import { cellOf } from '../notebook/notebook';
import { editCell, presentNotebook, useDocument } from './document/documentStore';
import { openingPresetId } from './openingPreset';
import { createPageRunner } from './pageRunner';
import type { Runner } from './runner';
import { initialRunState, type RunState } from './runState';
import { applySpecEvent, specStateOf, type SpecEvent, type SpecState } from './specState';

/**
 * What belongs to one experiment cell beside its place in the notebook: the form, which may hold what is not valid yet, and the
 * run. A desk outlives its cell, so that undoing a deletion brings the results back.
 */
export interface Desk {
  /** Id of the experiment cell. */
  readonly id: string;
  readonly form: StoreApi<SpecState>;
  readonly run: StoreApi<RunState>;
  readonly runner: Runner;
}

/** Id of the experiment that a part of the page speaks of; null = that of the form and the run strip. */
export const ExperimentContext = createContext<string | null>(null);

type RunWatcher = (run: RunState, before: RunState, desk: Desk) => void;

let desks = new Map<string, Desk>();
const watchers = new Set<RunWatcher>();

/** The desk of an experiment cell; made when it is first asked for. */
export function deskOf(id: string): Desk {
  const known = desks.get(id);
  if (known !== undefined) return known;
  const desk = createDesk(id);
  desks.set(id, desk);
  return desk;
}

/** The desk that the form and the run strip speak of. A notebook without an experiment has one with nothing on it. */
export function currentDesk(): Desk {
  return deskOf(useDocument.getState().experiment ?? '');
}

/** The desk that this part of the page speaks of. */
export function useDesk(): Desk {
  const own = useContext(ExperimentContext);
  const current = useDocument((state) => state.experiment);
  // With another notebook come other desks, of the same ids perhaps.
  useDocument((state) => state.generation);
  return deskOf(own ?? current ?? '');
}

/** All desks there are. */
export function allDesks(): readonly Desk[] {
  return [...desks.values()];
}

/** Calls back whenever a run of any experiment changes; returns how to end that. */
export function watchRuns(watcher: RunWatcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Exchanges the desks for others: with another notebook come other experiments, of the same ids perhaps. Returns those before. */
export function exchangeDesks(next: ReadonlyMap<string, Desk>): ReadonlyMap<string, Desk> {
  const before = desks;
  desks = new Map(next);
  return before;
}

/** Changes the form of an experiment; as soon as it is valid, the notebook follows. */
export function applyToForm(desk: Desk, event: SpecEvent): void {
  const before = desk.form.getState();
  const next = applySpecEvent(before, event);
  desk.form.setState(next, true);
  if (next.parsed === before.parsed || !next.parsed.ok) return;
  const cell = cellOf(presentNotebook(), desk.id);
  if (cell?.kind !== 'experiment' || isSameSpec(cell.spec, next.parsed.spec)) return;
  editCell({ ...cell, spec: next.parsed.spec }, fieldOf(event));
}

/** What typing into it again goes on changing; undefined where an event is a step of its own. */
function fieldOf(event: SpecEvent): string | undefined {
  if (event.kind === 'valueSet') return event.path;
  return event.kind === 'seedsSet' ? 'seeds' : undefined;
}

function isSameSpec(a: ExperimentSpec, b: ExperimentSpec): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** Keeps forms at what the notebook says when it changes otherwise: by undo, by an opened document, by a command. */
useDocument.subscribe(({ history }, before) => {
  if (history.present === before.history.present) return;
  for (const desk of desks.values()) {
    const cell = cellOf(history.present, desk.id);
    if (cell?.kind !== 'experiment') continue;
    const was = cellOf(before.history.present, desk.id);
    if (was === cell) continue;
    const { parsed } = desk.form.getState();
    if (parsed.ok && isSameSpec(parsed.spec, cell.spec)) continue;
    desk.form.setState(
      applySpecEvent(desk.form.getState(), { kind: 'followed', spec: cell.spec }),
      true,
    );
  }
});

function createDesk(id: string): Desk {
  const cell = cellOf(presentNotebook(), id);
  const spec = cell?.kind === 'experiment' ? cell.spec : presets[openingPresetId].spec;
  const form = createStore<SpecState>(() =>
    applySpecEvent(specStateOf(openingPresetId), {
      kind: 'opened',
      spec,
      origin: { kind: 'preset' },
    }),
  );
  const run = createStore<RunState>(() => initialRunState);
  const runner = createPageRunner(run);
  const desk = { id, form, run, runner };
  run.subscribe((state, before) => {
    for (const watcher of watchers) watcher(state, before, desk);
  });
  return desk;
}
