import { useDocument } from './documentStore';

/** Puts the focus on a cell and brings it into view, once what was just changed is on the page. */
export function focusCell(id: string): void {
  requestAnimationFrame(() => {
    const cell = document.getElementById(`cell-${id}`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest' });
  });
}

/** The same for the selected cell, if there is one. */
export function focusSelected(): void {
  const { selected } = useDocument.getState();
  if (selected !== null) focusCell(selected);
}
