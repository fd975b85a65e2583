import { useRef, type KeyboardEvent, type ReactNode } from 'react';

interface ChartMenuProps {
  readonly label: string;
  /** Reads as a count beside a plot; a button otherwise. */
  readonly isChip?: boolean;
  readonly children: ReactNode;
}

/** Something to choose from behind a button; Escape closes it and gives the focus back. */
export function ChartMenu({ label, isChip = false, children }: ChartMenuProps) {
  const host = useRef<HTMLDetailsElement>(null);
  const handlers = {
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || !host.current?.open) return;
      event.stopPropagation();
      host.current.open = false;
      host.current.querySelector('summary')?.focus();
    },
  };
  return (
    <details className="chart-menu" ref={host} {...handlers}>
      <summary className={isChip ? 'chart-chip' : 'chart-button'}>{label}</summary>
      <div className="chart-menu-list">{children}</div>
    </details>
  );
}
