import type { ReactNode } from 'react';
import { Icon } from './icons';

interface NoticeProps {
  readonly tone: 'danger' | 'warning' | 'plain';
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons, beside the text where there is room. */
  readonly actions?: ReactNode;
}

/** One thing to know, with what can be done about it. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  return (
    <section className={`notice notice-${tone}`} aria-label={title}>
      {tone !== 'plain' && <Icon name="warning" />}
      <div className="notice-text">
        <h2>{title}</h2>
        {children}
      </div>
      {actions}
    </section>
  );
}
