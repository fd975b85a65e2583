import { useState, type ReactNode } from 'react';

interface FoldProps {
  readonly title: string;
  /** What is in it, for those who have not opened it. */
  readonly line: string;
  readonly children: ReactNode;
}

/** A part of the results that is a line at first: what is in it is worked out when somebody looks. */
export function Fold({ title, line, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        <span className="fold-line muted">{line}</span>
      </summary>
      {isOpen && children}
    </details>
  );
}
