import { applyToDocument } from './documentStore';
import { runCurrent } from '../runCurrent';
import { closePalette, openPalette, usePalette } from './palette';

/** Fields in which undo belongs to the text that is being typed. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('textarea, input:not([type]), input[type=text]'))
  );
}

function onKeyDown(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const act = actionOf(event);
  if (act === null) return;
  event.preventDefault();
  act();
}

function actionOf({ key, shiftKey, target }: KeyboardEvent): (() => void) | null {
  switch (key.toLowerCase()) {
    case 'k':
      return () =>
        usePalette.getState().mode === null ? openPalette({ kind: 'all' }) : closePalette();
    case 'enter':
      return runCurrent;
    case 'z':
      if (isTyping(target)) return null;
      return () => applyToDocument({ kind: shiftKey ? 'redone' : 'undone' });
    case 'y':
      return isTyping(target) ? null : () => applyToDocument({ kind: 'redone' });
    default:
      return null;
  }
}

/** Keys that mean the same everywhere on the page. */
export function startPageKeys(): void {
  addEventListener('keydown', onKeyDown);
}
