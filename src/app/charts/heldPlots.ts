/** The plots of the page that someone points at. */
const held = new Set<symbol>();
const listeners = new Set<() => void>();

export function isAnyPlotHeld(): boolean {
  return held.size > 0;
}

/** Calls back after a change until the returned function is called. */
export function onPlotsHeld(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Says that someone points at a plot, until the returned function is called. */
export function holdPlot(): () => void {
  const plot = Symbol('plot');
  held.add(plot);
  tell();
  return () => {
    held.delete(plot);
    tell();
  };
}

function tell(): void {
  for (const listener of listeners) listener();
}
