import { useDesk } from '../desks';
import type { FigureFormat } from './saveFigure';

const formats = [
  ['svg', 'Save as SVG'],
  ['png', 'Save as PNG'],
] as const;

/** The chart around it as a picture that carries where it comes from. */
export function SaveFigureButtons() {
  const { id, run } = useDesk();
  const save = async (figure: HTMLElement | null, format: FigureFormat): Promise<void> => {
    const { spec } = run.getState();
    if (figure === null || spec === null) return;
    const { saveFigure } = await import('./saveFigure');
    await saveFigure(figure, { experiment: id, spec }, format);
  };
  return formats.map(([format, label]) => (
    <button
      key={format}
      type="button"
      className="chart-button"
      onClick={({ currentTarget }) => {
        // What was saved, or why not, is said in the live region.
        void save(currentTarget.closest('figure'), format);
      }}
    >
      {label}
    </button>
  ));
}
