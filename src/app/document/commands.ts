import { presets } from '../../config/presets';
import type { CellKind } from '../../notebook/cells';
import { addableKinds } from '../../notebook/newCell';
import { emptyNotebook } from '../../notebook/notebook';
import { shareNotebook } from '../address';
import { currentDesk } from '../desks';
import { openNotebook, openSpec, withoutRuns } from '../openDocument';
import { isActive } from '../runState';
import { runCurrent } from '../runCurrent';
import { useTheme } from '../theme';
import { saveNotebook } from '../notebookFile';
import { useVerifying } from '../verify/verificationState';
import { cellTitle, kindNames, kindPurposes } from './cellText';
import {
  applyToDocument,
  copyCell,
  insertCell,
  placeBelow,
  presentNotebook,
  removeCell,
  shiftCell,
  useDocument,
} from './documentStore';
import { focusCell, focusSelected } from './focusCell';
import { openPalette, type PaletteMode } from './palette';

/** One entry of the command menu. */
export interface Command {
  /** Unique; also what is searched, beside `note`. */
  readonly name: string;
  readonly note: string;
  readonly keys: string;
  readonly act: () => void;
}

interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly Command[];
}

function command(
  name: string,
  act: () => void,
  more: { note?: string; keys?: string } = {},
): Command {
  return { name, act, note: more.note ?? '', keys: more.keys ?? '' };
}

/** What the run strip offers at this moment. */
function runCommands(): readonly Command[] {
  const { run, runner } = currentDesk();
  const { phase } = run.getState();
  if (phase === 'paused')
    return [
      command('Resume', runner.resume),
      command('Step one iteration', runner.step),
      command('Stop the run', runner.stop),
    ];
  if (isActive(phase))
    return [command('Pause', runner.pause), command('Stop the run', runner.stop)];
  const { active } = useVerifying.getState();
  if (active !== null) return [command('Stop the verification', active.stop)];
  const start = command('Run the experiment', runCurrent, { keys: 'Ctrl Enter' });
  if (phase === 'idle') return [start];
  const verify = command('Verify: run it again and compare', () => void verifyCurrent(), {
    note: 'with the settings it ran with, beside the results',
  });
  return [start, verify, command('Reset: clear the results', runner.reset)];
}

/** What comes of it stands beside the results. */
async function verifyCurrent(): Promise<void> {
  const desk = currentDesk();
  const { askVerification } = await import('../verify/verify');
  await askVerification(desk);
}

/** What can be done with one cell; nothing where it is not there. */
function cellCommands(selected: string | null): readonly Command[] {
  const { cells } = presentNotebook();
  const index = cells.findIndex(({ id }) => id === selected);
  if (selected === null || index < 0) return [];
  const kind = cells[index]?.kind;
  const edit = command(
    'Edit the cell',
    () => applyToDocument({ kind: 'editingBegun', cell: selected }),
    { keys: 'Enter' },
  );
  return [
    ...(kind === 'experiment' ? [] : [edit]),
    command('Add a cell above', () => openPalette({ kind: 'add', at: index }), { keys: 'A' }),
    command('Add a cell below', () => openPalette({ kind: 'add', at: index + 1 }), { keys: 'B' }),
    command('Move the cell up', () => shiftCell(selected, -1), { keys: 'Alt ↑' }),
    command('Move the cell down', () => shiftCell(selected, 1), { keys: 'Alt ↓' }),
    command(
      'Duplicate the cell',
      () => {
        copyCell(selected);
        focusSelected();
      },
      { keys: 'C' },
    ),
    command(
      'Delete the cell',
      () => {
        removeCell(selected);
        focusSelected();
      },
      { keys: 'Delete' },
    ),
  ];
}

/** The kinds of cells that can come at a place. */
function addCommands(at: number): readonly Command[] {
  const add = (kind: CellKind): Command =>
    command(
      `Add ${kindNames[kind].toLowerCase()}`,
      () => {
        insertCell(kind, at);
        const { selected, editing } = useDocument.getState();
        if (selected !== null && editing === null) focusCell(selected);
      },
      { note: kindPurposes[kind] },
    );
  return addableKinds(presentNotebook()).map(add);
}

function notebookCommands(): readonly Command[] {
  const { past, future } = useDocument.getState().history;
  return [
    ...(past.length > 0
      ? [command('Undo', () => applyToDocument({ kind: 'undone' }), { keys: 'Ctrl Z' })]
      : []),
    ...(future.length > 0
      ? [command('Redo', () => applyToDocument({ kind: 'redone' }), { keys: 'Ctrl Shift Z' })]
      : []),
    command('Share: copy a link', () => void shareNotebook()),
    command('Save the notebook as a file', () => void saveNotebook()),
    command('New empty notebook', () =>
      openNotebook(withoutRuns(emptyNotebook('New notebook')), 'An empty notebook'),
    ),
    command('Light or dark', () => useTheme.getState().toggle()),
  ];
}

function goToCommands(): readonly Command[] {
  return presentNotebook().cells.map((cell, index) =>
    command(`${index + 1}. ${cellTitle(cell)}`, () => focusCell(cell.id), {
      note: kindNames[cell.kind],
    }),
  );
}

function presetCommands(): readonly Command[] {
  return Object.values(presets).map(({ label, spec }) =>
    command(`Open preset: ${label}`, () =>
      openSpec(spec, `The preset ${label}`, { kind: 'preset' }),
    ),
  );
}

/** Everything that can be done at this moment. */
function allCommands(): readonly CommandGroup[] {
  const groups: readonly CommandGroup[] = [
    { heading: 'Run', commands: runCommands() },
    { heading: 'Cell', commands: cellCommands(useDocument.getState().selected) },
    { heading: 'Add below', commands: addCommands(placeBelow()) },
    { heading: 'Notebook', commands: notebookCommands() },
    { heading: 'Go to', commands: goToCommands() },
    { heading: 'Presets', commands: presetCommands() },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}

/** What the menu offers, and what it is called. */
export function menuOf(mode: PaletteMode): {
  readonly label: string;
  readonly groups: readonly CommandGroup[];
} {
  switch (mode.kind) {
    case 'all':
      return { label: 'Commands', groups: allCommands() };
    case 'add':
      return {
        label: 'Add a cell',
        groups: [{ heading: 'Add a cell', commands: addCommands(mode.at) }],
      };
    case 'cell':
      return {
        label: 'This cell',
        groups: [{ heading: 'This cell', commands: cellCommands(mode.id) }],
      };
  }
}
