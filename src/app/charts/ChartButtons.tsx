export interface Switches {
  readonly isTable: boolean;
  readonly hasOptions: boolean;
}

interface ChartButtonsProps extends Switches {
  readonly isZoomed: boolean;
  readonly onSwitch: (change: Partial<Switches>) => void;
  readonly onShowAll: () => void;
}

export function ChartButtons(props: ChartButtonsProps) {
  const { isTable, hasOptions, isZoomed, onSwitch, onShowAll } = props;
  return (
    <span className="chart-buttons">
      {isZoomed && (
        <button type="button" className="chart-button" onClick={onShowAll}>
          Show all
        </button>
      )}
      <button
        type="button"
        className="chart-button"
        aria-expanded={hasOptions}
        onClick={() => onSwitch({ hasOptions: !hasOptions })}
      >
        View
      </button>
      <button
        type="button"
        className="chart-button"
        aria-pressed={isTable}
        onClick={() => onSwitch({ isTable: !isTable })}
      >
        Table
      </button>
    </span>
  );
}
