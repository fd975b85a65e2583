import type { Locator } from '@playwright/test';
import type { NotebookPage } from './notebookPage';
import { tinySpec } from './tinySpec';

export function chartOf({ page }: NotebookPage, title: string): Locator {
  return page.getByRole('figure', { name: title, exact: true });
}

/** A finished run with its gradient norms as a table. */
export async function finishedRun(notebook: NotebookPage): Promise<Locator> {
  await notebook.openSpec({ ...tinySpec, seeds: [0, 1, 2] });
  await notebook.runToEnd();
  const chart = chartOf(notebook, 'Gradient norm');
  await chart.getByRole('button', { name: 'Table' }).click();
  return chart;
}

/** The first number of a cell such as `1.20 [1.00, 1.40]`. */
export async function firstNumber(cell: Locator): Promise<number> {
  return Number.parseFloat((await cell.textContent()) ?? '');
}
